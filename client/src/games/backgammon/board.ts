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

/** The slot of a seat's own point for the eye below: its own number, or where the other's point lies (3). */
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

// --- the drawing ---------------------------------------------------------------------------------------------------------

/** The first checker of a pile, and from it to the next. */
export interface Spot { x: number; y: number; dx: number; dy: number }
export interface Box { x: number; y: number; w: number; h: number }

export interface Plan {
  wide: boolean;
  w: number;
  h: number;
  r: number;
  /** How many checkers of a pile are drawn; the last wears the number. */
  most: number;
  fields: Box[];
  bar: Box;
  slot(n: number): Spot;
  wedge(n: number): string;
  label(n: number): { x: number; y: number };
  /** What a finger may hit for a slot. */
  reach(n: number): Box;
  onBar(mine: boolean): Spot;
  reserve(mine: boolean): Spot;
  tray(mine: boolean): Box;
  dice(mine: boolean): { x: number; y: number };
  cube(owner: "mine" | "theirs" | null): { x: number; y: number; turned: boolean };
}

/** A desktop's board: 12 points above, 12 below, home at the lower right. reserve: room at the left for those who wait. */
export function widePlan(reserve: boolean): Plan {
  const left = reserve ? 84 : 0;
  const column = (n: number): number => {
    const k = n <= 12 ? n : 25 - n; // the column, counted from the right
    return left + (k <= 6 ? 822 - 64 * (k - 1) : 374 - 64 * (k - 7));
  };
  const above = (n: number) => n > 12;
  return {
    wide: true,
    w: 974 + left,
    h: 700,
    r: 28,
    most: 5,
    fields: [{ x: left + 22, y: 22, w: 384, h: 656 }, { x: left + 470, y: 22, w: 384, h: 656 }],
    bar: { x: left + 406, y: 0, w: 64, h: 700 },
    slot: (n) => ({ x: column(n), y: above(n) ? 52 : 648, dx: 0, dy: above(n) ? 57 : -57 }),
    wedge: (n) => (above(n) ? `M${column(n) - 29} 22h58l-29 262z` : `M${column(n) - 29} 678h58l-29 -262z`),
    label: (n) => ({ x: column(n), y: above(n) ? 11 : 689 }),
    reach: (n) => ({ x: column(n) - 32, y: above(n) ? 0 : 360, w: 64, h: 340 }),
    onBar: (mine) => ({ x: left + 438, y: mine ? 560 : 140, dx: 0, dy: mine ? -46 : 46 }),
    reserve: (mine) => ({ x: 46, y: mine ? 640 : 60, dx: 0, dy: mine ? -40 : 40 }),
    tray: (mine) => ({ x: left + 874, y: mine ? 364 : 22, w: 78, h: 314 }),
    dice: (mine) => ({ x: mine ? left + 662 : left + 214, y: 350 }),
    cube: (owner) => ({ x: left + 438, y: owner === null ? 350 : owner === "mine" ? 650 : 50, turned: owner === "theirs" }),
  };
}

/** A phone's board held upright: my side at the right, running down to my home; the bar lies across. */
export function tallPlan(): Plan {
  const row = (n: number) => (n <= 12 ? 12 - n : n - 13);
  const y = (n: number) => row(n) * 43 + 21.5 + (row(n) > 5 ? 52 : 0);
  const right = (n: number) => n <= 12;
  return {
    wide: false,
    w: 390,
    h: 568,
    r: 18,
    most: 5,
    fields: [{ x: 20, y: 0, w: 350, h: 258 }, { x: 20, y: 310, w: 350, h: 258 }],
    bar: { x: 0, y: 258, w: 390, h: 52 },
    slot: (n) => ({ x: right(n) ? 351 : 39, y: y(n), dx: right(n) ? -33.6 : 33.6, dy: 0 }),
    wedge: (n) => (right(n) ? `M370 ${y(n) - 20}v40l-160 -20z` : `M20 ${y(n) - 20}v40l160 -20z`),
    label: (n) => ({ x: right(n) ? 380 : 10, y: y(n) }),
    reach: (n) => ({ x: right(n) ? 195 : 0, y: y(n) - 21.5, w: 195, h: 43 }),
    onBar: (mine) => ({ x: mine ? 128 : 92, y: 284, dx: 0, dy: 0 }),
    reserve: (mine) => ({ x: mine ? 62 : 26, y: 284, dx: 0, dy: 0 }),
    tray: (mine) => ({ x: 330, y: mine ? 284 : 260, w: 58, h: 24 }),
    dice: () => ({ x: 268, y: 284 }),
    cube: (owner) => ({ x: 190, y: owner === null ? 284 : owner === "mine" ? 288 : 280, turned: owner === "theirs" }),
  };
}

/** A checker that is drawn. n: how many lie there; i: which of them this is. */
export interface Checker { id: number; seat: number; where: Where; i: number; n: number; under: boolean; gone?: boolean }

/** All checkers of a board, without names yet. A pinned one lies under the others of its point. */
export function laid(sides: readonly [Side, Side], board: Kind, eye: number): Omit<Checker, "id">[] {
  const found: Omit<Checker, "id">[] = [];
  for (const seat of [0, 1]) {
    const side = sides[seat]!;
    const mine = seat === eye;
    side.points.forEach((n, at) => {
      const point = at + 1;
      for (let i = 0; i < n; i++) found.push({ seat, where: `p${slotOf(board, mine, point)}`, i, n, under: side.pinned.includes(point) });
    });
    for (const [where, n] of [["bar", side.bar], ["res", side.res], ["hand", side.hand], ["off", side.off]] as const)
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
