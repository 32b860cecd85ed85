import { beforeEach, expect, test } from "vitest";
import { lang } from "../src/lang.svelte";
import type { Analysis, Verdict } from "../src/net/protocol.gen";
import { reasons } from "../src/pages/replay/reasons";

// Each sentence as its key and facts: what it says is the language files' affair.
const FACTS: Record<string, string> = {
  level: "{name} {level} {is}",
  afterwards: "",
  rule: "",
  tried: "{deals} {n}",
  compared: "{n}",
  worth: "{said} {worth} {unit}",
  exact: "{said} {worth} {unit}",
  ahead: "{other} {worth}",
  near: "{other} {worth}",
  alike: "{best}",
  better: "{best} {loss}",
  better_open: "{best} {loss}",
  tops: "{said} {n} {deals}",
  tops_other: "{other} {n}",
  win: "{said} {win}",
  win_less: "{said} {win} {best} {most}",
  line: "{line}",
  line_better: "{line}",
  chances: "{win} {double} {lost}",
};
beforeEach(() => {
  lang.words = {
    "level.easy": "Easy",
    "level.strong": "Strong",
    "level_is.easy": "new",
    "level_is.strong": "far",
    "analysis.unit_points": "points",
    "xiangqi.usual.notation": "zh",
    ...Object.fromEntries(Object.entries(FACTS).map(([key, facts]) => [`reasons.${key}`, `${key}: ${facts}`.trim()])),
  };
});

const verdict = (of: Partial<Verdict>): Verdict => ({
  n: 1,
  seat: 0,
  said: "33",
  best: "33",
  loss: 0,
  luck: null,
  worth: 0,
  error: 0,
  mark: "",
  kind: "play",
  gain: null,
  gain_error: null,
  line: [],
  said_line: [],
  tried: [],
  weighed: 0,
  chances: null,
  ...of,
});
const analysis = (of: Partial<Analysis>): Analysis => ({
  by: "qipai",
  unit: "points",
  rows: [],
  edition: 1,
  accounts: [],
  curves: [],
  deals: 64,
  ...of,
});
const strong = { name: "West", level: "strong" };
const tried = [
  { said: "33", worth: 1.5, error: 0.1, tops: 41 },
  { said: "pass", worth: 0.25, error: 0.1, tops: 20 },
];

test("a choice that was the best: what it brought, what came next, in how many deals nothing brought more", () => {
  expect(reasons(analysis({}), verdict({ tried, weighed: 7 }), "doudizhu", strong)).toEqual([
    "level: West Strong far",
    "tried: 64 7",
    "worth: 33 +1.50 ± 0.10 points",
    "ahead: pass +0.25 ± 0.10",
    "tops: 33 41 64",
    "tops_other: pass 20",
  ]);
});

test("what lies within the error is said to do as well", () => {
  const near = [tried[0]!, { ...tried[1]!, worth: 1.4 }];
  expect(reasons(analysis({}), verdict({ tried: near, weighed: 7 }), "doudizhu", strong)[3]).toBe("near: pass +1.40 ± 0.10");
  const worse = { tried, said: "pass", weighed: 7, loss: 0.2 };
  expect(reasons(analysis({}), verdict({ ...worse, error: 0.15 }), "doudizhu", strong)[3]).toBe("better_open: 33 0.20 ± 0.15");
  expect(reasons(analysis({}), verdict({ ...worse, error: 0.05 }), "doudizhu", strong)[3]).toBe("better: 33 0.20 ± 0.05");
  expect(reasons(analysis({}), verdict({ ...worse, loss: -0.08, error: 0.19 }), "doudizhu", strong)[3]).toBe("alike: 33");
});

test("a weaker bot is said to have seen less, and an older analysis says nothing that it has not counted", () => {
  const old = verdict({ tried: tried.map((one) => ({ ...one, tops: null })) });
  expect(reasons(analysis({}), old, "doudizhu", { name: "West", level: "easy" })).toEqual([
    "level: West Easy new",
    "afterwards:",
    "worth: 33 +1.50 ± 0.10 points",
    "ahead: pass +0.25 ± 0.10",
  ]);
});

test("nothing is invented where nothing was weighed, or by an engine of others", () => {
  expect(reasons(analysis({}), undefined, "doudizhu", strong)).toEqual(["level: West Strong far", "rule:"]);
  expect(reasons(analysis({}), undefined, "backgammon", { name: "gnubg", level: "gnubg" })).toEqual(["rule:"]);
});

test("xiangqi tells the chance to win and the line, backgammon the chances after the play", () => {
  const moves = analysis({ unit: "win", deals: 0 });
  const best = { said: "炮二平五", best: "炮二平五", worth: 54.26, said_line: ["炮二平五", "马８进７"] };
  expect(reasons(moves, verdict(best), "xiangqi", strong).slice(1)).toEqual(["win: 炮二平五 54.3", "line: 炮二平五 马８进７"]);
  expect(reasons(moves, verdict({ ...best, said: "兵七进一", loss: 3 }), "xiangqi", strong).slice(1)).toEqual([
    "win_less: 兵七进一 51.3 炮二平五 54.3",
    "line_better: 炮二平五 马８进７",
  ]);
  expect(reasons(moves, verdict({ ...best, said: "兵七进一", loss: 0.02 }), "xiangqi", strong).slice(1)).toEqual([
    "win: 兵七进一 54.3",
    "alike: 炮二平五",
  ]);
  const dice = analysis({ deals: 0 });
  const play = verdict({ said: "8/5 6/5", best: "8/5 6/5", tried: [{ said: "8/5 6/5", worth: 0.2, error: 0, tops: null }], weighed: 14 });
  expect(reasons(dice, { ...play, chances: [0.56, 0.16, 0.12] }, "backgammon", strong).slice(1)).toEqual([
    "compared: 14",
    "exact: 8/5 6/5 +0.200 points",
    "chances: 56 16 12",
  ]);
  const stuck = { said: "A1-B2", worth: -1, error: 0, tops: null };
  const pair = verdict({ said: "A1-B2", best: "C3-D4", loss: 9, tried: [{ ...stuck, said: "C3-D4", worth: 8 }, stuck] });
  lang.words = { ...lang.words, "analysis.unit_pairs": "pairs" };
  expect(reasons(analysis({ unit: "pairs", deals: 0 }), pair, "lianliankan", strong).slice(1)).toEqual([
    "exact: A1-B2 0 pairs",
    "better: C3-D4 9",
  ]);
});
