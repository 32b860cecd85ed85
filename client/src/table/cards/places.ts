// Where things lie on an oval cloth: numbers in, numbers out. A place is counted from the viewpoint as it is drawn: 0 is the
// bottom, 1 the next to the right, on round the table (DESIGN 5.1).
import { anchor } from "../size.svelte";

export type Shape = "wide" | "low" | "tall";

/** A name plate, px from the upper left corner of the cloth. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Spot {
  x: number; // the point the set hangs on
  y: number; // its upper edge; for place 0 its lower edge
  hang: "left" | "right" | "centre"; // which side of the set the point is
  most: number; // widest it may be
  cw: number; // width of its cards
}
export interface Point {
  x: number;
  y: number;
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
  low: { top: 52, even: 44, old: 28, inset: 122, most: 190 },
  tall: { top: 48, even: 40, old: 30, inset: 0, most: 200 },
};

/** How much of the cloth's foot the bar takes: reading and buttons, or one row. */
export const FOOT: Record<Shape, number> = { wide: 124, low: 60, tall: 58 };
/** The same where nothing can be done: in a replay there is no bar. */
export const BARE: Record<Shape, number> = { wide: 8, low: 4, tall: 4 };

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
export function guess(place: number, n: number, W: number, H: number, shape: Shape): Box {
  const w = 150;
  const h = 56;
  if (place === 0) return { x: 0, y: H - h - 8, w, h };
  const at = anchor(n, place, false, shape !== "wide");
  const x = at.from === "right" ? W - w : at.from === "left" ? 0 : (W * at.x) / 100 - w / 2;
  return { x, y: (H * at.y) / 100, w, h };
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
  const { inset, old } = SIZES[shape];
  const most = SIZES[shape].most * scale;
  const plate = plates[place]!;
  const cw = Math.round(look === "top" && shape === "wide" && W < 860 ? 66 : SIZES[shape][look] * scale);
  // My own set lies over the bar with what I may do.
  if (place === 0) return { x: W / 2, y: H - foot, hang: "centre", most: W * 0.5, cw };
  const from = hangs(place, n, shape);
  if (from === "middle") {
    // Where two stand beside each other over a wide cloth, what they say hangs between plate and cards.
    const y = plate.y + plate.h + (shape !== "wide" ? 8 : crowns(place, n, shape) ? 20 : 38);
    if (!crowns(place, n, shape)) return { x: plate.x + plate.w / 2, y, hang: "centre", most: W * 0.42 - 12, cw };
    if (shape !== "tall") return { x: W / 2, y, hang: "centre", most: W * 0.42, cw };
    // Upright it has to pass between the two upper side plates: above them, or where there is no room, below.
    const sides = leftPlates(plates, shape)[0];
    const fits = sides ? (sides.y - y - 4) / 1.4 : Infinity;
    return fits >= old || !sides
      ? { x: W / 2, y, hang: "centre", most: W * 0.52, cw: Math.min(cw, Math.floor(fits)) }
      : { x: W / 2, y: sides.y + sides.h + 6, hang: "centre", most: W * 0.52, cw: Math.min(cw, W < 330 ? 38 : cw) };
  }
  if (shape === "tall") {
    // No room beside the plates: under them.
    const y = plate.y + plate.h + 8;
    return { x: from === "right" ? W : 0, y, hang: from === "right" ? "right" : "left", most: W / 2 - 20, cw };
  }
  const room = Math.min(most, W / 2 - inset - (look === "old" ? 40 : 60));
  const y = plate.y - (look !== "old" && shape === "wide" ? 22 : 0);
  // A plate with many badges may be wider than the inset.
  return from === "right"
    ? { x: Math.min(W - inset, plate.x - 12), y, hang: "right", most: room, cw }
    : { x: Math.max(inset, plate.x + plate.w + 12), y, hang: "left", most: room, cw };
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
