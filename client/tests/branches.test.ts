import { describe, expect, it } from "vitest";
import type { WhatIfRow, WhatIfTree } from "../src/net/protocol.gen";
import { lanes, path, signed } from "../src/pages/replay/branches";

const row = (id: string, parent: string, n: number, at = 0): WhatIfRow => ({
  id,
  number: 0,
  parent,
  n,
  seat: 0,
  by: null,
  name: "",
  who: "all",
  mine: false,
  at,
  table: null,
  result: null,
  review: null,
});
const tree = (...rows: WhatIfRow[]): WhatIfTree => ({ root: "game", result: null, rows });

describe("the tree of branches", () => {
  it("draws each branch under what it leaves, later moments first", () => {
    const found = lanes(tree(row("a", "game", 3), row("b", "game", 9), row("c", "a", 5), row("d", "c", 7)));
    expect(found.map(({ row, lane, from, deep }) => [row.id, lane, from, deep])).toEqual([
      ["b", 1, 0, 0],
      ["a", 2, 0, 0],
      ["c", 3, 2, 1],
      ["d", 4, 3, 2],
    ]);
  });
  it("puts those that leave at the same moment in the order in which they were played", () => {
    expect(lanes(tree(row("late", "game", 3, 20), row("early", "game", 3, 10))).map(({ row }) => row.id)).toEqual(["early", "late"]);
  });
  it("goes down and then along, with a corner that fits", () => {
    expect(path(10, 26, 78, 76, 8)).toBe("M10 26V70Q10 78 18 78H76");
    expect(path(74, 26, 78, 76, 8)).toBe("M74 26V76Q74 78 76 78H76");
  });
  it("says points with their sign", () => {
    expect([signed(3), signed(0), signed(-2)]).toEqual(["+3", "0", "−2"]);
  });
});
