import { expect, test } from "vitest";
import { excerpt } from "../src/pages/parts/words";

test("an excerpt is the words of the HTML, without its tags, and short", () => {
  expect(excerpt("<p>Ann &amp; <b>Bob</b></p>\n<p>2 &lt; 3</p>")).toBe("Ann & Bob 2 < 3");
  expect(excerpt(`<p>${"x".repeat(200)}</p>`)).toHaveLength(80);
  expect(excerpt("")).toBe("");
});
