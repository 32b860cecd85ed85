// The drawing of a knockout: no match upon another, every way leads to the match that comes next.
import { expect, test } from "vitest";
import type { Slot } from "../src/net/protocol.gen";
import { drawn, HIGH, WIDE } from "../src/pages/parts/bracket";

/** A bracket of so many places; free: boards of the first round where nobody is met. */
function bracket(places: number, free: readonly number[] = []): Slot[] {
  const found: Slot[] = [];
  for (let round = 1, boards = places / 2; boards >= 1; round += 1, boards /= 2)
    for (let board = 1; board <= boards; board += 1) {
      const known = round === 1;
      found.push({ round, board, upper: known ? 2 * board : null, lower: known && !free.includes(board) ? 2 * board + 1 : null });
    }
  return found;
}

test.each([2, 4, 8, 16, 64])("the matches of %i lie apart and inside", (places) => {
  const { boxes, lines, rounds, width, height } = drawn(bracket(places));
  expect(boxes).toHaveLength(places - 1);
  expect(lines).toHaveLength(places - 2);
  expect(rounds).toHaveLength(Math.log2(places));
  for (const [at, one] of boxes.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(0);
    expect(one.y).toBeGreaterThanOrEqual(0);
    expect(one.x + WIDE).toBeLessThanOrEqual(width);
    expect(one.y + HIGH).toBeLessThanOrEqual(height);
    for (const other of boxes.slice(at + 1))
      expect(Math.abs(one.x - other.x) < WIDE && Math.abs(one.y - other.y) < HIGH, `${at}`).toBe(false);
  }
});

test("a match stands half way between the two that lead to it, and their ways end at it", () => {
  const { boxes, lines } = drawn(bracket(8));
  const at = (round: number, board: number) => boxes.find(({ slot }) => slot.round === round && slot.board === board)!;
  expect(at(2, 1).y).toBe((at(1, 1).y + at(1, 2).y) / 2);
  expect(at(3, 1).y).toBe((at(2, 1).y + at(2, 2).y) / 2);
  const ends = lines.slice(0, 2).map((line) => Number(/V([\d.]+)/.exec(line)?.[1]));
  for (const end of ends) {
    expect(end).toBeGreaterThan(at(2, 1).y);
    expect(end).toBeLessThan(at(2, 1).y + HIGH);
  }
  expect(ends[0]).toBeLessThan(ends[1]!);
});

test("who has nobody to meet in the first round is drawn in the second", () => {
  const { boxes, lines } = drawn(bracket(8, [1, 3]));
  expect(boxes.filter(({ slot }) => slot.round === 1).map(({ slot }) => slot.board)).toEqual([2, 4]);
  expect(lines).toHaveLength(4);
});

test("nothing is drawn of nothing", () => {
  expect(drawn([])).toEqual({ boxes: [], lines: [], rounds: [], width: 0, height: 0 });
});
