// Where the cards of a fan lie (DESIGN 6): groups side by side in one row or a few, equal cards close together or upon
// each other. Pure: numbers in, numbers out.

/** Cards that belong together, from the left. */
export interface FanGroup {
  name: string;
  cards: readonly string[];
}

/** One way to draw a hand; the first that leaves every index whole is taken. */
export interface FanSize {
  cw: number; // width of a card
  rows: number;
  drop: number; // how far a row lies under the one behind it
  pile?: boolean; // equal cards upon each other
  upTo?: number; // only for so many cards
}

export interface FanRoom {
  width: number;
  sizes: readonly FanSize[];
  strip: number; // what shows of a card at the least, px
  least?: number; // cards the hand will have soon: while it is dealt it keeps its size
}

/** Equal cards of a hand, and where they lie. */
export interface FanStack {
  card: string;
  group: string;
  n: number;
  row: number;
  x: number;
  step: number; // from one copy to the next, 0 when they lie upon each other
  strip: number; // what the next stack leaves of the last copy
}

export interface FanLayout {
  cw: number;
  rows: number;
  drop: number;
  pile: boolean;
  stacks: FanStack[];
}

/** The sizes of DESIGN 6 for a wide cloth, a phone held sideways and one held upright: open as long as that fits. */
export const FANS: Readonly<Record<"wide" | "low" | "tall", Pick<FanRoom, "sizes" | "strip">>> = {
  wide: {
    strip: 38,
    sizes: [
      { cw: 96, rows: 1, drop: 0, upTo: 13 },
      { cw: 78, rows: 1, drop: 0, upTo: 27 },
      { cw: 84, rows: 2, drop: 62 },
      { cw: 84, rows: 2, drop: 66, pile: true },
      { cw: 72, rows: 3, drop: 54, pile: true },
    ],
  },
  low: {
    strip: 36,
    sizes: [
      { cw: 64, rows: 1, drop: 0, upTo: 13 },
      { cw: 54, rows: 2, drop: 47 },
      { cw: 54, rows: 2, drop: 52, pile: true },
      { cw: 48, rows: 2, drop: 48, pile: true },
      { cw: 48, rows: 3, drop: 40, pile: true },
    ],
  },
  tall: {
    strip: 33,
    sizes: [
      { cw: 52, rows: 2, drop: 46, upTo: 13 },
      { cw: 46, rows: 3, drop: 42 },
      { cw: 46, rows: 3, drop: 46, pile: true },
      { cw: 46, rows: 4, drop: 44, pile: true },
      { cw: 42, rows: 5, drop: 40, pile: true },
    ],
  },
};

const GAP = 12; // between groups
const CLOSE = 10; // equal cards stand so much closer
const WIDE = 0.84; // widest strip, by card width
const WHOLE = 0.5; // an index, by card width

interface Piece {
  card: string;
  group: string;
  n: number;
}

/** Lay a hand into its room. */
export function fan(groups: readonly FanGroup[], room: FanRoom): FanLayout {
  const pieces = groups.flatMap(({ name, cards }) => {
    const found: Piece[] = [];
    for (const card of cards) {
      const last = found.at(-1);
      if (last?.card === card) last.n++;
      else found.push({ card, group: name, n: 1 });
    }
    return found;
  });
  const total = Math.max(
    pieces.reduce((sum, one) => sum + one.n, 0),
    room.least ?? 0,
  );
  let tried: FanLayout | null = null;
  for (const size of room.sizes) {
    if (size.upTo !== undefined && total > size.upTo) continue;
    const { laid, strip } = lay(pieces, size, room.width);
    tried = laid;
    if (strip >= Math.max(room.strip, Math.floor(size.cw * WHOLE))) return laid;
  }
  return tried ?? { cw: 1, rows: 1, drop: 0, pile: false, stacks: [] };
}

/** The narrowest strip that rows of these pieces have. */
function stripOf(row: readonly Piece[], size: FanSize, width: number): number {
  const places = row.reduce((sum, one) => sum + (size.pile ? 1 : one.n), 0);
  const twins = size.pile ? 0 : places - row.length;
  const gaps = new Set(row.map((one) => one.group)).size - 1;
  const wide = size.cw * WIDE;
  return places < 2 ? wide : Math.min(wide, (width - size.cw - GAP * gaps + CLOSE * twins) / (places - 1));
}

function lay(pieces: readonly Piece[], size: FanSize, width: number): { laid: FanLayout; strip: number } {
  const rows = cut(pieces, size, width);
  const stacks: FanStack[] = [];
  let least = Infinity;
  rows.forEach((row, at) => {
    const strip = stripOf(row, size, width);
    least = Math.min(least, strip);
    const step = size.pile ? 0 : strip - CLOSE;
    let x = 0;
    const here = row.map((one, i): FanStack => {
      if (i && row[i - 1]!.group !== one.group) x += GAP;
      const stack = { ...one, row: at, x, step, strip };
      x += strip + (one.n - 1) * step;
      return stack;
    });
    const last = here.at(-1);
    const whole = last ? last.x + (last.n - 1) * last.step + size.cw : 0;
    const start = (width - whole) / 2;
    for (const one of here) stacks.push({ ...one, x: Math.round(one.x + start) });
  });
  return { laid: { cw: size.cw, rows: rows.length, drop: size.drop, pile: !!size.pile, stacks }, strip: least };
}

/** Cut a hand into rows: between groups where that leaves room enough, else between cards. */
function cut(pieces: readonly Piece[], size: FanSize, width: number): Piece[][] {
  const edges: number[] = [];
  for (let i = 1; i < pieces.length; i++) if (pieces[i]!.group !== pieces[i - 1]!.group) edges.push(i);
  const enough = Math.floor(size.cw * WHOLE);
  const between = best(pieces, edges, size, width);
  if (between.strip >= enough || size.rows === 1) return between.rows;
  const all = Array.from({ length: Math.max(0, pieces.length - 1) }, (_, i) => i + 1);
  return best(pieces, all, size, width).rows;
}

/** The cut at these places whose narrowest strip is widest; the fewest rows of those alike. */
function best(pieces: readonly Piece[], edges: readonly number[], size: FanSize, width: number): { rows: Piece[][]; strip: number } {
  // From the front: the best way to lay the first pieces, up to each edge, in so many rows.
  const ends = [...edges, pieces.length];
  let found: Map<number, { rows: Piece[][]; strip: number }> = new Map([[0, { rows: [], strip: Infinity }]]);
  let top = { rows: [[...pieces]], strip: stripOf(pieces, size, width) };
  for (let row = 0; row < size.rows; row++) {
    const next: typeof found = new Map();
    for (const [from, one] of found) {
      for (const to of ends) {
        if (to <= from) continue;
        const part = pieces.slice(from, to);
        const strip = Math.min(one.strip, stripOf(part, size, width));
        if (strip > (next.get(to)?.strip ?? -Infinity)) next.set(to, { rows: [...one.rows, part], strip });
      }
    }
    const whole = next.get(pieces.length);
    if (whole && whole.strip > top.strip) top = whole;
    found = next;
  }
  return top;
}
