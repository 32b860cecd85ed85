// Positions of the rules as text: "24:2 13:5 bar:1 / 6:5 off:3", White's half first.
import type { Kind, Side } from "./board";

export function sideOf(half: string): Side {
  const side: Side = { points: Array<number>(24).fill(0), bar: 0, res: 0, hand: 0, off: 0, pinned: [], pips: 0, checkers: 0 };
  for (const [, at, n] of half.matchAll(/(\w+):(\d+)/g)) {
    const count = Number(n);
    side.checkers += count;
    if (at === "bar" || at === "res" || at === "hand" || at === "off") side[at] += count;
    else side.points[Number(at) - 1]! += count;
  }
  return side;
}

export const sidesOf = (text: string): [Side, Side] => text.split("/").map(sideOf) as [Side, Side];

const KINDS: Record<string, Kind> = { grasshopper: "shared", fevga: "diagonal" };
/** How the points of a variant are counted; all others count against each other. */
export const kindOf = (variant: string): Kind => KINDS[variant] ?? "opposite";
