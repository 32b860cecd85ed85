// The split of entry fees, by the examples of P-79.
import { expect, test } from "vitest";
import { enough, percentsOf, split } from "../src/pages/parts/prizes";

test("the example of the specification", () => {
  expect(split(150, 20, [25, 10, 5])).toEqual({ pool: 3000, prizes: [750, 300, 150], house: 1800, begins: true });
  expect(split(150, 38, [25, 10, 5]).prizes[0]).toBe(1425);
});

test("each prize is rounded down, and the house has the rest", () => {
  expect(split(7, 3, [50, 30])).toEqual({ pool: 21, prizes: [10, 6], house: 5, begins: false });
  expect(split(0, 9, [])).toEqual({ pool: 0, prizes: [], house: 0, begins: false });
});

test.each([1, 7, 25, 33, 50, 60, 100])("with %i percent for the first it begins with so many and no fewer", (first) => {
  const n = enough(first);
  expect(split(100, n, [first]).begins).toBe(true);
  expect(split(100, n - 1, [first]).begins).toBe(false);
});

test("percents are read as people write them", () => {
  expect(percentsOf("50 30 20")).toEqual([50, 30, 20]);
  expect(percentsOf(" 50、30，20 ")).toEqual([50, 30, 20]);
  for (const odd of ["", "fifty", "50 %", "1000"]) expect(percentsOf(odd)).toBeNull();
});
