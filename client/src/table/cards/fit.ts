// Sets on a cloth so that none covers another, a name plate, or what stands in the middle: numbers in, numbers out.
// Each is tried large first, then with equal cards upon each other, then smaller; the one to beat gives way last. What
// cannot be read is laid otherwise before it may lie so.
import { extent, legible, piled } from "../../kit/Run.svelte";
import { type Box, type Look, type Point, type Shape, spot, textOf } from "../geometry";

/** A set to be laid: whose, what, how large it may be, and how long its caption is in px, 0 without one. */
export interface Piece {
  place: number;
  cards: string;
  look: Look;
  caption: number;
}
/** Where it lies. w, h: with its caption. heap: equal cards lie upon each other, their number hangs at the foot. */
export interface Fitted extends Box {
  cw: number;
  most: number;
  captioned: boolean;
  heap: boolean;
  hang: "left" | "right" | "centre";
}

export interface Cloth {
  W: number;
  H: number;
  shape: Shape;
  scale: number; // how much larger than usual cards may be
  plates: readonly Box[]; // by place
  foot: number; // how much of its lower edge the bar takes
  stands: readonly Box[]; // what else lies on the cloth and does not move
  words: readonly Box[]; // where something may be said; kept free where there is room for that
}

const GAP = 5;
const CAPTION: Record<Shape, number> = { wide: 30, low: 0, tall: 26 };
/** What the number at the foot of equal cards takes of that. */
const NUMBER: Record<Shape, number> = { wide: 0, low: 0, tall: 6 };
/** How high a caption is under its set, with the number that hangs at the foot of equal cards. */
export const captionOf = (shape: Shape, scale: number, heap: boolean): number =>
  (CAPTION[shape] - (heap ? 0 : NUMBER[shape])) * (shape === "wide" ? textOf(scale) : 1);
const LEAST: Record<Shape, number> = { wide: 35, low: 24, tall: 25 };

/** A way to lay a set, and what it costs: where another way costs less, that one is taken. */
interface Way {
  narrow: number; // which share of the card's width
  short: number; // which share of the set's widest extent
  step: number; // rows of 12 px from its place
  inward: number; // which of GATHERED
  cost: number;
}
/** How many rows a set may lie from its place: usually, and where nothing else leaves all in sight. */
const NEAR: Record<Shape, number> = { wide: 8, low: 4, tall: 7 };
const FAR: Record<Shape, number> = { wide: 12, low: 7, tall: 8 };
const SHAPES: readonly Shape[] = ["wide", "low", "tall"];
/** What a set pays for going beyond the place of its seat. */
const beyond = (short: number): number => 0.25 * Math.max(0, short - 1);
/** How far a set is gathered to the middle. */
const GATHERED = [1, 0.66, 0.33, 0];
const SHORT = [1, 0.9, 0.8, 0.72, 0.64, 0.56, 0.48, 0.4, 0.3, 1.4, 1.8];
const ways = (narrow: readonly number[], price: (narrow: number, short: number) => number): Record<Shape, Way[]> => {
  const all = (shape: Shape): Way[] => {
    const steps = Array.from({ length: 2 * FAR[shape] + 1 }, (_, i) => (i % 2 ? (i + 1) / 2 : -i / 2));
    const gathered = shape === "tall" ? [GATHERED.length - 1] : [...GATHERED.keys()];
    const found = narrow.flatMap((n, i) =>
      SHORT.flatMap((s, j) =>
        steps.flatMap((step) =>
          gathered.map((g): Way => {
            const cost = price(n, s) + beyond(s) + 0.045 * Math.abs(step) + 0.12 * (1 - GATHERED[g]!);
            return { narrow: i, short: j, step, inward: g, cost };
          }),
        ),
      ),
    );
    return found.sort((a, b) => a.cost - b.cost);
  };
  return Object.fromEntries(SHAPES.map((shape) => [shape, all(shape)])) as Record<Shape, Way[]>;
};
// Cards come closer together before they shrink. The one to beat shrinks before its equals are laid upon each other; older
// ones are piled first on a phone, where they are small already. A set of many ranks, which could not be read in its
// place, goes beyond it.
const NARROW = { top: [1, 0.9, 0.8, 0.7, 0.6, 0.5], rest: [1, 0.9, 0.8, 0.7, 0.6] };
const TOP = ways(NARROW.top, (n, s) => 1 - n + 0.4 * Math.max(0, 1 - s));
const REST = ways(NARROW.rest, (n, s) => 1.5 * (1 - n) + 0.3 * Math.max(0, 1 - s));
/** What it costs to lay equals upon each other. */
const PILED = { top: { wide: 1, low: 1, tall: 1 }, rest: { wide: 0.5, low: 0.2, tall: 0.15 } };
/** How wrong it is that a set cannot be read: less than that something else is covered, px². */
const BLIND = 20;

/** How a set of some width is drawn: whether it can be read, whether equals lie upon each other, how large it is. */
interface Drawn {
  clear: boolean;
  heap: boolean;
  w: number;
  h: number;
}
/** Where a set stands from side to side, and in its first row. */
interface Column extends Box {
  cw: number;
  most: number;
  heap: boolean;
  out: number; // how wrong it is wherever it lies, px²
  beside: readonly { across: number; top: number; end: number }[]; // what it crosses where that stands as high
}
/** What has been found of a set's sizes. */
type Known = Map<string, Drawn>;
function drawn(cards: string, cw: number, most: number, known: Known): Drawn {
  const key = `${cw} ${most}`;
  let found = known.get(key);
  if (!found) known.set(key, (found = { clear: legible(cards, cw, most), heap: piled(cards, cw, most), ...extent(cards, cw, most) }));
  return found;
}

interface Settled {
  sets: Fitted[];
  mid: Point;
}
/** What was laid last, by all that it came from: a pass, a tick or a word said leaves every set where it is. */
const lately = new Map<string, Settled>();
const LATELY = 8;

/** Lay the pieces of a trick, in the order in which they were put down. middle: how large what stands between them is. */
export function settle(pieces: readonly Piece[], cloth: Cloth, wanted: Point, middle: { w: number; h: number } | null): Settled {
  const key = JSON.stringify([pieces, cloth, wanted, middle]);
  const found = lately.get(key) ?? search(pieces, cloth, wanted, middle);
  lately.delete(key);
  lately.set(key, found);
  if (lately.size > LATELY) lately.delete(lately.keys().next().value!);
  return found;
}

function search(pieces: readonly Piece[], cloth: Cloth, wanted: Point, middle: { w: number; h: number } | null): Settled {
  let best: (Settled & { wrong: number }) | null = null;
  const known = pieces.map((): Known => new Map());
  const kept = cloth.words.length ? [[...cloth.stands, ...cloth.words], cloth.stands] : [cloth.stands];
  for (const stands of kept) {
    for (const far of [NEAR, FAR]) {
      for (const first of cloth.shape === "low" ? [false, true] : [false]) {
        for (const share of [1, 0.86, 0.74, 0.62, 0.5, 0.44]) {
          const enough: number = best ? best.wrong - 1 : Infinity;
          best = once(pieces, { ...cloth, stands }, wanted, middle, share, far[cloth.shape], first, known, enough) ?? best;
          if (best?.wrong === 0) return best;
        }
      }
    }
  }
  return best!;
}

/** Lay all of them one way; null where as much as `enough` is wrong. */
function once(
  pieces: readonly Piece[],
  cloth: Cloth,
  wanted: Point,
  middle: { w: number; h: number } | null,
  share: number,
  far: number,
  across: boolean,
  known: readonly Known[],
  enough: number,
): (Settled & { wrong: number }) | null {
  const { plates, stands } = cloth;
  const still = [...plates, ...stands];
  const sets: Fitted[] = [];
  // The one to beat first, then the newest: what counts most finds its place before the rest.
  // across: before them those that have no plate beside them to keep clear of, mine and my opposite's.
  const rank = (i: number): number => Number(pieces[i]!.look === "top") + (across && (2 * pieces[i]!.place) % plates.length === 0 ? 2 : 0);
  const order = pieces.map((_, i) => i).sort((a, b) => rank(b) - rank(a) || b - a);
  const laid: Box[] = [];
  let wrong = 0;
  let first: { at: Point; wrong: number } | null = null;
  let widest = Infinity; // no older card is larger than those to beat, wherever there is room for that
  for (const i of order) {
    const found = place(pieces[i]!, cloth, [...still, ...laid], share, far, widest, known[i]!);
    if (pieces[i]!.look === "top" && cloth.shape !== "tall") widest = found.box.cw;
    sets[i] = found.box;
    laid.push(found.box);
    wrong += found.wrong;
    if (wrong >= enough) return null;
    // Where there is room the middle comes next: the others are gathered about it.
    if (middle && !first && cloth.shape === "wide") {
      first = between(wanted, middle, cloth, [...still, ...laid]);
      laid.push({ x: first.at.x - middle.w / 2, y: first.at.y - middle.h / 2, ...middle });
    }
  }
  const mid = first ?? (middle ? between(wanted, middle, cloth, [...still, ...laid]) : { at: wanted, wrong: 0 });
  wrong += mid.wrong;
  return wrong < enough ? { sets, mid: mid.at, wrong } : null;
}

/** The first way to lay one that crosses nothing; else the one that crosses least. */
function place(
  piece: Piece,
  cloth: Cloth,
  taken: readonly Box[],
  share: number,
  far: number,
  widest: number,
  known: Known,
): { box: Fitted; wrong: number } {
  const { W, H, shape, plates, scale, foot: bar } = cloth;
  const at = spot(piece.place, plates, W, H, shape, piece.look, scale, bar);
  const foot = H - bar;
  const old = piece.look === "old";
  const wide = (narrow: number): number =>
    Math.max(Math.min(LEAST[shape], at.cw), Math.min(widest, Math.round(at.cw * narrow * (old ? Math.max(share, 0.74) : share))));
  // Cards no narrower than those of a way that costs less are not tried again.
  const widths = (old ? NARROW.rest : NARROW.top).map(wide);
  const heaps = PILED[old ? "rest" : "top"][shape];
  const turned = at.inner !== null && at.inner < W / 2; // to the left of the middle
  /** How a set is drawn and where it stands from side to side, whatever its row; null: not to be tried. */
  const column = (narrow: number, short: number, inward: number, captioned: boolean): Column | null => {
    const cw = widths[narrow]!;
    if (widths.indexOf(cw) !== narrow) return null;
    const most = Math.max(cw, at.most * SHORT[short]!);
    const { clear, heap, ...size } = drawn(piece.cards, cw, most, known);
    if (!clear && SHORT[short] !== 1) return null;
    if (SHORT[short]! > 1 && drawn(piece.cards, cw, Math.max(cw, at.most), known).clear) return null;
    const w = captioned ? Math.max(size.w, piece.caption) : size.w;
    const h = size.h + (captioned ? captionOf(shape, scale, heap) : 0);
    const edge = at.hang === "left" ? at.x : at.hang === "right" ? at.x - w : at.x - w / 2;
    // Gathered, its inner edge lies there; what is too wide for that stays where it is.
    const inner = at.inner === null ? edge : turned ? Math.max(edge, at.inner - w) : Math.min(edge, at.inner);
    const x = edge + (inner - edge) * GATHERED[inward]!;
    const down = at.y + (at.near - at.y) * GATHERED[inward]!;
    const y = piece.place === 0 ? down - h : Math.min(down, foot - h);
    const out = Math.max(0, -x) * h + Math.max(0, x + w - W) * h + (clear ? 0 : BLIND);
    const beside = taken.flatMap((one) => {
      const across = Math.min(x + w, one.x + one.w) - Math.max(x, one.x) + GAP;
      return across > 0 ? [{ across, top: one.y, end: one.y + one.h }] : [];
    });
    return { x, y, w, h, cw, most, heap, out, beside };
  };
  let best: { box: Fitted; wrong: number; cost: number } | null = null;
  for (const captioned of piece.caption ? [true, false] : [false]) {
    if (!captioned && piece.caption && piece.look === "top") break; // what is to be beaten keeps its words
    const columns: (Column | null | undefined)[] = [];
    for (const { narrow, short, step, inward, cost: least } of (old ? REST : TOP)[shape]) {
      if (best && !best.wrong && least >= best.cost) break;
      if (step > far || step < -far) continue;
      const number = (narrow * SHORT.length + short) * GATHERED.length + inward;
      let its = columns[number];
      if (its === undefined) its = columns[number] = column(narrow, short, inward, captioned);
      if (!its) continue;
      const { h, heap, out, beside } = its;
      const y = its.y + step * 12;
      if (y < 0 || y + h > foot + 1) continue;
      const enough = best ? best.wrong - out : Infinity;
      let covered = 0;
      for (const one of beside) {
        const down = Math.min(y + h, one.end) - Math.max(y, one.top) + GAP;
        if (down > 0 && (covered += one.across * down) > enough) break;
      }
      const [wrong, cost] = [out + covered, least + (heap ? heaps : 0)];
      if (!best || wrong < best.wrong || (wrong === best.wrong && cost < best.cost)) {
        const { x, w, cw, most } = its;
        best = { box: { x, y, w, h, cw, most, captioned, heap, hang: at.hang }, wrong, cost };
      }
    }
    if (best && !best.wrong) break;
  }
  return (
    best ?? {
      box: {
        x: at.x,
        y: Math.max(0, foot - at.cw * 1.4),
        w: at.cw,
        h: at.cw * 1.4,
        cw: at.cw,
        most: at.cw,
        captioned: false,
        heap: false,
        hang: at.hang,
      },
      wrong: 1,
    }
  );
}

/** How much of others what stands in the middle covers, px². */
function crossing(box: Box, all: readonly Box[]): number {
  let sum = 0;
  for (const one of all) {
    const w = Math.min(box.x + box.w, one.x + one.w) - Math.max(box.x, one.x) + 3;
    const h = Math.min(box.y + box.h, one.y + one.h) - Math.max(box.y, one.y) + 3;
    if (w > 0 && h > 0) sum += w * h;
  }
  return sum;
}

/** Where what stands in the middle is clear of everything, nearest to where it is wanted. */
function between(
  wanted: Point,
  size: { w: number; h: number },
  { W, H, foot }: Cloth,
  taken: readonly Box[],
): { at: Point; wrong: number } {
  const low = H - foot;
  let best = { at: wanted, wrong: Infinity, far: Infinity };
  for (const sideways of [0, -0.06, 0.06, -0.12, 0.12, -0.2, 0.2]) {
    for (let step = 0; step <= 24; step++) {
      for (const sign of step ? [1, -1] : [1]) {
        const x = Math.min(Math.max(wanted.x + sideways * W, size.w / 2 + 2), W - size.w / 2 - 2);
        const y = wanted.y + (sign * step * low) / 48;
        if (y - size.h / 2 < 0 || y + size.h / 2 > low) continue;
        const wrong = crossing({ x: x - size.w / 2, y: y - size.h / 2, ...size }, taken);
        const far = Math.abs(sideways) * W + (step * low) / 48;
        if (wrong < best.wrong || (wrong === best.wrong && far < best.far)) best = { at: { x, y }, wrong, far };
      }
    }
  }
  return { at: best.at, wrong: best.wrong === Infinity ? 0 : best.wrong };
}
