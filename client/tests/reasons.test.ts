import { beforeEach, expect, test } from "vitest";
import { lang } from "../src/lang.svelte";
import type { Analysis, Verdict } from "../src/net/protocol.gen";
import { reasons as told } from "../src/pages/replay/reasons";

/** What is said of a choice, which is named as it is written. row: the verdict on it; none: nothing was weighed there. */
const reasons = (of: Analysis, row: Verdict | undefined, game: string, bot: { name: string; level: string }): string[] =>
  told({ ...of, rows: row ? [row] : of.rows }, row?.n ?? 9, game, bot, (one) => one);

// Each sentence as its key and facts: what it says is the language files' affair.
const FACTS: Record<string, string> = {
  level: "{name} {level} {is}",
  afterwards: "",
  rule: "",
  not_only: "",
  not_clear: "",
  no_play: "",
  book: "",
  tried: "{deals} {n}",
  compared: "{n}",
  worth: "{said} {worth} {unit}",
  exact: "{said} {worth} {unit}",
  leaves: "{said} {n}",
  next: "{other} {worth}",
  ahead: "{other} {worth}",
  near: "{other} {worth}",
  alike: "{best}",
  worse_then: "{best} {loss}",
  better: "{best} {loss}",
  better_open: "{best} {loss}",
  tops: "{said} {n} {deals}",
  tops_other: "{other} {n}",
  win: "{said} {chance}",
  win_less: "{said} {chance} {best} {most}",
  line: "{line}",
  line_better: "{line}",
  chances: "{win}",
  doubles: "{double} {lost}",
};
beforeEach(() => {
  lang.words = {
    "level.easy": "Easy",
    "level.strong": "Strong",
    "level_is.easy": "new",
    "level_is.strong": "far",
    "reasons.unit_points": "points",
    "reasons.unit_match": "%",
    "reasons.chance": "{win}",
    "reasons.is_won": "forced",
    "reasons.is_lost": "lost",
    "cards.you": "you",
    "ui.film.nothing_judged": "Not judged",
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
  unweighed: [],
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
  expect(reasons(analysis({}), verdict({ ...worse, loss: -0.7, error: 0.3 }), "doudizhu", strong)[3]).toBe("worse_then: 33 0.70 ± 0.30");
  const nothing = verdict({ ...worse, loss: 0.004, error: 0.02 }); // no difference that is told would be one
  expect(reasons(analysis({}), nothing, "doudizhu", strong)[3]).toBe("alike: 33");
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
  const some = [verdict({})];
  expect(reasons(analysis({ rows: some }), undefined, "doudizhu", strong)).toEqual(["level: West Strong far", "rule:"]);
  expect(reasons(analysis({ rows: some }), undefined, "backgammon", { name: "gnubg", level: "gnubg" })).toEqual(["rule:"]);
  const clear = analysis({ rows: some, unweighed: [{ n: 9, why: "clear" }] });
  expect(reasons(clear, undefined, "doudizhu", strong).slice(1)).toEqual(["not_clear:"]);
  expect(reasons(analysis({}), undefined, "backgammon", strong).slice(1)).toEqual(["Not judged"]);
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
    "chances: 56",
    "doubles: 16 12",
  ]);
  const race = { ...play, weighed: 1, chances: [0.998, 0, 0] as [number, number, number] }; // nobody can win double any more
  expect(reasons(dice, race, "backgammon", strong).slice(1)).toEqual(["not_only:", "exact: 8/5 6/5 +0.200 points", "chances: >99"]);
  const stays = { ...race, said: "", best: "", tried: [{ said: "", worth: -1, error: 0, tops: null }], chances: null };
  expect(reasons(dice, stays, "backgammon", strong).slice(1)).toEqual(["no_play:"]);
  const cube = verdict({
    said: "roll",
    best: "roll",
    tried: [
      { said: "roll", worth: 0.6251, error: 0, tops: null },
      { said: "double", worth: 0.61, error: 0, tops: null },
    ],
  });
  expect(reasons(analysis({ deals: 0, unit: "match" }), cube, "backgammon", strong).slice(1)).toEqual([
    "exact: roll 62.5 %",
    "next: double 61.0",
  ]);
  const stuck = { said: "A1-B2", worth: -1, error: 0, tops: null };
  const pair = verdict({ said: "A1-B2", best: "C3-D4", loss: 9, tried: [{ ...stuck, said: "C3-D4", worth: 8 }, stuck] });
  expect(reasons(analysis({ unit: "pairs", deals: 0 }), pair, "lianliankan", strong).slice(1)).toEqual([
    "leaves: A1-B2 0",
    "leaves: C3-D4 8",
  ]);
  const last = verdict({ said: "A1-B2", best: "A1-B2", weighed: 1, tried: [{ ...stuck, worth: 0 }] });
  expect(reasons(analysis({ unit: "pairs", deals: 0 }), last, "lianliankan", strong).slice(1)).toEqual(["not_only:", "leaves: A1-B2 0"]);
});

test("a forced end is no chance, and an opening move is one of the book", () => {
  const moves = analysis({ unit: "win", deals: 0 });
  const mates = { said: "车4平5", best: "车4平5", worth: 100, said_line: ["车4平5"] };
  expect(reasons(moves, verdict(mates), "xiangqi", strong).slice(1)).toEqual(["win: 车4平5 forced"]);
  expect(reasons(moves, verdict({ ...mates, said: "车4进1", loss: 60 }), "xiangqi", strong)[1]).toBe("win_less: 车4进1 40.0 车4平5 forced");
  const only = verdict({ ...mates, worth: 0, weighed: 1 });
  expect(reasons(moves, only, "xiangqi", strong).slice(1)).toEqual(["not_only:", "win: 车4平5 lost"]);
  expect(reasons(moves, verdict({ ...mates, kind: "book", worth: 52 }), "xiangqi", strong).slice(1)).toEqual(["book:", "win: 车4平5 52.0"]);
});
