// The way of a checker over the board, read from the sheet of the game.
import { expect, test } from "vitest";
import { trailOf } from "../src/games/backgammon/board";

const of = (text: string, seat = 0) => trailOf([[seat, "play", null, text, null]] as never, "opposed" as never, 0);

test("a trail names every stop between", () => {
  expect(of("24/18*/13 8/7")).toEqual([
    { seat: 0, from: "p24", via: ["p18"], to: "p13" },
    { seat: 0, from: "p8", via: [], to: "p7" },
  ]);
  expect(of("bar/22 6/off(2)")).toEqual([
    { seat: 0, from: "bar", via: [], to: "p22" },
    { seat: 0, from: "p6", via: [], to: "off" },
  ]);
});
