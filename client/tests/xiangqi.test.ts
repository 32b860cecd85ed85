import { expect, test } from "vitest";
import { after, called, men } from "../src/games/xiangqi/board";

const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

test.each([
  ["h2e2", "炮二平五", "C2=5"],
  ["h0g2", "马二进三", "H2+3"],
  ["h9g7", "马8进7", "H8+7"],
  ["g6g5", "卒7进1", "P7+1"],
  ["i9i7", "车9进2", "R9+2"],
  ["c0e2", "相七进五", "E7+5"],
  ["d9e8", "士4进5", "A4+5"],
])("a move that nobody has played yet is called as the hall would call it: %s", (move, zh, wxf) => {
  expect([called(men(START), move, "zh"), called(men(START), move, "wxf")]).toEqual([zh, wxf]);
});

test("a man that goes back is called so, and of two on one file the hall alone knows the name", () => {
  const there = men(after(START, ["h2e2", "h9g7", "e2e5"]));
  expect(called(there, "e5e3", "zh")).toBe("炮五退二");
  expect(called(men(after(START, ["h2e2", "h9g7", "b2b4", "i9h9", "e2b2"])), "b4b5", "zh")).toBeNull();
});
