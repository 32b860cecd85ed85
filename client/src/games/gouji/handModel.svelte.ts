// What lies before me at a gouji table, above what every climbing game has: burning and its duty, closing, tribute.
import { cards as cut } from "../../kit/cards";
import { NOTHING } from "../../kit/hand/pick";
import type { Act } from "../../table/ActionBar.svelte";
import { handModels, plain, type Reading } from "../../table/cards/handModel.svelte";
import { deals, sums } from "../../table/cards/ledger";
import { number, rankWords, signed } from "../../table/cards/words";
import { ClimbHandModel } from "../../table/climb/handModel.svelte";
import type { TableView } from "../../table/game";
import { type Action, type Choice, type Hints, opposite, ORDER, SIDES, type View } from "./view";

export type GoujiTableView = TableView<View, Action, Hints>;

/** The hand model of a table view. */
export const modelOf = handModels((tableView: GoujiTableView) => new GoujiHandModel(tableView));

export class GoujiHandModel extends ClimbHandModel<View, Action, Hints> {
  /** When the even pause after a restricted set began, ms by my clock. */
  pause: number | null = $state(null);
  /** The set that is put down as soon as my burn stands. */
  burnWith: string | null = null;
  protected override readonly answers = ["answer", "close"];

  constructor(tableView: GoujiTableView) {
    super(tableView, ORDER);
  }

  /** My side's points over the deals of this table, in a few words. */
  get standing(): string {
    const both = sums(deals(this.tableView, SIDES));
    return both ? this.say("ui.standing", { n: signed(both[this.tableView.viewpoint % 2]!) }) : "";
  }
  /** How long the even pause after a restricted set lasts, ms. */
  get pauseMs(): number {
    const { info, options } = this.tableView;
    return 1000 * ((info.clock?.type === "move" && info.clock.asks?.burn) || options.burn_seconds);
  }
  /** A burn is sent by its own button, and only what keeps the condition. */
  override get ready(): boolean {
    return this.asked === "burn" ? this.choice !== null : super.ready;
  }
  protected override get judges(): boolean {
    return this.asked !== "burn" && this.asked !== "tribute";
  }
  protected override sending(cards: string): Action {
    return { a: this.asked === "tribute" ? "return" : "play", cards };
  }
  override get playWord(): string {
    return this.say(this.asked === "tribute" ? "ui.return" : "cards.play");
  }
  override get letGo(): Act | null {
    const { say, tableView } = this;
    if (!this.may("close")) return super.letGo;
    return this.button("close", say("ui.close"), "P", say("ui.close_title", { name: tableView.nameOf(this.view?.owner ?? 0) }));
  }
  override get special(): Act[] {
    const { say } = this;
    return this.may("wind") ? [this.button("wind", say("ui.wind"), "W", say("ui.wind_title"))] : [];
  }

  override async play(): Promise<void> {
    if (this.asked === "burn") return this.burn();
    await super.play();
  }

  async burn(): Promise<void> {
    if (this.tableView.busy || !this.may("burn")) return;
    this.burnWith = this.choice?.[0] ?? null;
    await this.tableView.act({ a: "burn" });
  }

  override asking(): void {
    super.asking();
    const hints = this.hints;
    if (this.asked === "burn") {
      if (!this.choice) this.raise(hints?.best[0] ?? hints?.choices[0]?.[0] ?? "");
    } else if (this.asked === "burn_play" && this.burnWith && hints?.choices.some(([cards]) => cards === this.burnWith)) {
      // One click was enough: the set that the panel named goes down.
      const cards = this.burnWith;
      this.burnWith = null;
      void this.tableView.act({ a: "play", cards }).then((refusal) => refusal || this.pick(NOTHING));
    }
    if (this.asked !== "burn") this.burnWith = null;
  }

  /** "对门 石头记", or the names of all who may answer. */
  answerersWords(): string {
    return this.view?.answerers.map((seat) => this.nameYou(seat)).join(this.say("cards.or")) ?? "";
  }

  /** What a choice means, in words: who may answer it, whether anything unseen beats it. */
  override meaning(choice: Choice): string {
    const { tableView } = this;
    const flags = choice[5];
    const parts: string[] = [];
    if (flags.includes("o")) parts.push(this.say("cards.goes_out"));
    if (flags.includes("u")) parts.push(this.say("cards.unbeaten"));
    else if (flags.includes("r") && tableView.seat !== null)
      parts.push(this.say("ui.only_may", { name: tableView.nameOf(opposite(tableView.seat)) }));
    return parts.join(this.say("cards.comma"));
  }

  protected override read(choice: Choice): Reading {
    const { say } = this;
    if (this.asked === "tribute") return { state: "ready", text: this.words(choice[0]), more: say("ui.return_ok") };
    const words = this.words(choice[0]) + (choice[5].includes("g") ? ` · ${say("ui.gouji")}` : "");
    return { state: "ready", text: words, more: this.meaning(choice) };
  }

  protected override get leadMore(): string {
    return this.hints?.duty ? this.dutyWords() : "";
  }
  protected override question(): Reading {
    const { say } = this;
    if (this.asked === "tribute") return plain(say("ui.ask_return", { n: number(say, this.hints?.need ?? 1) }));
    if (this.asked === "burn_play") return plain(say("ui.ask_burn_play", { name: this.tableView.nameOf(this.view?.owner ?? 0) }));
    return super.question();
  }

  /** The duty of a burner: "每套须带王 · 余 2 王 3 种". */
  dutyWords(): string {
    const duty = this.hints?.duty;
    const { say } = this;
    return duty ? say("ui.duty", { jokers: number(say, duty.jokers), kinds: number(say, duty.points.length) }) : "";
  }

  protected override get topWords(): string {
    const words = super.topWords;
    return words && this.view?.restricted ? `${words} · ${this.say("ui.gouji")}` : words;
  }
  protected override waiting(): Reading {
    const { tableView, view, say } = this;
    const turn = view?.turn[0] ?? 0;
    if (view?.phase === "tribute") return plain(say("ui.wait_return", { name: tableView.nameOf(turn) }));
    if (view?.phase === "burn_play") {
      const victim = view.owner === null ? "" : this.nameYou(view.owner);
      return plain(say("ui.wait_burn", { name: tableView.nameOf(turn), victim }));
    }
    if (!view?.restricted || view.phase === "over" || view.phase === "deal") return super.waiting();
    // The same words whether or not anybody is asked to burn, and whether or not I was.
    const me = tableView.seat;
    const idle = me !== null && view.owner !== me && view.places[me] == null && !view.answerers.includes(me);
    const only = view.answerers.length ? say("ui.only_may", { name: this.answerersWords() }) : "";
    return plain(this.topWords, only + (idle ? say("ui.idle_you") : ""));
  }

  /** The question of the burn panel, and the two chips that prove the condition. */
  get burning(): { title: string; line: string; chips: [string, boolean][]; set: string; kinds: string; jokers: number } | null {
    const { tableView, view, hints } = this;
    if (this.asked !== "burn" || !view || !hints || view.owner === null) return null;
    const { say } = this;
    const choice = this.choice;
    const title = say("ui.burn_ask", { name: tableView.nameOf(view.owner), set: this.words(view.top ?? "") });
    if (!choice) return { title, line: say("ui.burn_pick"), chips: [], set: "", kinds: "", jokers: 0 };
    const rest = hints.rests[choice[0]];
    const set = this.words(choice[0]);
    const points = cut(rest?.points);
    const chips: [string, boolean][] = rest
      ? [
          [
            points.length ? say("ui.burn_rest", { ranks: rankWords(points), n: number(say, points.length) }) : say("ui.burn_rest_none"),
            false,
          ],
          [rest.jokers ? say("ui.burn_jokers", { n: number(say, rest.jokers) }) : say("ui.burn_last"), true],
        ]
      : [];
    return { title, line: say("ui.burn_line", { set }), chips, set, kinds: rankWords(points), jokers: rest?.jokers ?? 0 };
  }
}
