// What lies before me at a shengji table: declaring while cards fall, the kitty, leads and throws, following by shape.
import { cards as cut } from "../../kit/cards";
import { exactly, NOTHING, type Picked, pickedOf, size as sizeOf } from "../../kit/hand/pick";
import type { Refusal } from "../../net/protocol";
import { HandModel, type CardHints, handModels, plain, type Reading } from "../../table/cards/handModel.svelte";
import { deals, sums } from "../../table/cards/ledger";
import { number, signed } from "../../table/cards/words";
import type { TableView } from "../../table/game";
import {
  type Action,
  type Call,
  cardWords,
  drawing,
  type Hints,
  isOver,
  ORDER,
  type Over,
  sameSide,
  shapeWords,
  SIDES,
  trumpWords,
  type View,
  worthOf,
  written,
} from "./view";

export type ShengjiTableView = TableView<View, Action, Hints>;

/** The hand model of a table view. */
export const modelOf = handModels((tableView: ShengjiTableView) => new ShengjiHandModel(tableView));

/** A choice of the hall's: its cards as a selection is written, then what it is. */
type Choice = readonly [written: string, type: string, length: number, cards: readonly string[], flags: string, over: Over | null];

/** The hall's hints with every set of cards written as a selection is. */
interface Asked extends CardHints {
  readonly choices: readonly Choice[];
  readonly calls: readonly Call[];
  readonly must: readonly string[];
  readonly loose: boolean;
  readonly sets: readonly (readonly string[])[];
  readonly limit: number | null;
}

const asked = (hints: Hints): Asked => ({
  ask: hints.ask,
  choices: hints.choices.map(([type, length, cards, flags, over]) => [written(cards), type, length, cards, flags, over]),
  more: hints.more,
  others: hints.ask === "declare" ? ["pass"] : [],
  why: hints.why,
  best: hints.best.map(written),
  need: hints.need,
  calls: hints.calls,
  must: hints.must,
  loose: hints.loose,
  sets: hints.sets,
  limit: hints.limit,
});

export class ShengjiHandModel extends HandModel<View, Action, Asked> {
  /** When the last card fell or the last declaration was made, ms by my clock: the fairness window runs from there. */
  window: number | null = $state(null);
  /** What has just come back from a throw that failed; for a few seconds. */
  returned: Readonly<Record<string, number>> = $state.raw({});
  /** Bring the focus to the next declare button; set by whoever draws them. */
  nextCall: () => void = () => undefined;

  readonly #hints: Asked | null = $derived.by(() => {
    const hints = (this.tableView as unknown as ShengjiTableView).hints;
    return hints ? asked(hints) : null;
  });

  constructor(tableView: ShengjiTableView) {
    super(tableView as unknown as TableView<View, Action, Asked>, ORDER);
  }

  override get hints(): Asked | null {
    return this.#hints;
  }
  override get held(): string[] {
    return this.own?.hand?.flatMap(([, cards]) => cards) ?? [];
  }
  protected override readonly bright: readonly string[] = [];
  protected override readonly ahead: readonly string[] = ["playing"];
  protected override get passes(): boolean {
    return false; // everybody plays to every trick
  }
  /** Why a card may not be played: also where the list of plays was cut. */
  override get off(): Record<string, string> {
    return this.asked ? { ...this.hints!.why } : {};
  }
  /** While a follow is not yet whole: what may go with the cards that are raised. */
  override get glow(): ReadonlySet<string> | null {
    return this.follows && !this.hints!.loose && this.size > 0 && this.lack > 0 ? super.glow : null;
  }
  /** The group a card of my hand follows with. */
  groupOf(card: string): string | null {
    return this.view?.hand?.find(([, cards]) => cards.includes(card))?.[0] ?? null;
  }
  get chosen(): string[] {
    return this.held.filter((card, i, all) => all.slice(0, i).filter((one) => one === card).length < (this.picked[card] ?? 0));
  }

  // ---- the question -------------------------------------------------------------------------------------------------

  get leads(): boolean {
    return this.asked === "lead";
  }
  get follows(): boolean {
    return this.asked === "follow";
  }
  get buries(): boolean {
    return this.asked === "bury";
  }
  /** May I still declare, and with what? */
  get calls(): readonly Call[] {
    return drawing(this.view?.phase) && this.asked ? (this.hints?.calls ?? []) : [];
  }
  get oneGroup(): boolean {
    return new Set(this.chosen.map((card) => this.groupOf(card))).size === 1;
  }
  /** A lead of more than one component. */
  get throws(): boolean {
    return this.leads && this.size > 1 && this.choice === null && this.oneGroup;
  }
  /** The components of a lead, read off the hall's list: the first it holds, again and again. */
  get parts(): Choice[] {
    const left = new Map<string, number>(Object.entries(this.picked));
    const found: Choice[] = [];
    for (const one of this.hints?.choices ?? []) {
      const wants = pickedOf(one[3]);
      while (Object.entries(wants).every(([card, k]) => (left.get(card) ?? 0) >= k)) {
        for (const [card, k] of Object.entries(wants)) left.set(card, left.get(card)! - k);
        found.push(one);
      }
    }
    return found;
  }
  override get ready(): boolean {
    const hints = this.hints;
    if (!hints || !this.size) return false;
    if (this.leads) return this.oneGroup;
    if (this.buries) return this.size === hints.need && (hints.limit === null || worthOf(this.chosen) <= hints.limit);
    if (!this.follows) return false;
    if (hints.loose)
      return this.size === hints.need && Object.entries(pickedOf(hints.must)).every(([card, k]) => (this.picked[card] ?? 0) >= k);
    return super.ready;
  }
  protected override get judges(): boolean {
    // A lead of two suits, a kitty or a follow of the right size that is not allowed: the hall says why.
    if (this.ready && !this.hints?.more) return false;
    return this.leads || this.size === this.hints?.need;
  }
  protected override sending(text: string): Action {
    return { a: this.buries ? "bury" : "play", cards: cut(text) };
  }

  // ---- choosing -----------------------------------------------------------------------------------------------------

  /** What a tap makes of the selection: the whole pair or run first, then one of it, more, none. */
  tap = (picked: Picked, card: string, held: number): Picked => {
    const hints = this.hints;
    const k = picked[card] ?? 0;
    const set = this.asked ? hints?.sets.find((one) => one.includes(card)) : undefined;
    const wants = set ? pickedOf(set) : null;
    const need = this.follows ? (hints?.need ?? null) : null;
    if (k === 0) {
      // A lead is of one suit: a tap on another begins anew. A follow that is full makes room.
      let base = picked;
      if (this.leads && this.size && this.groupOf(this.chosen[0] ?? "") !== this.groupOf(card)) base = NOTHING;
      const raise = wants ?? { [card]: 1 };
      const merged = Object.entries(raise).reduce((next, [one, n]) => exactly(next, one, Math.max(n, next[one] ?? 0), n), base);
      return need !== null && sizeOf(merged) > need && (wants || need === 1) ? raise : merged;
    }
    if (wants && set!.length > 1 && Object.entries(wants).every(([one, n]) => (picked[one] ?? 0) === n)) {
      const without = Object.keys(wants).reduce((next, one) => exactly(next, one, 0, 0), picked);
      return exactly(without, card, 1, held);
    }
    const whole = wants && set!.every((one) => one === card) ? wants[card]! : null;
    // Round: the set, one, two …, none; what was the set is not shown twice.
    const next = k + 1 === whole ? k + 2 : k + 1;
    return exactly(picked, card, next > held ? 0 : next, held);
  };

  override tappedOff(card: string): void {
    const code = this.off[card];
    const best = this.hints?.best[0];
    if (code)
      this.said = { code, facts: { cards: cut(best).filter((one) => !this.off[one]), need: this.hints?.need ?? 0, got: this.size } };
  }

  // ---- doing --------------------------------------------------------------------------------------------------------

  async declare(call: Call): Promise<void> {
    if (this.tableView.busy) return;
    await this.tableView.act({ a: "declare", cards: call.cards }, this.tableView.ask === null);
  }
  /** Am I asked whether I let the declaration be? Who has passed may still declare, and is asked no more. */
  get mayPass(): boolean {
    return this.asked === "declare" && this.tableView.ask !== null;
  }
  async pass(): Promise<void> {
    if (this.mayPass && !this.tableView.busy) await this.tableView.act({ a: "pass" });
  }
  override get playWord(): string {
    return this.say(this.buries ? "ui.bury" : this.throws ? "ui.throw" : "cards.play");
  }
  override get unready(): string | null {
    const { say, hints } = this;
    if (this.ready && !this.tableView.busy) return null;
    if (this.buries) {
      const over = this.size - (hints?.need ?? 0);
      return over < 0 ? say("ui.bury_lack", { n: -over }) : over > 0 ? say("ui.bury_over", { n: over }) : say("ui.bury_points_over");
    }
    return super.unready;
  }
  override get plays(): boolean {
    return this.leads || this.follows || this.buries;
  }

  // ---- words --------------------------------------------------------------------------------------------------------

  override words(cards: string | readonly string[]): string {
    return cardWords(this.say, typeof cards === "string" ? cut(cards) : cards);
  }
  /** A card of the hand for those who listen: "♥K, two, one chosen". */
  override columnName = (card: string, held: number, raised: number): string => {
    const { say } = this;
    const words = `${this.words([card])}${held > 1 ? ` ${say("ui.copies", { n: number(say, held) })}` : ""}`;
    const group = this.groupOf(card) === "T" && card.length > 1 ? ` ${say("term.group_T")}` : "";
    return raised
      ? say("cards.column_up", { cards: words + group, n: number(say, raised) })
      : say("cards.column", { cards: words + group });
  };

  /** My side's level, and the trumps. */
  get trumps(): string {
    return this.view ? trumpWords(this.say, this.view.trump) : "";
  }
  /** Which side collects: null until a dealer is known. */
  get attackers(): 0 | 1 | null {
    const dealer = this.view?.dealer;
    return dealer == null ? null : ((1 - (dealer % 2)) as 0 | 1);
  }
  get standing(): string {
    const both = sums(deals(this.tableView, SIDES));
    return both ? this.say("ui.standing", { n: signed(both[this.tableView.viewpoint % 2]!) }) : "";
  }
  /** What could beat a component that is thrown, by what I have seen. */
  #fails(over: Over): string {
    return this.say("ui.throw_may_fail", { cards: this.words([over[0]]), n: number(this.say, over[1]) });
  }

  #lead(): Reading {
    const { say } = this;
    const choice = this.choice;
    if (choice) {
      const text = `${shapeWords(say, choice[1], choice[2])} ${this.words(choice[3])}`;
      return { state: "ready", text, more: choice[5] ? "" : say("ui.highest_out") };
    }
    const parts = this.parts;
    const names = parts.map((one) => shapeWords(say, one[1], one[2]));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const text = [...counts].map(([name, n]) => (n > 1 ? `${name} ×${n}` : name)).join(say("cards.and"));
    const weak = parts.find((one) => one[5]);
    return {
      state: "ready",
      text: `${say("ui.throw")}${say("ui.colon")}${text}`,
      more: weak ? this.#fails(weak[5]!) : say("ui.throw_stands"),
    };
  }

  #follow(): Reading {
    const { say, view } = this;
    const choice = this.choice;
    const cards = this.chosen;
    const points = worthOf(cards);
    const best = view?.trick?.best;
    const flags = choice?.[4] ?? "";
    const more: string[] = [];
    if (choice) more.push(say(`how.${choice[1]}`));
    if (flags.includes("w")) more.push(say("ui.wins_now"));
    else if (points && best !== undefined)
      more.push(say(sameSide(best, this.tableView.viewpoint) ? "ui.gives_we" : "ui.gives_they", { n: points }));
    return { state: "ready", text: this.words(cards), more: more.join(say("cards.dot")) };
  }

  #bury(): Reading {
    const { say, hints } = this;
    const need = hints?.need ?? 0;
    const points = worthOf(this.chosen);
    const limit = hints?.limit ?? null;
    const text = say("ui.bury_count", { n: this.size, of: need });
    const state = limit !== null && points > limit ? "bad" : this.size === need ? "ready" : "open";
    const more = !this.size
      ? say("ui.bury_how")
      : limit !== null && points > limit
        ? say("ui.bury_limit", { limit, points })
        : points
          ? say("ui.bury_points", { points })
          : say("ui.bury_clean");
    return { state, text, more };
  }

  override get reading(): Reading {
    const refused: Refusal | null = this.said ?? this.tableView.refusal;
    if (!refused && this.view && this.asked) {
      if (this.buries) return this.#bury();
      if (this.leads && this.size && this.oneGroup) return this.#lead();
      if (this.follows && this.ready) return this.#follow();
      if (this.size && this.follows) {
        const lack = this.lack;
        const grey = Object.keys(this.off).length ? owed(this) : "";
        return {
          state: "open",
          text: this.words(this.chosen),
          more: lack ? this.say("cards.lacking", { n: number(this.say, lack) }) : grey,
        };
      }
    }
    return super.reading;
  }

  protected override question(): Reading {
    const { tableView, view, say } = this;
    if (!view) return plain("");
    if (this.leads) return plain(say("cards.ask_lead"), say("ui.lead_more"));
    const first = view.trick?.plays[0];
    if (!this.follows || !first) return plain("");
    const led = shape(this);
    return plain(say("ui.ask_follow", { name: tableView.nameOf(first.seat), shape: led, cards: this.words(first.cards) }), owed(this));
  }

  protected override waiting(): Reading {
    const { tableView, view, say } = this;
    if (!view || isOver(view.phase) || drawing(view.phase)) return plain("");
    const turn = view.turn[0];
    const name = turn === undefined || turn < 0 ? "" : tableView.nameOf(turn);
    if (view.phase === "burying") return plain(say("ui.wait_bury", { name }));
    return plain(name ? say("cards.wait", { name }) : "");
  }

  /** While cards fall: what stands, in a sentence. */
  get declared(): string {
    const last = this.view?.declarations.at(-1);
    // A position that was set up has trumps that nobody declared.
    if (!last) return this.view?.trump ? `${this.say("ui.trump")} ${this.trumps}` : this.say("ui.none_declared");
    return this.say(last.label ? `ui.did_${last.label}` : "ui.did_declare", {
      name: this.nameYou(last.seat),
      cards: this.words(last.cards),
    });
  }
}

/** What was led, by its shapes. */
function shape(model: ShengjiHandModel): string {
  const parts = model.view?.trick?.components ?? [];
  const names = parts.map(([type, length]) => shapeWords(model.say, type, length));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${name} ×${n}` : name)).join(model.say("cards.and"));
}

/** What a follow owes: so many cards, of what suit while there are any. */
function owed(model: ShengjiHandModel): string {
  const hints = model.tableView.hints as unknown as Hints | null;
  if (!hints?.group) return "";
  return Object.values(hints.why).includes("must_follow_suit")
    ? model.say("ui.grey_suit", { group: model.say(`term.group_${hints.group}`) })
    : model.say("ui.owe", { n: number(model.say, hints.need ?? 0) });
}
