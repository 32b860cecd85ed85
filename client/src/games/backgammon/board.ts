// Where things lie on the drawn board. Slots are the 24 points by the numbers of whoever sits below; nothing here is a rule.
import type * as types from "./types.gen";

export type Side = types.Side;
export type Kind = types.View["board"];
/** Step and node of the hints: [from, to, die, hit, pin, clone, next], [steps, m]. */
export type Step = types.Step;
export const BAR = 25;
export const RES = 26;

/** Where a checker lies: `p13`, `bar`, `res`, `hand`, `off`. */
export type Where = string;

/** The slot of a seat's own point for the viewpoint below: its own number, or where the other's point lies (3). */
export function slotOf(board: Kind, mine: boolean, point: number): number {
  if (mine || board === "shared") return point;
  return board === "opposite" ? 25 - point : point <= 12 ? point + 12 : point - 12;
}

/** The place that a number of a step names, for the seat that moves. */
export function whereOf(board: Kind, mine: boolean, point: number): Where {
  return point === BAR ? "bar" : point === RES ? "res" : point === 0 ? "off" : `p${slotOf(board, mine, point)}`;
}

/** The sides after one step of a turn that is not sent yet: what the player has laid so far. */
export function stepped(sides: readonly [Side, Side], board: Kind, seat: number, step: Step): [Side, Side] {
  const [from, to, , hit, pin, clone] = step;
  const own = copy(sides[seat]!);
  const foe = copy(sides[1 - seat]!);
  const there = (point: number) => slotOf(board, false, point);
  if (from === BAR) own.bar--;
  else if (from === RES) own.res--;
  else {
    own.points[from - 1]!--;
    if (!own.points[from - 1]) foe.pinned = foe.pinned.filter((point) => point !== there(from));
  }
  if (to === 0) own.off++;
  else own.points[to - 1]!++;
  if (hit) {
    foe.points[there(to) - 1]!--;
    foe.bar++;
  }
  if (pin) foe.pinned = [...foe.pinned, there(to)];
  if (clone) {
    own.res++;
    own.checkers++;
  }
  return seat === 0 ? [counted(own), counted(foe)] : [counted(foe), counted(own)];
}

const copy = (side: Side): Side => ({ ...side, points: [...side.points], pinned: [...side.pinned] });
function counted(side: Side): Side {
  return { ...side, pips: side.points.reduce((sum, n, i) => sum + n * (i + 1), 25 * (side.bar + side.res)) };
}

/** Where the checkers of the last play on a score sheet came from and went to, and whose they are. */
export interface Trail {
  seat: number;
  from: Where;
  /** Where it set down between. */
  via: readonly Where[];
  to: Where;
}

/** The last play of the sheet; what was said of the cube since and turns without a move are passed over. */
export function trailOf(lines: readonly types.Line[], board: Kind, viewpoint: number): Trail[] {
  const line = lines.findLast(([, kind, , text]) => (kind === "play" || kind === "hop") && text !== "");
  if (!line) return [];
  const [seat, , , text] = line;
  const at = (word: string): Where => {
    const cell = CELLS[word.replace(/\*$/, "")];
    return cell ?? whereOf(board, seat === viewpoint, Number.parseInt(word));
  };
  return text.split(" ").map((part) => {
    const [from, ...stops] = part.replace(/\(\d\)$/, "").split("/");
    return { seat, from: at(from!), via: stops.slice(0, -1).map(at), to: at(stops.at(-1)!) };
  });
}
const CELLS: Partial<Record<string, Where>> = { bar: "bar", res: "res", hand: "hand", off: "off" };

// --- the drawing ---------------------------------------------------------------------------------------------------------

/** The first checker of a pile, and from it to the next. */
export interface Spot {
  x: number;
  y: number;
  dx: number;
  dy: number;
}
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The room of a drawing, in px of the screen, and what is to stand there besides the 24 points. */
export interface Room {
  w: number;
  h: number;
  reserve: boolean;
  hand: boolean;
}

/** All measures are px of the screen: a board takes the room there is, letters and pills keep their size. */
export interface Plan {
  wide: boolean;
  w: number;
  h: number;
  /** The rows over and under the board for the hands (grasshopper). */
  more: number;
  r: number;
  /** How many checkers of a pile are drawn; the last wears the number. */
  most: number;
  /** The height of the numerals. */
  text: number;
  die: number;
  /** From one die to the next: of two, of four. */
  gap: [number, number];
  cubed: number;
  /** A checker that is borne off, on its edge: width, height, and from one to the next. */
  lying: { w: number; h: number; step: number };
  fields: Box[];
  bar: Box;
  hinge: string;
  /** The way round (fevga). */
  way: string;
  slot(n: number): Spot;
  wedge(n: number): string;
  label(n: number): { x: number; y: number };
  /** What a finger may hit for a slot. */
  reach(n: number): Box;
  onBar(mine: boolean): Spot;
  reserve(mine: boolean): Spot;
  hand(mine: boolean): Spot & { r: number };
  tray(mine: boolean): Box;
  dice(mine: boolean): { x: number; y: number };
  cube(owner: "mine" | "theirs" | null): { x: number; y: number; turned: boolean };
}

const within = (least: number, n: number, most: number): number => Math.max(least, Math.min(n, most));
const HANDFUL = 14;

/** A desktop's board: 12 points above, 12 below, home at the lower right. reserve: room at the left for those who wait. */
export function widePlan(room: Room): Plan {
  const more = room.hand ? within(24, room.h * 0.08, 60) : 0;
  // The board is as wide or as high as its room, whichever is shorter; its points grow with what is left of the other.
  const h = Math.min(room.h - 2 * more, room.w * 1.25);
  const w = Math.min(room.w, h * 1.6);
  const c = w / (14.6 + (room.reserve ? 1.2 : 0)); // the breadth of a point
  const text = within(12, c * 0.27, 20);
  const band = text + 9;
  const left = room.reserve ? 1.2 * c : 0;
  const home = left + 7.1 * c;
  const die = within(24, c * 0.84, 64);
  const inner = h - 2 * band;
  const r = Math.min(0.45 * c, (inner - 1.2 * die) / 20.4);
  const column = (n: number): number => {
    const k = n <= 12 ? n : 25 - n; // the column, counted from the right
    return k <= 6 ? home + c * (6.5 - k) : left + c * (12.7 - k);
  };
  const above = (n: number) => n > 12;
  const tip = inner * 0.42;
  const cubed = 0.75 * c;
  const bar = { x: left + 6.2 * c, y: 0, w: 0.9 * c, h };
  const middle = bar.x + bar.w / 2;
  const onBar = band + cubed + r + 6;
  const tray = { x: home + 6.2 * c, w: 1.1 * c, h: inner / 2 - 0.2 * c };
  const row = Math.min(0.3 * c, (tray.h - 2.4 * text) / 15);
  return {
    wide: true,
    w,
    h,
    more,
    r,
    most: 5,
    text,
    die,
    gap: [1.15 * c, 1.15 * c],
    cubed,
    lying: { w: 0.9 * c, h: row - 2, step: row },
    fields: [
      { x: left + 0.2 * c, y: band, w: 6 * c, h: inner },
      { x: home, y: band, w: 6 * c, h: inner },
    ],
    bar,
    hinge: `M${middle} 8V${h - 8}`,
    way:
      `M${0.82 * w} ${0.09 * h}C${0.64 * w} ${0.2 * h} ${0.3 * w} ${0.2 * h} ${0.08 * w} ${0.09 * h}` +
      `M${0.08 * w} ${0.91 * h}C${0.3 * w} ${0.8 * h} ${0.64 * w} ${0.8 * h} ${0.82 * w} ${0.91 * h}`,
    slot: (n) => ({ x: column(n), y: above(n) ? band + r + 2 : h - band - r - 2, dx: 0, dy: above(n) ? 2.03 * r : -2.03 * r }),
    wedge: (n) =>
      above(n)
        ? `M${column(n) - 0.45 * c} ${band}h${0.9 * c}l${-0.45 * c} ${tip}z`
        : `M${column(n) - 0.45 * c} ${h - band}h${0.9 * c}l${-0.45 * c} ${-tip}z`,
    label: (n) => ({ x: column(n), y: above(n) ? band / 2 : h - band / 2 }),
    reach: (n) => ({ x: column(n) - c / 2, y: above(n) ? 0 : h / 2, w: c, h: h / 2 }),
    onBar: (mine) => {
      const step = Math.min(1.64 * r, (h / 2 - onBar - cubed / 2 - r) / 4);
      return { x: middle, y: mine ? h - onBar : onBar, dx: 0, dy: mine ? -step : step };
    },
    reserve: (mine) => ({ x: 0.65 * c, y: mine ? h - band - r : band + r, dx: 0, dy: mine ? -1.43 * r : 1.43 * r }),
    hand: (mine) => {
      const small = Math.min(r, more / 2 - 3);
      return {
        x: small + 8,
        y: mine ? h + more / 2 : -more / 2,
        dx: Math.min(2.2 * small, (w - 2 * small - 16) / HANDFUL),
        dy: 0,
        r: small,
      };
    },
    tray: (mine) => ({ ...tray, y: mine ? h - band - tray.h : band }),
    dice: (mine) => ({ x: (mine ? home : left + 0.2 * c) + 3 * c, y: h / 2 }),
    cube: (owner) => ({
      x: middle,
      y: owner === null ? h / 2 : owner === "mine" ? h - band - cubed / 2 : band + cubed / 2,
      turned: owner === "theirs",
    }),
  };
}

/** A phone's board held upright: my side at the right, running down to my home; the bar lies across. */
export function tallPlan(room: Room): Plan {
  const more = room.hand ? within(20, room.h * 0.06, 48) : 0;
  const h = Math.min(room.h - 2 * more, room.w * 1.75);
  const w = Math.min(room.w, h * 0.95);
  const row = h / 13.15; // the height of a point
  const s = w / 390;
  const across = 1.15 * row;
  const order = (n: number) => (n <= 12 ? 12 - n : n - 13);
  const y = (n: number) => (order(n) + 0.5) * row + (order(n) > 5 ? across : 0);
  const right = (n: number) => n <= 12;
  const text = within(12, row * 0.3, 18);
  const edge = text * 1.4 + 4;
  const r = Math.min(0.42 * row, (w / 2 - edge) / 9.8);
  const dx = Math.min(2.03 * r, (w / 2 - edge - 2 * r - 4) / 4);
  const middle = h / 2;
  const die = Math.min(40 * s, across - 8);
  const tip = 0.41 * w;
  return {
    wide: false,
    w,
    h,
    more,
    r,
    most: 5,
    text,
    die,
    gap: [die + 8 * s, die * 0.78],
    cubed: Math.min(40 * s, across - 6),
    lying: { w: 52 * s, h: within(18, row * 0.46, 28), step: 0 },
    fields: [
      { x: edge, y: 0, w: w - 2 * edge, h: 6 * row },
      { x: edge, y: 6 * row + across, w: w - 2 * edge, h: 6 * row },
    ],
    bar: { x: 0, y: 6 * row, w, h: across },
    hinge: `M8 ${middle}H${w - 8}`,
    way:
      `M${0.115 * w} ${0.96 * h}C${0.19 * w} ${0.74 * h} ${0.19 * w} ${0.23 * h} ${0.115 * w} ${0.04 * h}` +
      `M${0.885 * w} ${0.04 * h}C${0.81 * w} ${0.23 * h} ${0.81 * w} ${0.74 * h} ${0.885 * w} ${0.96 * h}`,
    slot: (n) => ({ x: right(n) ? w - edge - r - 1 : edge + r + 1, y: y(n), dx: right(n) ? -dx : dx, dy: 0 }),
    wedge: (n) =>
      right(n)
        ? `M${w - edge} ${y(n) - 0.46 * row}v${0.92 * row}l${-tip} ${-0.46 * row}z`
        : `M${edge} ${y(n) - 0.46 * row}v${0.92 * row}l${tip} ${-0.46 * row}z`,
    label: (n) => ({ x: right(n) ? w - edge / 2 : edge / 2, y: y(n) }),
    reach: (n) => ({ x: right(n) ? w / 2 : 0, y: y(n) - row / 2, w: w / 2, h: row }),
    onBar: (mine) => ({ x: (mine ? 128 : 92) * s, y: middle, dx: 0, dy: 0 }),
    reserve: (mine) => ({ x: (mine ? 62 : 26) * s, y: middle, dx: 0, dy: 0 }),
    hand: (mine) => {
      const small = Math.min(0.7 * r, more / 2 - 2);
      return {
        x: small + 8,
        y: mine ? h + more / 2 : -more / 2,
        dx: Math.min(2.2 * small, (w - 2 * small - 16) / HANDFUL),
        dy: 0,
        r: small,
      };
    },
    tray: (mine) => ({ x: 330 * s, y: mine ? middle : middle - across / 2, w: 58 * s, h: across / 2 }),
    dice: () => ({ x: 272 * s, y: middle }),
    cube: (owner) => ({ x: 187 * s, y: middle + (owner === null ? 0 : owner === "mine" ? 3 : -3), turned: owner === "theirs" }),
  };
}

/** A checker that is drawn. n: how many lie there; i: which of them this is. */
export interface Checker {
  id: number;
  seat: number;
  where: Where;
  i: number;
  n: number;
  under: boolean;
  gone?: boolean;
}

/** All checkers of a board, without names yet. A pinned one lies under the others of its point. */
export function laid(sides: readonly [Side, Side], board: Kind, viewpoint: number): Omit<Checker, "id">[] {
  const found: Omit<Checker, "id">[] = [];
  for (const seat of [0, 1]) {
    const side = sides[seat]!;
    const mine = seat === viewpoint;
    side.points.forEach((n, at) => {
      const point = at + 1;
      for (let i = 0; i < n; i++) found.push({ seat, where: `p${slotOf(board, mine, point)}`, i, n, under: side.pinned.includes(point) });
    });
    for (const [where, n] of [
      ["bar", side.bar],
      ["res", side.res],
      ["hand", side.hand],
      ["off", side.off],
    ] as const)
      for (let i = 0; i < n; i++) found.push({ seat, where, i, n, under: false });
  }
  return found;
}

/** Name the checkers so that who has moved keeps his name: those who stayed first, then the rest in order. */
export function followed(before: readonly Checker[], now: Omit<Checker, "id">[], fresh: () => number): Checker[] {
  const waiting = before.filter((one) => !one.gone);
  const named: (Checker | Omit<Checker, "id">)[] = now.map((one) => {
    const at = waiting.findIndex((old) => old.seat === one.seat && old.where === one.where && old.i === one.i);
    return at < 0 ? one : { ...one, id: waiting.splice(at, 1)[0]!.id };
  });
  return named.map((one) => {
    if ("id" in one) return one;
    const at = waiting.findIndex((old) => old.seat === one.seat);
    return { ...one, id: at < 0 ? fresh() : waiting.splice(at, 1)[0]!.id };
  });
}
