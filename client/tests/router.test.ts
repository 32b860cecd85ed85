import { expect, test } from "vitest";
import { fits } from "../src/router.svelte";

test.each<[string, string, Record<string, string> | null]>([
  ["/", "/", {}],
  ["/", "/rooms", null],
  ["/rooms", "/rooms", {}],
  ["/rooms", "/rooms/", {}],
  ["/rooms/:id", "/rooms/7", { id: "7" }],
  ["/rooms/:id", "/rooms", null],
  ["/rooms/:id", "/rooms/", null],
  ["/rooms/:id", "/rooms/7/more", null],
  ["/rules/:game/:chapter?", "/rules/gouji", { game: "gouji" }],
  ["/rules/:game/:chapter?", "/rules/gouji/burn", { game: "gouji", chapter: "burn" }],
  ["/users/:id", "/tables/7", null],
  ["/link/:code", "/link/%E6%A3%8B%2F1", { code: "棋/1" }],
  ["/link/:code", "/link/100%", { code: "100%" }],
])("%s and %s", (pattern, path, found) => {
  expect(fits(pattern, path)).toEqual(found);
});
