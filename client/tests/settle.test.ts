import { expect, test } from "vitest";
import type { GoujiTableView } from "../src/games/gouji/handModel.svelte";
import { settle } from "../src/games/gouji/settle";
import type { Facts, Result } from "../src/net/protocol";

/** What is noted on the sheet of gouji, from a seat, sentences as their key and facts. */
const notes = (viewpoint: number, places: number[], points: number[]): readonly string[] =>
  settle(
    {
      mode: "play",
      viewpoint,
      info: { game: "gouji", room: 1, no: 1 },
      game: { game_id: "g", deal: 1 },
      view: { deal: 1, scores: points },
      say: (key: string, facts?: Facts) =>
        key === "ui.place_worth" ? "4 2 0 0 -2 -4" : key === "cards.you" ? "You" : `${key} ${Object.values(facts ?? {}).join(" ")}`.trim(),
    } as unknown as GoujiTableView,
    { places, points, why: "ended", paid: [] } as unknown as Result,
  )?.notes ?? [];

test("the sums of both sides are those of the places", () => {
  expect(notes(0, [1, 2, 3, 4, 6, 5], [0, 0, 0, 0, 0, 0])).toEqual(["ui.sum_we 4 + 0 − 4 0\u3000ui.sum_they 2 + 0 − 2 0", "ui.no_sweep"]);
  expect(notes(1, [1, 4, 2, 5, 6, 3], [2, -2, 2, -2, 2, -2])).toEqual([
    "ui.sum_we 0 + 0 − 2 −2\u3000ui.sum_they 4 + 2 − 4 +2",
    "ui.no_sweep",
  ]);
});

test("after a sweep the sheet says what each side has in the end", () => {
  const swept = [1, 4, 2, 5, 3, 6];
  const points = [12, -12, 12, -12, 12, -12];
  expect(notes(2, swept, points)).toEqual(["ui.sum_we 4 + 2 + 0 +6\u3000ui.sum_they 0 − 2 − 4 −6", "ui.swept +12 −12"]);
  expect(notes(5, swept, points)).toEqual(["ui.sum_we 0 − 2 − 4 −6\u3000ui.sum_they 4 + 2 + 0 +6", "ui.swept −12 +12"]);
});
