// The part of the geometry that a table needs before anything is played: how large things are, and who sits where.
//
// A place is counted from the viewpoint as it is drawn: 0 is the bottom, 1 the next to the right, on round the table
// (DESIGN 5.1). All lengths are CSS px; the cloth's own begin in its upper left corner.

/** The rooms of DESIGN 3: a wide cloth, a phone on its side, a phone upright. */
export type Shape = "wide" | "low" | "tall";

export interface Point {
  x: number;
  y: number;
}
export interface Box extends Point {
  w: number;
  h: number;
}

/** The four anchors of 5.1 in % of the cloth above the hand: left, top, and from which edge the plate hangs. */
export interface Anchor extends Point {
  from: "left" | "right" | "middle";
}

// how large --------------------------------------------------------------------------------------------------------------

/** The window at which everything has the size that the design names. */
const MODEL = { width: 1440, height: 900, bar: 52, sidebar: 344 };
/** Cards and tiles grow no further than this: a card as wide as a hand is read no better. */
const MOST_SCALE = 3;

/** How much larger cards and tiles are than in a window of 1440 × 900. */
export function scaleOf(width: number, height: number): number {
  const high = (height - MODEL.bar) / (MODEL.height - MODEL.bar);
  const broad = (width - MODEL.sidebar) / (MODEL.width - MODEL.sidebar);
  return Math.min(MOST_SCALE, Math.max(1, Math.min(broad, high ** 1.5)));
}
/** How much larger words and buttons are: they grow more slowly, as they can be read already. */
export const textOf = (scale: number): number => 1 + 0.35 * (scale - 1);
/** The same beside a board: it has all the height first, and the columns beside it what is left. */
export const besideOf = (width: number, height: number): number =>
  Math.max(1, Math.min(textOf(scaleOf(width, height)), (width - 1.35 * (height - MODEL.bar)) / 660));
/** How much larger a name plate is: between the two. */
export const plateOf = (scale: number): number => 1 + 0.7 * (scale - 1);
/** How large words are where a table is read from across a room (P-114): with 1080 px of height twice as large as on a desk. */
export const farTextOf = (width: number, height: number): number => Math.min(5, Math.max(1, Math.min(width / 900, height / 520)));
/** The same for name plates; two of them and the cards between must find room side by side. */
export const farPlateOf = (width: number, height: number): number => Math.min(4, Math.max(1, Math.min(width / 940, height / 560)));
/** The same for cards and tiles: there is no hand and no bar under them; several tables of a wall have less room each. */
export const farScaleOf = (width: number, height: number): number =>
  Math.min(MOST_SCALE, Math.max(0.8, Math.min(width / 1000, height / 640)));
/** How wide the sidebar is beside a cloth; 0: it is a drawer. */
export const sidebarOf = (width: number, height: number): number =>
  width < 1024 || height < 500 ? 0 : width < 1280 ? 280 : Math.round(304 * textOf(scaleOf(width, height)));

/** Which room a cloth is. flat: the window is a phone on its side. */
export const shapeOf = (W: number, H: number, flat = false): Shape => (flat ? "low" : W < 600 ? "tall" : H < 330 ? "low" : "wide");

/** How much of the cloth's foot the bar takes: reading and buttons, or one row. */
export const FOOT: Record<Shape, number> = { wide: 124, low: 60, tall: 58 };
/** The same where nothing can be done: in a replay there is no bar. */
export const BARE: Record<Shape, number> = { wide: 8, low: 4, tall: 4 };
/** The same where words and buttons have grown. */
export const footOf = (shape: Shape, scale: number, bare = false): number =>
  bare ? BARE[shape] : Math.round(FOOT[shape] * (shape === "wide" ? textOf(scale) : 1));

/** A hand of stacks, one column a rank: gap, shown edge, lift and widest card of `StackHand`, and how high its rows are. */
export interface Stacks {
  gap: number;
  edge: number;
  lift: number;
  most?: number;
  rowMost?: number;
  high: number;
}
export function stacksOf(shape: Shape, scale: number, W: number): Stacks {
  if (shape === "wide") return { gap: 8, edge: 8, lift: 22, most: Math.round(64 * scale), high: Math.round(216 * scale) };
  if (shape === "low") return { gap: 5, edge: 3, lift: 13, high: 104 };
  return { gap: 5, edge: 3, lift: 13, rowMost: 8, high: W < 360 ? 74 : 98 };
}
/** How wide a tile of the own hand is: fourteen of them in a row, upright in two rows of seven. still: it cannot be touched. */
export function tileOf(shape: Shape, width: number, scale: number, still = false): number {
  if (shape === "tall") return Math.min(still ? 40 : 62, (width - 6 * 3 - 8) / 7);
  const most = shape === "low" ? 51 : 64 * scale;
  return Math.max(20, Math.min(still ? most * 0.8 : most, (width - 24 - 13 * 3) / 14));
}

// who sits where ---------------------------------------------------------------------------------------------------------

/**
 * k: how far behind me in order of play, 1 … seats − 1. Order runs counter-clockwise, so 1 is at my right hand.
 * small: on a phone, where two find no room beside each other at the upper edge.
 */
export function anchor(seats: number, k: number, clockwise = false, small = false): Anchor {
  const at = clockwise ? seats - k : k;
  const right = (y: number): Anchor => ({ x: 100, y, from: "right" });
  const left = (y: number): Anchor => ({ x: 0, y, from: "left" });
  const top = (x: number): Anchor => ({ x, y: 0, from: "middle" });
  const plans: Record<number, Anchor[]> = {
    2: [top(50)],
    3: [right(36), left(36)],
    4: [right(36), top(50), left(36)],
    5: small ? [right(52), right(20), left(20), left(52)] : [right(52), top(74), top(26), left(52)],
    6: [right(60), right(24), top(50), left(24), left(60)],
  };
  return plans[seats]?.[at - 1] ?? top((100 / seats) * at);
}
