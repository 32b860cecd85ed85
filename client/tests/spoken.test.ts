import { describe, expect, it } from "vitest";
import { lang } from "../src/lang.svelte";
import { amount, signed, spoken } from "../src/pages/replay/spoken";

describe("what an analysis says", () => {
  it("moves of xiangqi follow the notation in use", () => {
    lang.words = { "xiangqi.usual.notation": "wxf" };
    expect(["炮二平五", "将6退1", "前车进3", "后马退四", "中兵进一"].map((said) => spoken("xiangqi", said, null))).toEqual([
      "C2=5",
      "K6-1",
      "R++3",
      "H--4",
      "中兵进一",
    ]);
    lang.words = { "xiangqi.usual.notation": "zh" };
    expect(spoken("xiangqi", "炮二平五", null)).toBe("炮二平五");
  });

  it("numbers have as many digits as they bear", () => {
    expect([amount("points", 1.4384), amount("points", 0.0514, "backgammon"), signed("win", -3.26)]).toEqual(["1.44", "0.051", "−3.3"]);
  });
});
