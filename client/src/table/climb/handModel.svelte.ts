// The hand model of a climbing game: a set lies on the table, and whoever is asked covers it or passes.
import type { TableView } from "../game";
import { HandModel, type CardHints, type CardView, plain, type Reading } from "../cards/handModel.svelte";
import { number } from "../cards/words";

/** A set that lies on the table. */
export interface Lain {
  readonly seat: number;
  readonly cards: string;
}

export interface ClimbView extends CardView {
  readonly deal: number;
  readonly trick_no: number;
  /** The set to beat, and whose it is; null for a lead. */
  readonly top: string | null;
  readonly owner: number | null;
  /** Cards held, by seat, as far as they are known. */
  readonly counts: readonly (number | null)[];
  /** The sets of this trick in order, and those of the trick before it. */
  readonly trick: readonly Lain[];
  readonly last: readonly Lain[];
}

/** Phases in which everybody waits for nothing. */
const QUIET = ["over", "deal"];

export abstract class ClimbHandModel<V extends ClimbView, A extends { a: string }, H extends CardHints> extends HandModel<V, A, H> {
  constructor(tableView: TableView<V, A, H>, order: readonly string[]) {
    super(tableView, order);
  }

  /** The questions that a set answers, and those of them which may be let go. */
  protected readonly leads: readonly string[] = ["lead"];
  protected readonly answers: readonly string[] = ["answer"];

  protected override readonly ahead: readonly string[] = ["lead", "answer", "close", "burn_wait", "burn_play"];

  /** Nothing can be put down: the hall's list is whole, and empty. */
  get stuck(): boolean {
    const hints = this.hints;
    return !!hints && this.answers.includes(this.asked ?? "") && !hints.more && hints.choices.length === 0 && this.special.length === 0;
  }
  override get plays(): boolean {
    return !this.stuck;
  }
  override get few(): readonly (number | null)[] {
    return this.view?.counts.map((n) => (n !== null && n > 0 && n <= this.fewest ? n : null)) ?? [];
  }
  /** From how many cards on a seat has few (报户). */
  get fewest(): number {
    return (this.tableView.options.report_at as number | undefined) ?? 10;
  }

  /** What is said behind the lead: a duty. */
  protected get leadMore(): string {
    return "";
  }
  protected question(): Reading {
    const { tableView, view, say } = this;
    if (!view || this.leads.includes(this.asked ?? "") || view.owner === null) return plain(say("cards.ask_lead"), this.leadMore);
    return plain(
      say("cards.ask_answer", { name: tableView.nameOf(view.owner), set: this.words(view.top ?? "") }),
      this.stuck ? "" : say("cards.need", { n: number(say, this.hints?.need ?? 0) }),
    );
  }

  /** The set to beat in words: whose it is, and what it is. */
  protected get topWords(): string {
    const { view } = this;
    return view?.top ? `${view.owner === null ? "" : this.nameYou(view.owner)} ${this.words(view.top)}` : "";
  }
  protected waiting(): Reading {
    const { tableView, view, say } = this;
    if (!view || QUIET.includes(view.phase)) return plain("");
    const turn = view.turn[0];
    const who = turn === undefined || turn < 0 ? "" : say("cards.wait", { name: tableView.nameOf(turn) });
    return this.topWords ? plain(this.topWords, who) : plain(who);
  }
}
