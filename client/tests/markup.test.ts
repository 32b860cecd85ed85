import { expect, test } from "vitest";
import { blocks, marked } from "../src/pages/rules/markup";

test("a line is a paragraph, lines with a dash are a list", () => {
  expect(blocks("One.\nTwo.\n\n- a\n- b\n\n- c\nEnd.")).toEqual([
    { kind: "p", text: "One." },
    { kind: "p", text: "Two." },
    { kind: "ul", items: ["a", "b"] },
    { kind: "ul", items: ["c"] },
    { kind: "p", text: "End." },
  ]);
  expect(blocks("  \n\n ")).toEqual([]);
});

test("a term is marked where it first stands, without what is in brackets behind its name", () => {
  const burn = { name: "捎牌（烧牌）", text: "…" };
  expect(marked("先捎牌，再捎牌", [burn])).toEqual(["先", { name: "捎牌", text: "…" }, "，再捎牌"]);
  expect(marked("none", [burn, { name: "x", text: "" }])).toEqual(["none"]);
});
