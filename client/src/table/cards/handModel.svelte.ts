// What lies before me at a table of cards: the cards I have raised, whether they may go, how they read. One a table view;
// cloth, hand, sidebar and plates share it. Whatever may be done stands in the hall's hints; here it is looked up.
import { cards as cut, counted } from "../../kit/cards";
import { chosen, NOTHING, pickedOf, type Picked, same, size, within } from "../../kit/hand/pick";
import { type Sort, SORTS } from "../../kit/hand/sort";
import { halves, type Say, why } from "../../lang.svelte";
import type { Refusal } from "../../net/protocol";
import { prefs } from "../../shell/prefs.svelte";
import type { Act } from "../ActionBar.svelte";
import type { TableView } from "../game";
import { factWords, named, number, setWords, some, speaker } from "./words";

/** What a hand model reads of a view. */
export interface CardView {
  /** Own cards as one text; a hand model whose view has them otherwise says what is `held`. */
  readonly hand: unknown;
  readonly phase: string;
  readonly turn: readonly number[];
}

/** What a hand model reads of hints: gouji's `hints.py` is the model. */
export interface CardHints {
  readonly ask: string;
  /** Every selection that may be sent, its cards first; what is behind them is the game's own. */
  readonly choices: readonly (readonly [cards: string, ...rest: unknown[]])[];
  /** The list was cut: what is not in it is asked about with `try`. */
  readonly more: boolean;
  /** What may be done besides: pass, declare, burn … */
  readonly others: readonly string[];
  /** A card of the hand that is in no choice, and the code of what stands in its way. */
  readonly why: Readonly<Record<string, string>>;
  /** A few good choices: what "hint" goes through. */
  readonly best: readonly string[];
  /** How many cards are wanted. */
  readonly need?: number | null;
}

/** What the reading bar says, as `table/Reading.svelte` wants it. */
export interface Reading {
  state: "ready" | "open" | "bad" | "plain";
  text: string;
  more: string;
  code?: string;
}

/** One hand model a table view, made when it is first asked for. */
export function handModels<F extends object, D>(make: (tableView: F) => D): (tableView: F) => D {
  const made = new WeakMap<F, D>();
  return (tableView) => {
    let model = made.get(tableView);
    // It lives as long as its table, whichever part of the page asks for it first; on a server nothing lives.
    if (!model) $effect.root(() => void (model = make(tableView)));
    model ??= make(tableView);
    made.set(tableView, model);
    return model;
  };
}

export abstract class HandModel<V extends CardView, A extends { a: string }, H extends CardHints> {
  readonly tableView: TableView<V, A, H>;
  /** The words of the game, spaced as the language wants it. */
  readonly say: Say;
  /** All cards low to high, marked ones in places of their own: columns of the hand, words of a set. */
  readonly order: readonly string[];
  picked: Picked = $state.raw(NOTHING);
  sort: Sort = $state("rising");
  /** Which of the hall's suggestions is raised, −1 none. */
  hint = $state(-1);
  /** Why a card that was tapped may not be played, or what the hall said of a selection. */
  said: Refusal | null = $state.raw(null);
  /** The selection that the hall has judged. */
  judged = $state("");
  /** The last trick is shown again. */
  again = $state(false);
  /** Width of my own plate, px: the reading bar stands beside it. */
  ownPlate = $state(0);
  /** When a question without an answer passes by itself, ms by my clock; null: it does not. */
  leaving: number | null = $state(null);
  /** Of the question asked now: I want to think although there is nothing to play. */
  stay = $state(false);
  /** A key for the hand, set by whoever draws it; true when it was used. */
  handKey: (event: KeyboardEvent) => boolean = () => false;

  constructor(tableView: TableView<V, A, H>, order: readonly string[]) {
    this.tableView = tableView;
    this.order = order;
    this.say = speaker(tableView);
    const kept = prefs.all.sort[tableView.info.game] as Sort;
    if (SORTS.includes(kept)) this.sort = kept;
  }

  /** What the bar says while nothing is raised and I am asked; while somebody else is. */
  protected abstract question(): Reading;
  protected abstract waiting(): Reading;

  get view(): V | null {
    return this.tableView.view;
  }
  get hints(): H | null {
    return this.tableView.hints;
  }
  /** What the seat at the bottom sees: in a replay with open hands its hand lies there. */
  get own(): V | null {
    return this.tableView.mode === "replay" ? (this.tableView.seen?.[this.tableView.viewpoint] ?? this.view) : this.view;
  }
  /** Am I asked, and what? */
  get asked(): H["ask"] | null {
    return this.tableView.mode === "play" || this.tableView.mode === "lesson" ? (this.hints?.ask ?? null) : null;
  }
  get held(): string[] {
    return cut(this.own?.hand as string | null | undefined);
  }
  get selection(): string {
    return chosen(this.picked, this.order).join("");
  }
  get size(): number {
    return size(this.picked);
  }
  /** The raised cards as a choice of the hall's list. */
  get choice(): H["choices"][number] | null {
    const cards = this.selection;
    return (cards && this.hints?.choices.find((one) => one[0] === cards)) || null;
  }
  /** The codes that do not dim a card: what merely does not fit the table is said when a selection is read back. */
  protected readonly bright: readonly string[] = ["not_higher", "wrong_count"];
  /** Cards that a duty or a house rule keeps in the hand, with its code. */
  get off(): Record<string, string> {
    if (!this.asked || this.hints!.more) return {};
    return Object.fromEntries(Object.entries(this.hints!.why).filter(([, code]) => !this.bright.includes(code)));
  }
  /** Cards that, added to what is raised, may still become a choice; null when the list is cut. */
  get glow(): ReadonlySet<string> | null {
    const hints = this.hints;
    if (!this.asked || !hints || hints.more) return null;
    const found = new Set<string>();
    for (const [cards] of hints.choices) {
      const list = cut(cards);
      if (!covers(list, this.picked)) continue;
      for (const card of list) found.add(card);
    }
    return found;
  }
  /** May what is raised be sent? Without the whole list the hall is asked. */
  get ready(): boolean {
    return this.choice !== null || (!!this.hints?.more && this.size > 0 && this.judged === this.selection && !this.said);
  }
  /** Is there a choice that has more than what is raised? */
  get couldGrow(): boolean {
    return !!this.hints?.choices.some(([cards]) => {
      const list = cut(cards);
      return list.length > this.size && covers(list, this.picked);
    });
  }
  /** How many cards are still to be raised. */
  get lack(): number {
    return Math.max(0, (this.hints?.need ?? 0) - this.size);
  }

  may(what: string): boolean {
    return !!this.asked && !!this.hints?.others.includes(what);
  }

  pick(next: Picked): void {
    if (same(next, this.picked)) return;
    this.picked = next;
    this.hint = -1;
    this.clear();
    if (this.leaving !== null) this.stay = true;
  }

  /** Raise exactly these cards. */
  raise(cards: string): void {
    this.pick(pickedOf(cut(cards)));
  }

  /** What was refused is no longer in question. */
  clear(): void {
    this.said = null;
    this.judged = "";
    if (this.tableView.refusal) this.tableView.refuse(null);
  }

  /** A card that may not be played was tapped: say which rule forbids it. */
  tappedOff(card: string): void {
    const code = this.off[card];
    if (code) this.said = { code, facts: { need: this.hints?.need ?? 0, got: this.size || 1, cards: card } };
  }

  /** Raise the next of the hall's suggestions. */
  nextHint(): void {
    const best = this.hints?.best ?? [];
    if (!this.asked || !best.length) return;
    const at = (this.hint + 1) % best.length;
    this.raise(best[at]!);
    this.hint = at;
  }

  sortBy(sort: Sort): void {
    this.sort = sort;
    prefs.set("sort", { ...prefs.all.sort, [this.tableView.info.game]: sort });
  }

  nextSort(): void {
    this.sortBy(SORTS[(SORTS.indexOf(this.sort) + 1) % SORTS.length]!);
  }

  /** The action that a selection is, in the question asked now; null where cards answer nothing. */
  protected sending(cards: string): A | null {
    return { a: "play", cards } as unknown as A;
  }
  /** Is a selection of this question judged by the hall when it is in no list? */
  protected get judges(): boolean {
    return true;
  }

  /** What is in no list is judged by the hall, so that a refusal can say why. */
  async judge(): Promise<void> {
    const cards = this.selection;
    if (!cards || this.choice || !this.asked || !this.judges) return;
    // Too few yet, of what may become a set: nothing is wrong with that.
    if (this.couldGrow && !this.hints!.more && this.size < (this.hints!.need ?? 0)) return;
    const action = this.sending(cards);
    if (!action) return;
    const refusal = await this.tableView.attempt(action, true);
    if (cards !== this.selection) return;
    this.said = refusal;
    this.judged = cards;
  }

  async play(): Promise<void> {
    if (this.tableView.busy || !this.asked) return;
    const cards = this.selection;
    const action = cards ? this.sending(cards) : null;
    if (action && !(await this.tableView.act(action))) this.pick(NOTHING);
  }

  /** Do something that needs no cards: pass, and what a game has besides. */
  async other(a: string): Promise<void> {
    if (this.tableView.busy || !this.may(a)) return;
    if (!(await this.tableView.act({ a } as A))) this.pick(NOTHING);
  }

  /** A new question: nothing of the old one counts any more. */
  asking(): void {
    this.hint = -1;
    this.stay = false;
    this.clear();
  }

  /** The hand has changed: keep of the raised cards what is still there. */
  rehand(): void {
    const kept = within(this.picked, counted(this.held));
    if (!same(kept, this.picked)) this.picked = kept;
  }

  nameYou(seat: number): string {
    return named(this.tableView, seat);
  }

  /** A set in words. */
  words(cards: string | readonly string[]): string {
    return setWords(this.say, cards, this.order);
  }

  /** What a choice means, in words behind it. */
  meaning(_choice: H["choices"][number]): string {
    return "";
  }

  /** A selection that is a choice, read back. */
  protected read(choice: H["choices"][number]): Reading {
    return { state: "ready", text: this.words(choice[0]), more: this.meaning(choice) };
  }

  /** The reading bar: the selection in words, or what is asked, or who is awaited. */
  get reading(): Reading {
    const { tableView, view } = this;
    if (!view) return plain("");
    const refusal = this.said ?? tableView.refusal;
    if (refusal && refusal.code === refusal.code.toLowerCase()) return this.refused(refusal);
    const cards = this.selection;
    if (!this.asked && this.prepared && (!cards || cards === this.preparedCards)) {
      const what = this.preparedCards ? this.words(this.preparedCards) : this.say("cards.passed");
      return plain(what, this.say("cards.prepared"));
    }
    if (!this.asked) return cards ? plain(this.words(cards), this.say("cards.not_yet")) : this.waiting();
    const choice = this.choice;
    if (choice) return this.read(choice);
    if (!cards) return this.question();
    if (this.ready) return { state: "ready", text: this.words(cards), more: "" };
    const more = this.lack > 0 ? this.say("cards.lacking", { n: number(this.say, this.lack) }) : "";
    return { state: "open", text: this.words(cards), more };
  }

  /** A refusal: the name of the rule, and what is in the way. */
  protected refused(refusal: Refusal): Reading {
    const facts = factWords(this.tableView, refusal.facts, (cards) => this.words(cards));
    const [name, rest] = halves(why({ code: refusal.code, facts }, this.tableView.info.game));
    return { state: "bad", text: name || rest, more: name ? rest : "", code: refusal.code };
  }

  // ---- prepared for my turn (P-113) ---------------------------------------------------------------------------------

  /** The phases in which it may be prepared what I do when my turn comes. */
  protected readonly ahead: readonly string[] = [];
  /** May I prepare something now? */
  get prepares(): boolean {
    const { tableView, view } = this;
    const seated = tableView.mode === "play" && tableView.seat !== null && tableView.seat < tableView.players;
    return seated && tableView.prepare !== undefined && !this.asked && this.held.length > 0 && this.ahead.includes(view?.phase ?? "");
  }
  /** What the hall keeps for my turn; null: nothing. */
  get prepared(): A | null {
    return this.tableView.prepared?.[0]?.[0] ?? null;
  }
  /** Its cards as a selection is written, "" for a pass. */
  get preparedCards(): string {
    const cards = (this.prepared as { cards?: string | readonly string[] } | null)?.cards ?? "";
    return typeof cards === "string" ? cards : chosen(pickedOf(cards), this.order).join("");
  }
  /** May I let a turn go beforehand? */
  protected get passes(): boolean {
    return true;
  }

  async prepare(action: A | null): Promise<void> {
    await this.tableView.prepare?.(action ? [[action]] : []);
  }
  prepareCards(): void {
    const action = this.prepares && this.size ? this.sending(this.selection) : null;
    if (action) void this.prepare(action);
  }
  preparePass(): void {
    if (this.prepares && this.passes) void this.prepare({ a: "pass" } as A);
  }

  /** What may be prepared, or put back: its key, its words, whether it is prepared now. */
  get aheads(): { id: string; on: boolean; label: string; key: string; run: () => void }[] {
    const { say, prepared, size } = this;
    if (!this.prepares) return [];
    const fresh = size > 0 && this.selection !== this.preparedCards;
    const list = [];
    if (prepared) list.push({ id: "kept", on: true, label: say("cards.unprepare"), key: "Esc", run: () => void this.prepare(null) });
    if (fresh) list.push({ id: "cards", on: false, label: say("cards.prepare"), key: "↵", run: () => this.prepareCards() });
    else if (!prepared && this.passes) {
      list.push({ id: "pass", on: false, label: say("cards.prepare_pass"), key: "P", run: () => this.preparePass() });
    }
    return list;
  }

  /** The word on the red button; what stands there instead while what is raised cannot be sent. */
  get playWord(): string {
    return this.say("cards.play");
  }
  get unready(): string | null {
    const { say } = this;
    if (this.ready && !this.tableView.busy) return null;
    if (!this.size) return say("cards.choose");
    const need = this.hints?.need;
    return need && this.size !== need ? say("cards.other_count") : say("cards.not_so");
  }
  /** What lets the question go unanswered: its action and button; null where it may not be. */
  get letGo(): Act | null {
    const { say } = this;
    return this.may("pass") ? this.button("pass", say("cards.pass"), "P", say("cards.pass_title")) : null;
  }
  /** The game's own buttons, between the hint and the one that lets go. */
  get special(): Act[] {
    return [];
  }
  /** Is the red button there? */
  get plays(): boolean {
    return true;
  }

  /** The buttons over the hand, quiet to strong. */
  get acts(): Act[] {
    const { say } = this;
    const best = this.hints?.best ?? [];
    const list: Act[] = [];
    if (this.leaving !== null) list.push({ id: "stay", label: say("cards.stay"), run: () => (this.stay = true) });
    if (best.length) {
      const label = this.hint >= 0 && best.length > 1 ? say("cards.hint_n", { n: this.hint + 1, of: best.length }) : say("cards.hint");
      list.push({ id: "hint", label, key: "H", run: () => this.nextHint() });
    }
    list.push(...this.special);
    if (this.letGo) list.push(this.letGo);
    if (this.plays) {
      list.push({ id: "play", label: this.playWord, primary: true, off: this.unready, key: "Enter", run: () => void this.play() });
    }
    return list;
  }

  /** A button for an action without cards. */
  protected button(a: string, label: string, key: string, title?: string): Act {
    return { id: a, label, key, title, run: () => void this.other(a) };
  }

  /** Who has few cards left, by seat; null where it is not known or nobody's business (P-20). */
  get few(): readonly (number | null)[] {
    return [];
  }

  /** The table in a few sentences, for the key V. */
  get aloud(): string {
    const { tableView, say } = this;
    if (!this.view) return "";
    const { text, more } = this.reading;
    const few = this.few.flatMap((n, seat) =>
      n && seat !== tableView.seat ? [say("cards.say_left", { name: tableView.nameOf(seat), n })] : [],
    );
    return [this.asked ? say("cards.say_turn") : "", text, more, ...few].filter(Boolean).join(say("cards.stop"));
  }

  /** A column of the hand for those who listen: "nines, three, two chosen". */
  columnName = (card: string, held: number, raised: number): string => {
    const { say } = this;
    const words = some(say, card, held);
    return raised ? say("cards.column_up", { cards: words, n: number(say, raised) }) : say("cards.column", { cards: words });
  };
}

export const plain = (text: string, more = ""): Reading => ({ state: "plain", text, more });

/** Does a set hold at least what is raised? */
function covers(list: readonly string[], picked: Picked): boolean {
  const held = counted(list);
  return Object.entries(picked).every(([card, k]) => (held.get(card) ?? 0) >= k);
}
