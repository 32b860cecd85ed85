import { describe, expect, test } from "vitest";
import { cards, counted, face } from "../src/kit/cards";
import { allOrNone, chosen, exactly, fewer, more, NOTHING, pickedOf, same, size, within } from "../src/kit/hand/pick";
import { columns } from "../src/kit/hand/sort";

describe("cards as the wire writes them", () => {
  test("are cut, with suits and marks", () => {
    expect(cards("3TJx*X*")).toEqual(["3", "T", "J", "x*", "X*"]);
    expect(cards("THAS")).toEqual(["TH", "AS"]);
    expect(cards(null)).toEqual([]);
  });

  test("have a face", () => {
    expect(face("TH")).toMatchObject({ rank: "10", joker: null, suit: "h" });
    expect(face("X*")).toMatchObject({ rank: "", joker: "big", mark: "crown" });
    expect(face("x")).toMatchObject({ joker: "small", mark: null });
  });

  test("differ from their equals where suits do not count", () => {
    expect(new Set([0, 1, 2, 3].map((nth) => face("9", nth).suit)).size).toBe(4);
  });
});

describe("what is raised", () => {
  test("is never more than is held, and never less than nothing", () => {
    expect(exactly(NOTHING, "9", 5, 3)).toEqual({ "9": 3 });
    expect(exactly({ "9": 2 }, "9", -1, 3)).toEqual({});
  });

  test("goes up one by one, and after the last to none", () => {
    const seen = [];
    for (let picked = NOTHING, i = 0; i < 3; i++) seen.push((picked = more(picked, "9", 2))["9"] ?? 0);
    expect(seen).toEqual([1, 2, 0]);
    expect(fewer({ "9": 1 }, "9", 2)).toEqual({});
    expect(allOrNone({ "9": 1 }, "9", 2)).toEqual({ "9": 2 });
    expect(allOrNone({ "9": 2 }, "9", 2)).toEqual({});
  });

  test("leaves the choice it was made from as it was", () => {
    const before = { "9": 1 };
    more(before, "9", 2);
    expect(before).toEqual({ "9": 1 });
  });

  test("shrinks with the hand", () => {
    expect(within({ "9": 2, K: 1 }, new Map([["9", 1]]))).toEqual({ "9": 1 });
  });

  test("is a list in the order of the ranks, and back", () => {
    const picked = { K: 1, "9": 2 };
    expect(chosen(picked, ["9", "T", "K"])).toEqual(["9", "9", "K"]);
    expect(pickedOf(["9", "K", "9"])).toEqual(picked);
    expect(size(picked)).toBe(3);
    expect(same(picked, pickedOf(["K", "9", "9"]))).toBe(true);
    expect(same(picked, { K: 2, "9": 1 })).toBe(false);
  });
});

test("a hand is sorted in three ways", () => {
  const held = counted(["3", "4", "4", "4", "5", "5"]);
  const order = ["3", "4", "5", "6"];
  expect(columns(held, order, "rising")).toEqual(["3", "4", "5"]);
  expect(columns(held, order, "falling")).toEqual(["5", "4", "3"]);
  expect(columns(held, order, "count")).toEqual(["4", "5", "3"]);
});
