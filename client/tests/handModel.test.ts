import { beforeEach, expect, test } from "vitest";
import { type CardHints, type CardView, HandModel, plain } from "../src/table/cards/handModel.svelte";
import type { TableView } from "../src/table/game";
import type { Refusal } from "../src/net/protocol";

interface Action {
  a: string;
  cards?: string;
}
const ORDER = ["3", "4", "5", "6", "7", "8", "9"];

class Hand extends HandModel<CardView, Action, CardHints> {
  protected question = () => plain("your turn");
  protected waiting = () => plain("wait");
}

const sent: Action[] = [];
let answer: Refusal | null = null;
beforeEach(() => {
  sent.length = 0;
  answer = null;
});

/** A hand at a table: its cards, and what the hall says of them. */
function hand(cards: string, hints: Partial<CardHints> | null, mode = "play"): Hand {
  const whole = hints && { ask: "answer", choices: [], more: false, others: [], why: {}, best: [], ...hints };
  const act = (action: Action) => {
    sent.push(action);
    return Promise.resolve(answer);
  };
  const tableView = {
    mode,
    info: { game: "gouji" },
    view: { hand: cards, phase: "play", turn: [0] },
    hints: whole,
    refusal: null,
    busy: false,
    say: (key: string, facts?: Record<string, unknown>) => `${key}${facts?.n ? `:${String(facts.n)}` : ""}`,
    act,
    attempt: act,
    refuse: () => undefined,
  };
  return new Hand(tableView as unknown as TableView<CardView, Action, CardHints>, ORDER);
}

test("what is raised is a choice when the hall lists it", () => {
  const model = hand("3399", { choices: [["33"], ["99"]] });
  model.raise("3");
  expect([model.selection, model.choice, model.ready, model.couldGrow]).toEqual(["3", null, false, true]);
  model.raise("33");
  expect([model.choice, model.ready, model.couldGrow]).toEqual([["33"], true, false]);
});

test("cards that may still become a choice glow, those that a rule keeps are off", () => {
  const model = hand("33499", { choices: [["33"], ["99"]], why: { "4": "threes_last", "5": "not_higher" } });
  expect([...model.glow!]).toEqual(["3", "9"]);
  model.raise("9");
  expect([...model.glow!]).toEqual(["9"]);
  expect(model.off).toEqual({ "4": "threes_last" }); // what merely does not fit the table is not dimmed
  model.tappedOff("4");
  expect(model.said).toMatchObject({ code: "threes_last", facts: { cards: "4", got: 1 } });
});

test("suggestions are gone through in a ring", () => {
  const model = hand("3399", { choices: [["33"], ["99"]], best: ["33", "99"] });
  const raised = [0, 1, 2].map(() => (model.nextHint(), model.selection));
  expect(raised).toEqual(["33", "99", "33"]);
  model.raise("9");
  expect(model.hint).toBe(-1);
});

test("what is taken leaves the hand at rest, what is refused stays raised", async () => {
  const model = hand("3399", { choices: [["33"]] });
  model.raise("33");
  answer = { code: "not_higher", facts: {} };
  await model.play();
  expect([sent, model.selection]).toEqual([[{ a: "play", cards: "33" }], "33"]);
  answer = null;
  await model.play();
  expect(model.selection).toBe("");
});

test("what is in no list is judged by the hall, and then may go", async () => {
  const model = hand("3399", { more: true });
  model.raise("39");
  answer = { code: "not_a_set", facts: {} };
  await model.judge();
  expect([sent, model.said?.code, model.ready]).toEqual([[{ a: "play", cards: "39" }], "not_a_set", false]);
  model.raise("99");
  answer = null;
  await model.judge();
  expect(model.ready).toBe(true);
});

test("nothing is sent by who is not asked", async () => {
  const model = hand("3399", null);
  model.raise("33");
  await model.play();
  await model.other("pass");
  expect([sent, model.asked, model.may("pass")]).toEqual([[], null, false]);
  expect(hand("33", { others: ["pass"] }, "watch").may("pass")).toBe(false);
});

test("cards that have left the hand are no longer raised", () => {
  const model = hand("39", { choices: [] });
  model.raise("339");
  model.rehand();
  expect(model.selection).toBe("39");
});

test("the order of the hand is chosen once for each game", () => {
  const model = hand("39", null);
  expect([model.sort, (model.nextSort(), model.sort), hand("39", null).sort]).toEqual(["rising", "falling", "falling"]);
});

test("while others play cards or a pass are prepared, put back and read back", async () => {
  const kept: unknown[] = [];
  const model = hand("3399", null);
  Object.assign(model, { ahead: ["play"] });
  Object.assign(model.tableView, {
    seat: 0,
    players: 2,
    prepared: [],
    prepare: (lines: unknown) => Promise.resolve(void kept.push(lines)),
  });
  expect(model.aheads.map((one) => [one.id, one.on])).toEqual([["pass", false]]);
  model.preparePass();
  model.raise("33");
  expect(model.aheads.map((one) => one.id)).toEqual(["cards"]);
  model.prepareCards();
  Object.assign(model.tableView, { prepared: [[{ a: "play", cards: "33" }]] });
  expect([model.preparedCards, model.reading.more]).toEqual(["33", "cards.prepared"]);
  expect(model.aheads.map((one) => [one.id, one.on])).toEqual([["kept", true]]);
  await model.prepare(null);
  expect(kept).toEqual([[[{ a: "pass" }]], [[{ a: "play", cards: "33" }]], []]);
});

test("nothing is prepared by whoever is asked, watches, or has no cards", () => {
  for (const model of [hand("33", {}), hand("33", null, "watch"), hand("", null)]) {
    Object.assign(model, { ahead: ["play"] });
    Object.assign(model.tableView, { seat: 0, players: 2, prepare: () => Promise.resolve(null) });
    expect(model.aheads).toEqual([]);
  }
});
