// What lies before me at a dou dizhu table, above what every climbing game has: the call for the bottom cards.
import type { Act } from "../../table/ActionBar.svelte";
import { handModels, plain, type Reading } from "../../table/cards/handModel.svelte";
import { deals, sums } from "../../table/cards/ledger";
import { signed } from "../../table/cards/words";
import { ClimbHandModel } from "../../table/climb/handModel.svelte";
import type { TableView } from "../../table/game";
import { type Action, cardWords, type Choice, type Hints, ORDER, setWords, type View } from "./view";

export type DoudizhuTableView = TableView<View, Action, Hints>;

/** The hand model of a table view. */
export const modelOf = handModels((tableView: DoudizhuTableView) => new DoudizhuHandModel(tableView));

export class DoudizhuHandModel extends ClimbHandModel<View, Action, Hints> {
  /** The call that the hall suggests, once it was asked for: 0 is none; null: it was not asked. */
  advised: number | null = $state(null);
  // Nothing is kept in a hand by a duty here: what does not fit is said when it is chosen.
  protected override readonly bright = ["not_higher", "wrong_count", "wrong_kind", "not_a_set"];

  constructor(tableView: DoudizhuTableView) {
    super(tableView, ORDER);
  }

  /** My points over the deals of this table, in a few words. */
  get standing(): string {
    const all = sums(deals(this.tableView));
    return all ? this.say("ui.standing", { n: signed(all[this.tableView.viewpoint] ?? 0) }) : "";
  }
  override get fewest(): number {
    return 2;
  }

  // ---- calling ----------------------------------------------------------------------------------------------------
  /** Am I asked for a call? */
  get calling(): boolean {
    return this.asked === "bid";
  }
  /** The calls that I may make, 0 for none. */
  get calls(): readonly number[] {
    return this.calling ? [0, ...(this.hints?.bids ?? [])] : [];
  }
  /** Whose the highest call is; null while there is none. */
  get highest(): number | null {
    const { view } = this;
    const at = view && view.bid > 0 ? view.calls.indexOf(view.bid) : -1;
    return at < 0 ? null : at;
  }
  callWord(n: number): string {
    return n ? this.say("ui.bid_n", { n }) : this.say("ui.no_bid");
  }
  async bid(n: number): Promise<void> {
    if (this.tableView.busy || !this.calls.includes(n)) return;
    await this.tableView.act(n ? { a: "bid", n: n as 1 | 2 | 3 } : { a: "no_bid" });
  }
  override nextHint(): void {
    if (!this.calling) return super.nextHint();
    const best = this.hints?.best[0];
    if (best) this.advised = best.startsWith("bid:") ? Number(best.slice(4)) : 0;
  }
  override asking(): void {
    super.asking();
    this.advised = null;
  }
  override get letGo(): Act | null {
    return this.calling ? { id: "no_bid", label: this.say("ui.no_bid"), key: "P", run: () => void this.bid(0) } : super.letGo;
  }

  // ---- playing ----------------------------------------------------------------------------------------------------
  override words(cards: string | readonly string[]): string {
    return cardWords(this.say, cards);
  }
  protected override get judges(): boolean {
    return !this.calling;
  }
  override async judge(): Promise<void> {
    // A straight is raised card by card: what may still become a set is not wrong yet.
    if (this.couldGrow && !this.hints?.more) return;
    await super.judge();
    if (!this.said || !this.couldGrow) return;
    this.said = null;
    this.judged = "";
  }
  override get unready(): string | null {
    const found = super.unready;
    return found !== null && this.size > 0 && this.couldGrow ? this.say("cards.choose") : found;
  }
  protected override read(choice: Choice): Reading {
    const [cards, kind, rank, length] = choice;
    return { state: "ready", text: setWords(this.say, cards, [kind, rank, length]), more: this.meaning(choice) };
  }
  /** What a choice means, in words: whether it doubles, ends the deal, can be beaten. */
  override meaning(choice: Choice): string {
    const flags = choice[4];
    const parts: string[] = [];
    if (flags.includes("d")) parts.push(this.say("ui.doubles"));
    if (flags.includes("o")) parts.push(this.say("cards.goes_out"));
    else if (flags.includes("u")) parts.push(this.say("cards.unbeaten"));
    return parts.join(this.say("cards.comma"));
  }
  protected override get topWords(): string {
    const { view } = this;
    return view?.top && view.form
      ? `${view.owner === null ? "" : this.nameYou(view.owner)} ${setWords(this.say, view.top, view.form)}`
      : "";
  }
  protected override question(): Reading {
    const { tableView, view, say } = this;
    if (this.calling) return plain("");
    if (!view?.top || !view.form || view.owner === null) return super.question();
    const kind = view.form[0];
    return plain(
      say("cards.ask_answer", { name: tableView.nameOf(view.owner), set: setWords(say, view.top, view.form) }),
      this.stuck ? "" : kind === "bomb" ? say("ui.need_bomb") : say("ui.need", { kind: say(`kind.${kind}`) }),
    );
  }
  protected override waiting(): Reading {
    const { tableView, view, say } = this;
    const turn = view?.turn[0];
    if (view?.phase === "bid" && turn !== undefined) return plain(say("ui.wait_bid", { name: tableView.nameOf(turn) }));
    return super.waiting();
  }
}
