// What an analysis says of the moment that is shown, and its best line beside the record: for the list and for a phone's
// word under the board.
import { say } from "../../lang.svelte";
import { asRefusal, get } from "../../net/http";
import type { Refusal } from "../../net/protocol";
import type { Analysis, Verdict } from "../../net/protocol.gen";
import type { Frame } from "../../table/game";
import { whole } from "./replayFrames";
import { amount, spoken } from "./spoken";
import type { ReplayTableView } from "./tableView.svelte";

const ASIDE = -1; // the line that is laid out: no line of a shared review
export const SIGNS: Record<string, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Verdicts {
  found = $state.raw<Analysis | null>(null);
  refused: Refusal | null = $state.raw(null);
  readonly game: string;
  readonly path: string;
  #record: readonly Frame[] = [];
  #from = 0;

  constructor(readonly tableView: ReplayTableView) {
    this.game = tableView.info.game;
    this.path = `/g/${encodeURIComponent(tableView.record.game_id)}/analysis`;
  }

  get unit(): string {
    return this.found?.unit ?? "points";
  }

  /** Whether the best line stands on the board in place of the record. */
  get aside(): boolean {
    return this.tableView.line === ASIDE;
  }

  /** The word on the choice that led here. */
  get here(): Verdict | null {
    return this.aside ? null : (this.found?.rows.findLast((row) => row.n === this.tableView.frame.done) ?? null);
  }

  take(found: Analysis | null): void {
    this.found = found;
    this.tableView.marks = new Map((found?.rows ?? []).filter((row) => row.mark).map((row) => [row.n, SIGNS[row.mark] ?? ""]));
  }

  /** A choice in words. */
  word = (said: string): string => spoken(this.game, said, this.tableView.module);

  name(row: Verdict): string {
    const mark = row.mark ? ` ${SIGNS[row.mark] ?? ""} ${say(`analysis.mark_${row.mark}`)}` : "";
    return `${this.tableView.nameOf(row.seat)}: ${this.word(row.said)}${mark}`;
  }

  better(row: Verdict): string {
    const line = row.said_line.length ? row.said_line : [row.best];
    return line
      .slice(0, 4)
      .map((one) => this.word(one))
      .join(" ");
  }

  lost(row: Verdict): string {
    const said = amount(this.unit, row.loss, this.game);
    return row.error ? `${said} ±${amount(this.unit, row.error, this.game)}` : said;
  }

  /** Lay the best line out from the position before this choice on. */
  async show(row: Verdict): Promise<void> {
    const { tableView } = this;
    try {
      const { rows } = await get<{ rows: Parameters<typeof whole>[0] }>(`${this.path}/${row.n}/steps`);
      if (tableView.line === 0) this.#record = tableView.frames;
      this.#from = row.n;
      const before = this.#record.filter((frame) => frame.done < row.n);
      const line = whole(rows).slice(1);
      tableView.lay(
        ASIDE,
        [...before, ...line].map((frame, n) => ({ ...frame, n })),
        row.n,
      );
    } catch (wrong) {
      this.refused = asRefusal(wrong);
    }
  }

  back(): void {
    this.tableView.lay(0, this.#record, this.#from);
  }
}
