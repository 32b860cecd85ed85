// What lies where on the cloth: the sets that are played, the words beside plates, the middle.

import { FOOT, anchor, plateOf, textOf, type Shape, type Point, type Box } from "./sizes";

/** Is a wide cloth higher than most, so that cards lie under the plates at its sides better than beside them? */
const upright = (W: number, H: number, shape: Shape): boolean => shape === "wide" && W < 900 && H > 0.75 * W;

/** Where a set lies: at the edge of the table before its seat, and how far it may be gathered to the middle. */
export interface Spot {
  x: number; // the point the set hangs on
  y: number; // its upper edge; for place 0 its lower edge
  hang: "left" | "right" | "centre"; // which side of the set the point is
  most: number; // widest it may be
  cw: number; // width of its cards
  /** Where its inner edge lies when it is gathered as far as it may be; null: it stays where it is. */
  inner: number | null;
  /** Which y it then has, as `y`. */
  near: number;
}

/** How large a set is drawn: the one to beat, an older one, or one of several that count the same. */
export type Look = "top" | "old" | "even";

interface Sizes {
  top: number;
  even: number;
  old: number;
  inset: number;
  most: number;
}
const SIZES: Record<Shape, Sizes> = {
  wide: { top: 84, even: 72, old: 48, inset: 200, most: 300 },
  low: { top: 56, even: 48, old: 34, inset: 122, most: 190 },
  tall: { top: 48, even: 40, old: 30, inset: 0, most: 200 },
};
/** How wide the cards of a set are when it has room. Where there is much of it, older sets come closer to the one to beat. */
export function cardOf(shape: Shape, look: Look, scale: number, W: number): number {
  if (look === "top" && shape === "wide" && W < 860) return 66;
  return Math.round(SIZES[shape][look] * scale + (look === "old" ? 24 * (scale - 1) : 0));
}

/** From which edge the plate of a place hangs; null for the own one. */
const hangs = (place: number, n: number, shape: Shape) => (place === 0 ? null : anchor(n, place, false, shape !== "wide").from);
/** Does this place sit alone over the middle? */
const crowns = (place: number, n: number, shape: Shape): boolean =>
  hangs(place, n, shape) === "middle" &&
  Array.from({ length: n }, (_, one) => hangs(one, n, shape)).filter((from) => from === "middle").length === 1;
/** The plates at the left edge, from above. */
const leftPlates = (plates: readonly Box[], shape: Shape): Box[] =>
  plates.filter((_, place) => hangs(place, plates.length, shape) === "left").sort((a, b) => a.y - b.y);

/** Where a plate stands when the frame does not tell. */
export function guess(place: number, n: number, W: number, H: number, shape: Shape, scale = 1): Box {
  const grown = shape === "wide" ? plateOf(scale) : 1;
  const w = 150 * grown;
  const h = (shape === "wide" ? 56 : 46) * grown;
  if (place === 0) return { x: 0, y: H - h - 8, w, h };
  const at = anchor(n, place, false, shape !== "wide");
  const x = at.from === "right" ? W - w : at.from === "left" ? 0 : (W * at.x) / 100 - w / 2;
  return { x, y: at.from === "middle" ? 0 : (H * at.y) / 100, w, h };
}

/** Where a seat's set lies if it has room. plates: all of them, by place; scale: how much larger cards may be. */
export function spot(
  place: number,
  plates: readonly Box[],
  W: number,
  H: number,
  shape: Shape,
  look: Look,
  scale = 1,
  foot = FOOT[shape],
): Spot {
  const n = plates.length;
  const { old } = SIZES[shape];
  const plate = plates[place]!;
  const cw = cardOf(shape, look, scale, W);
  const still = { inner: null, near: 0 };
  // Between the middle and what is gathered about it: room for a badge and a line, or for a card where all count the same.
  const gap = shape === "wide" ? Math.max(look === "even" ? cw * 0.75 : 0.1 * W, 84 * scale) : 0.1 * W;
  const between = (H - foot) / 2;
  // My own set lies over the bar with what I may do.
  if (place === 0) {
    const y = H - foot;
    const near = shape === "wide" ? y - Math.max(0, (y - between - 1.4 * cw) * 0.3) : y;
    return { x: W / 2, y, hang: "centre", most: W * 0.5, cw, inner: null, near };
  }
  const from = hangs(place, n, shape);
  if (from === "middle") {
    // Where two stand beside each other over a wide cloth, what they say hangs between plate and cards.
    const y = plate.y + plate.h + (shape !== "wide" ? 8 : crowns(place, n, shape) ? 20 : 38);
    const near = shape === "wide" ? y + Math.max(0, (between - 1.4 * cw - y) * 0.3) : y;
    if (!crowns(place, n, shape)) {
      const left = plate.x + plate.w / 2 < W / 2;
      return {
        x: plate.x + plate.w / 2,
        y,
        hang: "centre",
        most: W * 0.42 - 12,
        cw,
        inner: left ? W / 2 - gap / 2 : W / 2 + gap / 2,
        near,
      };
    }
    if (shape !== "tall") return { x: W / 2, y, hang: "centre", most: W * 0.42, cw, inner: null, near };
    // Upright it has to pass between the two upper side plates: above them, or where there is no room, below.
    const sides = leftPlates(plates, shape)[0];
    const fits = sides ? (sides.y - y - 4) / 1.4 : Infinity;
    return fits >= old || !sides
      ? { x: W / 2, y, hang: "centre", most: W * 0.52, cw: Math.min(cw, Math.floor(fits)), inner: null, near: y }
      : {
          x: W / 2,
          y: sides.y + sides.h + 6,
          hang: "centre",
          most: W * 0.52,
          cw: Math.min(cw, W < 330 ? 38 : cw),
          inner: null,
          near: sides.y + sides.h + 6,
        };
  }
  if (shape === "tall") {
    // No room beside the plates: under them.
    const y = plate.y + plate.h + 8;
    return { x: from === "right" ? W : 0, y, hang: from === "right" ? "right" : "left", most: W / 2 - 20, cw, ...still, near: y };
  }
  if (upright(W, H, shape)) {
    // On a tablet the same, with room for what is said under its plate.
    const words = wordsOf(place, plates, H, shape, scale)!;
    const y = Math.max(plate.y + plate.h, words.y + words.h) + 8;
    const inner = from === "right" ? W / 2 + 12 : W / 2 - 12;
    return { x: from === "right" ? W : 0, y, hang: from === "right" ? "right" : "left", most: W / 2 - 24, cw, inner, near: y };
  }
  const y = plate.y - (look !== "old" && shape === "wide" ? 22 : 0);
  // A plate with many badges may be wider than the inset.
  const edge = Math.max(Math.min(SIZES[shape].inset, 0.18 * W), from === "right" ? W - plate.x + 12 : plate.x + plate.w + 12);
  const room = Math.min(Math.max(SIZES[shape].most * scale, 0.25 * W), W / 2 - edge - (look === "old" ? 40 : 60));
  return from === "right"
    ? { x: W - edge, y, hang: "right", most: room, cw, inner: W / 2 + gap, near: y }
    : { x: edge, y, hang: "left", most: room, cw, inner: W / 2 - gap, near: y };
}

/**
 * Where what a seat says hangs, over or under its plate; across the table beside it. It is kept free, so that no card moves
 * when somebody speaks. On a phone what is said stands on the plate itself.
 */
export function wordsOf(place: number, plates: readonly Box[], H: number, shape: Shape, scale: number): Box | null {
  if (shape !== "wide") return null;
  const { x, y, w, h } = plates[place]!;
  const from = hangs(place, plates.length, shape);
  const t = textOf(scale);
  const wide = Math.max(w, 184 * t);
  const high = 30 * t;
  if (from === "middle")
    return crowns(place, plates.length, shape)
      ? { x: x + w + 12, y: y + (h - high) / 2, w: 176 * t, h: high }
      : { x: x + (w - wide) / 2, y: y + h + 6, w: wide, h: high };
  const over = from === null || y > 0.3 * H;
  return { x: from === "right" ? x + w - wide : x, y: over ? y - 6 - high : y + h + 6, w: wide, h: high };
}

/** The middle, where the verdict badge stands. plates: by place; owner, top: whose set it speaks of, and where it lies. */
export function middle(
  W: number,
  H: number,
  shape: Shape,
  plates: readonly Box[],
  owner: number | null,
  top: Box | null,
  foot = FOOT[shape],
): Point {
  const free = H - foot;
  const over = owner !== null && crowns(owner, plates.length, shape);
  if (shape === "tall") {
    // Between the upper and the lower side plates, so that a long name covers neither.
    const [upper, lower] = leftPlates(plates, shape);
    const between = !upper ? free / 2 : (upper.y + upper.h + (lower ? lower.y : free)) / 2;
    return { x: W / 2, y: over && top ? Math.max(between, top.y + top.h + 28) : between };
  }
  if (over && top) {
    const under = top.y + top.h + (shape === "low" ? 22 : 40);
    return { x: W / 2, y: shape === "low" ? under : Math.max(free * 0.66, under) };
  }
  const share = owner === 0 ? (shape === "wide" ? 0.42 : 0.38) : 0.5;
  return { x: W / 2, y: free * share };
}

/** The point of a box's edge on the way from its middle to a target, a little outside. */
export function edge(box: Box, to: Point, gap: number): Point {
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  const dx = to.x - cx;
  const dy = to.y - cy;
  if (!dx && !dy) return { x: cx, y: cy };
  const scale = Math.min(dx ? (box.w / 2 + gap) / Math.abs(dx) : Infinity, dy ? (box.h / 2 + gap) / Math.abs(dy) : Infinity);
  return { x: cx + dx * scale, y: cy + dy * scale };
}

export const centre = (box: Box): Point => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });

/** An arrow from box to box, its head drawn by a marker. */
export function arrow(from: Box, to: Box): { d: string; from: Point; to: Point } {
  const start = edge(from, centre(to), 8);
  const end = edge(to, centre(from), 14);
  const at = (p: Point) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  return { d: `M${at(start)}L${at(end)}`, from: start, to: end };
}
