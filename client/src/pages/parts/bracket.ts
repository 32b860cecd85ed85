// Where the matches of a knockout are drawn: round by round from left to right, each between the two that lead to it.
import type { Slot } from "../../net/protocol.gen";

export const WIDE = 168;
export const HIGH = 66;
const BETWEEN = 34; // rounds
const APART = 14; // matches of the first round

export interface Box {
  slot: Slot;
  x: number;
  y: number;
}
export interface Drawn {
  boxes: Box[];
  /** Where winners go: paths of an SVG. */ lines: string[];
  /** The left edge of each round. */ rounds: number[];
  width: number;
  height: number;
}

/** Whether nobody is met: who had no opponent in the first round begins in the second. */
const empty = (slot: Slot): boolean => slot.round === 1 && (slot.upper == null || slot.lower == null);

export function drawn(bracket: readonly Slot[]): Drawn {
  const last = Math.max(0, ...bracket.map((one) => one.round));
  const first = bracket.filter((one) => one.round === 1).length;
  const step = HIGH + APART;
  /** The middle of a match, by halves of those before it. */
  const middle = (round: number, board: number): number => ((2 * board - 1) * step * 2 ** (round - 1)) / 2 - APART / 2;
  const left = (round: number): number => (round - 1) * (WIDE + BETWEEN);
  const boxes = bracket
    .filter((slot) => !empty(slot))
    .map((slot) => ({ slot, x: left(slot.round), y: middle(slot.round, slot.board) - HIGH / 2 }));
  const lines = boxes
    .filter(({ slot }) => slot.round < last)
    .map(({ slot, x, y }) => {
      const [from, to] = [y + HIGH / 2, middle(slot.round + 1, Math.ceil(slot.board / 2))];
      // Above or below the middle: the two ways do not lie upon each other.
      const end = to + (slot.board % 2 ? -HIGH / 4 : HIGH / 4);
      return `M${x + WIDE} ${from}h${BETWEEN / 2}V${end}h${BETWEEN / 2}`;
    });
  return {
    boxes,
    lines,
    rounds: Array.from({ length: last }, (_, at) => left(at + 1)),
    width: last ? left(last) + WIDE : 0,
    height: first ? first * step - APART : 0,
  };
}
