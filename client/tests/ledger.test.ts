import { expect, test } from "vitest";
import { deals, sums } from "../src/table/cards/ledger";
import type { TableView } from "../src/table/game";

interface View {
  deal: number;
  scores?: readonly number[] | null;
}

/** A table view as far as a ledger reads it. */
const seen = (deal: number, scores: readonly number[] | null, more: { id?: string; no?: number; mode?: string; now?: number } = {}) =>
  ({
    mode: more.mode ?? "play",
    info: { game: "gouji", room: 1, no: more.no ?? 3 },
    game: { game_id: more.id ?? `g${deal}`, deal: more.now ?? deal },
    view: { deal, scores },
  }) as unknown as TableView<View>;

test("deals are kept in order, and summed by column", () => {
  expect(deals(seen(1, null))).toEqual([]);
  expect(sums([])).toBeNull();
  deals(seen(1, [2, -2]));
  const rows = deals(seen(2, [3, -3]));
  expect(rows).toEqual([
    { deal: 1, points: [2, -2] },
    { deal: 2, points: [3, -3] },
  ]);
  expect(sums(rows)).toEqual([5, -5]);
  expect(deals(seen(3, null))).toEqual(rows); // while the next one is played
});

test("a deal that is looked at twice counts once", () => {
  deals(seen(1, [2, -2]));
  expect(deals(seen(1, [2, -2]))).toHaveLength(1);
});

test("the last result is not taken for that of the deal that has begun", () => {
  deals(seen(1, [2, -2]));
  expect(deals(seen(1, [2, -2], { id: "g2", now: 2 }))).toEqual([{ deal: 1, points: [2, -2] }]);
});

test("columns are the seats that are asked for", () => {
  expect(deals(seen(1, [1, -1, 1, -1]), [0, 1])).toEqual([{ deal: 1, points: [1, -1] }]);
});

test("another table, and another match, begin anew", () => {
  deals(seen(1, [2, -2]));
  expect(deals(seen(2, [1, -1], { no: 4 }))).toEqual([{ deal: 2, points: [1, -1] }]);
  deals(seen(1, [2, -2]));
  expect(deals(seen(1, [7, -7], { id: "again" }))).toEqual([{ deal: 1, points: [7, -7] }]);
});

test("a replay has no ledger", () => {
  expect(deals(seen(1, [2, -2], { mode: "replay" }))).toEqual([]);
});

test.each(["not JSON", '{"table":"1.3","games":{"g1":{"deal":1,"sides":[2,-2]}}}'])("what is kept otherwise is left: %s", (kept) => {
  sessionStorage.setItem("qipai.gouji.points", kept);
  expect(deals(seen(2, [1, -1]))).toEqual([{ deal: 2, points: [1, -1] }]);
});
