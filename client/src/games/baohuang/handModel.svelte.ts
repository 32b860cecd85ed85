// What lies before me at a baohuang table, above what every climbing game has: the questions before play, who guards.
import { handModels, plain, type Reading } from "../../table/cards/handModel.svelte";
import { deals, sums } from "../../table/cards/ledger";
import { signed } from "../../table/cards/words";
import { ClimbHandModel } from "../../table/climb/handModel.svelte";
import type { TableView } from "../../table/game";
import { type Action, ANSWERS, type Choice, type Hints, ORDER, type Step, STEPS, stepsOf, type View } from "./view";

export type BaohuangTableView = TableView<View, Action, Hints>;

/** The hand model of a table view. */
export const modelOf = handModels((tableView: BaohuangTableView) => new BaohuangHandModel(tableView));

/** An answer of the opening panel: its action, its words, what it makes of the scores. */
export interface Answer {
  a: string;
  word: string;
  lines: string[];
}

export class BaohuangHandModel extends ClimbHandModel<View, Action, Hints> {
  constructor(tableView: BaohuangTableView) {
    super(tableView, ORDER);
  }

  /** My points over the deals of this table, in a few words. */
  get standing(): string {
    const all = sums(deals(this.tableView));
    return all ? this.say("ui.standing", { n: signed(all[this.tableView.viewpoint] ?? 0) }) : "";
  }
  /** Are the questions before play being asked? */
  get opening(): boolean {
    return stepsOf(this.view?.phase ?? "").length > 0;
  }
  /** The question that is put to me. */
  get asks_now(): Step | null {
    return STEPS.find((step) => step === this.asked) ?? null;
  }
  protected override get judges(): boolean {
    return this.asks_now === null;
  }
  override get plays(): boolean {
    return this.asks_now === null && super.plays;
  }
  override get acts() {
    return this.opening ? [] : super.acts;
  }
  /** Which of the five questions this table asks. */
  get steps(): readonly Step[] {
    const { options } = this.tableView;
    return STEPS.filter((step) => (step === "grab" || step === "yield" || step === "kick" ? options[step] !== false : true));
  }
  /** The two answers of the question put to me, with what each does to the scores. */
  get offered(): Answer[] {
    const step = this.asks_now;
    const hints = this.hints;
    if (!step || !hints) return [];
    return ANSWERS[step]
      .filter((a) => hints.others.includes(a))
      .map((a) => {
        const times = hints.multiples[a];
        return {
          a,
          word: this.say(`ui.${a}`),
          lines: [this.say(`ui.${a}_does`), times ? this.say("ui.times", { n: times }) : ""].filter(Boolean),
        };
      });
  }

  /** What a choice means, in words: whether it goes out, whether anything unseen beats it, whether it shows the guard. */
  override meaning(choice: Choice): string {
    const flags = choice[5];
    const parts: string[] = [];
    if (flags.includes("g")) parts.push(this.say("ui.shows_guard"));
    if (flags.includes("o")) parts.push(this.say("cards.goes_out"));
    if (flags.includes("u")) parts.push(this.say("cards.unbeaten"));
    return parts.join(this.say("cards.comma"));
  }

  protected override question(): Reading {
    return this.asks_now ? plain("") : super.question();
  }
  protected override waiting(): Reading {
    // The same words for everybody whether he was asked or not; who has answered is told that he has.
    if (this.opening) return plain("", this.view?.answered ? this.say("ui.answered") : "");
    return super.waiting();
  }

  /** The name of an opening question, and who is spoken of. */
  asks(step: Step): { title: string; line: string } {
    const { view, say } = this;
    const emperor = view?.emperor == null ? "" : this.nameYou(view.emperor);
    const solo = view?.mode === "solo_hidden";
    const key = step === "reveal" && solo ? "reveal_solo" : step === "rebel" && view?.guard === this.tableView.seat ? "rebel_guard" : step;
    return { title: say(`ui.ask_${key}`), line: say(`ui.line_${key}`, { emperor }) };
  }
}
