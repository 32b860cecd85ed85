// The settlement on the result sheet: who was what, how the multiple came about, the bottom cards.
import { say as hallSay } from "../../lang.svelte";
import type { Result } from "../../net/protocol";
import { deals, sums } from "../../table/cards/ledger";
import { atHead, signed, speaker } from "../../table/cards/words";
import type { Settlement } from "../../table/game";
import type { DoudizhuTableView } from "./handModel.svelte";
import { SEATS } from "./view";

/** What a spring is called, by who has won it. */
export const springWord = (tableView: DoudizhuTableView, landlord: boolean): string =>
  speaker(tableView)(landlord ? "ui.spring" : "ui.anti_spring");

/** How the deal ended, with the spring that it ended with. */
export function outcome(result: Result, tableView: DoudizhuTableView): string {
  const why = atHead(hallSay(`doudizhu.why.${result.why}`));
  return tableView.view?.spring ? why + speaker(tableView)("cards.comma") + springWord(tableView, result.why === "landlord_won") : why;
}

export function settle(tableView: DoudizhuTableView, result: Result): Settlement | null {
  const say = speaker(tableView);
  const view = tableView.view;
  if (!view || view.landlord === null || view.left !== null) return null; // a void deal is not paid
  const role = (seat: number): string => say(seat === view.landlord ? "term.landlord_name" : "term.peasant_name");
  const running = sums(deals(tableView));
  const bombs = view.doublings - (view.spring ? 1 : 0);
  const parts = [
    say("ui.sum_bid", { n: view.bid }),
    ...(bombs ? [say("ui.sum_bombs", { n: bombs })] : []),
    ...(view.spring ? [springWord(tableView, result.why === "landlord_won")] : []),
  ];
  return {
    before: [{ head: say("ui.role"), cells: SEATS.map(role) }],
    after: running ? [{ head: say("cards.running"), cells: SEATS.map((seat) => signed(running[seat] ?? 0)) }] : [],
    notes: [say("ui.settled", { parts: parts.join(say("cards.comma")), n: view.multiple })],
    piles: view.bottom ? [{ head: say("ui.bottom"), cards: view.bottom }] : [],
  };
}
