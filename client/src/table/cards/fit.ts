// Sets on a cloth so that none covers another, a name plate, or what stands in the middle: numbers in, numbers out.
// Each is tried large first, then with equal cards upon each other, then smaller; the one to beat gives way last. What
// cannot be read is laid otherwise before it may lie so.
import { extent, legible } from "../../kit/Run.svelte";
import { type Box, type Look, type Point, type Shape, spot } from "./places";

/** A set to be laid: whose, what, how large it may be, and how long its caption is in px, 0 without one. */
export interface Piece {
  place: number;
  cards: string;
  look: Look;
  caption: number;
}
/** Where it lies. w, h: with its caption. */
export interface Fitted extends Box {
  cw: number;
  most: number;
  captioned: boolean;
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
}

const GAP = 5;
const CAPTION: Record<Shape, number> = { wide: 30, low: 0, tall: 26 };
const LEAST: Record<Shape, number> = { wide: 34, low: 24, tall: 24 };

const over = (a: Box, b: Box, gap = GAP): number => {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) + gap;
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) + gap;
  return w > 0 && h > 0 ? w * h : 0;
};
const crossing = (box: Box, all: readonly Box[], gap = GAP): number => all.reduce((sum, one) => sum + over(box, one, gap), 0);

/** [share of the card's width, share of the set's widest extent, rows of 12 px from its place], the best first. */
type Way = readonly [narrow: number, short: number, step: number];
const ways = (
  narrow: readonly number[],
  short: readonly number[],
  far: number,
  price: (narrow: number, short: number) => number,
): Way[] => {
  const steps = Array.from({ length: 2 * far + 1 }, (_, i) => (i % 2 ? (i + 1) / 2 : -i / 2));
  const all = narrow.flatMap((n) => short.flatMap((s) => steps.map((step): Way => [n, s, step])));
  const cost = ([n, s, step]: Way): number => price(n, s) + 0.045 * Math.abs(step);
  return all.sort((a, b) => cost(a) - cost(b));
};
const far = { wide: 7, low: 3, tall: 7 };
const SHAPES: readonly Shape[] = ["wide", "low", "tall"];
/** What a set pays for going beyond the place of its seat. */
const beyond = (short: number): number => 0.25 * Math.max(0, short - 1);
// The one to beat shrinks before its equals are laid upon each other; older ones are piled first. A set of many ranks,
// which could not be read in its place, goes beyond it.
const TOP = Object.fromEntries(
  SHAPES.map((shape) => [
    shape,
    ways([1, 0.9, 0.8, 0.7, 0.6, 0.5], [1, 0.75, 0.5, 1.4, 1.8], far[shape], (n, s) => 1 - n + 2 * Math.max(0, 1 - s) + beyond(s)),
  ]),
) as Record<Shape, Way[]>;
const REST = Object.fromEntries(
  SHAPES.map((shape) => [
    shape,
    ways(
      [1, 0.9, 0.8, 0.7, 0.6],
      [1, 0.7, 0.5, 0.35, 0.25, 1.4, 1.8],
      far[shape],
      (n, s) => 1.5 * (1 - n) + 0.5 * Math.max(0, 1 - s) + beyond(s),
    ),
  ]),
) as Record<Shape, Way[]>;
/** How wrong it is that a set cannot be read: less than that something else is covered, px². */
const BLIND = 20;

/** Lay the pieces of a trick, in the order in which they were put down. middle: how large what stands between them is. */
export function settle(
  pieces: readonly Piece[],
  cloth: Cloth,
  wanted: Point,
  middle: { w: number; h: number } | null,
): { sets: Fitted[]; mid: Point } {
  let best: { sets: Fitted[]; mid: Point; wrong: number } | null = null;
  for (const share of [1, 0.86, 0.74, 0.62, 0.5]) {
    const tried = once(pieces, cloth, wanted, middle, share);
    if (!best || tried.wrong < best.wrong - 1) best = tried;
    if (best.wrong === 0) break;
  }
  return best!;
}

function once(pieces: readonly Piece[], cloth: Cloth, wanted: Point, middle: { w: number; h: number } | null, share: number) {
  const { plates, stands } = cloth;
  const still = [...plates, ...stands];
  const sets: Fitted[] = [];
  // The one to beat first, then the newest: what counts most finds its place before the rest.
  const order = pieces.map((_, i) => i).sort((a, b) => Number(pieces[b]!.look === "top") - Number(pieces[a]!.look === "top") || b - a);
  const laid: Box[] = [];
  let wrong = 0;
  for (const i of order) {
    const found = place(pieces[i]!, cloth, [...still, ...laid], share);
    sets[i] = found.box;
    laid.push(found.box);
    wrong += found.wrong;
  }
  const mid = middle ? between(wanted, middle, cloth, [...still, ...laid]) : { at: wanted, wrong: 0 };
  return { sets, mid: mid.at, wrong: wrong + mid.wrong };
}

/** The first way to lay one that crosses nothing; else the one that crosses least. */
function place(piece: Piece, cloth: Cloth, taken: readonly Box[], share: number): { box: Fitted; wrong: number } {
  const { W, H, shape, plates, scale, foot: bar } = cloth;
  const at = spot(piece.place, plates, W, H, shape, piece.look, scale, bar);
  const foot = H - bar;
  let best: { box: Fitted; wrong: number } | null = null;
  for (const captioned of piece.caption ? [true, false] : [false]) {
    if (!captioned && piece.caption && piece.look === "top") break; // what is to be beaten keeps its words
    for (const [narrow, short, step] of (piece.look === "old" ? REST : TOP)[shape]) {
      const cw = Math.max(
        Math.min(LEAST[shape], at.cw),
        Math.round(at.cw * narrow * (piece.look === "old" ? Math.max(share, 0.74) : share)),
      );
      const most = Math.max(cw, at.most * short);
      const clear = legible(piece.cards, cw, most);
      if (!clear && short !== 1) continue;
      if (short > 1 && legible(piece.cards, cw, Math.max(cw, at.most))) continue;
      const size = extent(piece.cards, cw, most);
      const w = captioned ? Math.max(size.w, piece.caption) : size.w;
      const h = size.h + (captioned ? CAPTION[shape] : 0);
      const x = at.hang === "left" ? at.x : at.hang === "right" ? at.x - w : at.x - w / 2;
      const y = (piece.place === 0 ? foot - h : Math.min(at.y, foot - h)) + step * 12;
      if (y < 0 || y + h > foot + 1) continue;
      const box: Fitted = { x, y, w, h, cw, most, captioned, hang: at.hang };
      const wrong = crossing(box, taken) + Math.max(0, -x) * h + Math.max(0, x + w - W) * h + (clear ? 0 : BLIND);
      if (!wrong) return { box, wrong: 0 };
      if (!best || wrong < best.wrong) best = { box, wrong };
    }
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
        hang: at.hang,
      },
      wrong: 1,
    }
  );
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
        const wrong = crossing({ x: x - size.w / 2, y: y - size.h / 2, ...size }, taken, 3);
        const far = Math.abs(sideways) * W + (step * low) / 48;
        if (wrong < best.wrong || (wrong === best.wrong && far < best.far)) best = { at: { x, y }, wrong, far };
      }
    }
  }
  return { at: best.at, wrong: best.wrong === Infinity ? 0 : best.wrong };
}
