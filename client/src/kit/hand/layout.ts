// Where the cards of a stacked hand lie: one column a rank. Pure: numbers in, numbers out.

export interface Room {
  width: number; // of the whole hand, margins already taken off
  height: number; // of one row, lift and chips included
  gap: number; // between columns
  most: number; // widest card
  edge: number; // what shows of a rear card whose rank does not
  lift: number; // how far a raised card rises
  rowMost?: number; // columns a row may hold; more make a second row
}

export interface Placed {
  row: number;
  x: number; // left edge, from the left edge of the hand
  y: number[]; // upward offset of each card from the row's floor, front card first
}

export interface Layout {
  card: number; // width of a card
  rows: number;
  placed: Placed[]; // one a column, in the order given
}

const TALL = 1.4; // card height by its width
const PEEK = 0.47; // a whole rank, by card width

/** Upward offsets of n cards, front first: as many whole ranks as fit above the front card, edges behind them. */
export function offsets(n: number, card: number, room: Pick<Room, "height" | "edge" | "lift">): number[] {
  const peek = Math.round(card * PEEK);
  const free = Math.max(0, room.height - card * TALL - room.lift);
  let whole = Math.min(n - 1, Math.floor(free / peek));
  while (whole > 0 && whole * peek + (n - 1 - whole) * room.edge > free) whole--;
  const edges = n - 1 - whole;
  // Very many equal cards: edges become finer rather than the stack taller than its room.
  const edge = edges > 0 ? Math.min(room.edge, (free - whole * peek) / edges) : 0;
  const up: number[] = [0];
  for (let i = 1; i < n; i++) up.push(up[i - 1]! + (i <= whole ? peek : edge));
  return up;
}

/** Lay columns of these sizes into a room: centred, in one row or in as few as `rowMost` allows. */
export function layout(sizes: readonly number[], room: Room): Layout {
  const n = sizes.length;
  const rows = Math.max(1, Math.ceil(n / (room.rowMost ?? Math.max(n, 1))));
  const perRow = rows === 1 ? n : (room.rowMost ?? n);
  // With several rows the card is that of a full row, so that it keeps its size as the hand shrinks into one.
  const across = Math.max(rows > 1 ? perRow : n, 1);
  const wide = Math.floor((room.width - (across - 1) * room.gap) / across);
  const high = Math.floor((room.height - room.lift) / TALL); // a raised card stays within its row
  const card = Math.max(1, Math.min(room.most, wide, high));
  const placed: Placed[] = [];
  for (let row = 0, at = 0; row < rows; row++) {
    const here = Math.min(perRow, n - at);
    const start = (room.width - here * card - (here - 1) * room.gap) / 2;
    for (let i = 0; i < here; i++, at++) {
      placed.push({ row, x: Math.round(start + i * (card + room.gap)), y: offsets(sizes[at]!, card, room) });
    }
  }
  return { card, rows, placed };
}

/** The column under a point, or the nearest within `snap` px; -1 when there is none. */
export function columnAt(laid: Layout, rowHeight: number, x: number, y: number, snap = 8): number {
  let best = -1;
  let near = snap + 0.001;
  laid.placed.forEach((column, i) => {
    const top = column.row * rowHeight;
    if (y < top || y >= top + rowHeight) return;
    const away = x < column.x ? column.x - x : x > column.x + laid.card ? x - column.x - laid.card : 0;
    if (away < near) [best, near] = [i, away];
  });
  return best;
}
