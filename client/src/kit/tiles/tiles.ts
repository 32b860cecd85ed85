// Tiles as the wire writes them: "5m" one tile, "123m55p" several. Suits m 万, p 筒, s 条.

export type Suit = "m" | "p" | "s";
export const SUITS: readonly Suit[] = ["m", "p", "s"];

export const suitOf = (tile: string): Suit => tile[1] as Suit;
export const rankOf = (tile: string): number => Number(tile[0]);

/** Cut a string of tiles into single ones, in the order in which they are written. */
export function tiles(text: string | null | undefined): string[] {
  const found: string[] = [];
  for (const [, ranks = "", suit = ""] of (text ?? "").matchAll(/([1-9]+)([mps])/g)) {
    for (const rank of ranks) found.push(rank + suit);
  }
  return found;
}

/** Where a tile stands in the order 1m … 9m 1p … 9p 1s … 9s. */
export const orderOf = (tile: string): number => SUITS.indexOf(suitOf(tile)) * 9 + rankOf(tile);

/** Sorted from low to high; tiles of the suit `last` go behind all others. */
export const sorted = (list: readonly string[], last: string | null = null): string[] =>
  [...list].sort((a, b) => Number(suitOf(a) === last) - Number(suitOf(b) === last) || orderOf(a) - orderOf(b));

/** A tile is 1.36 times as high as wide, and stands on an edge of .15. */
export const TALL = 1.36;
export const EDGE = 0.15;
/** Height of a tile of this width, its edge with it. */
export const heightOf = (width: number): number => width * (TALL + EDGE);
