// What the result sheet adds to each seat's points: how it came out of the hand.
import type { Result } from "../../net/protocol";
import type { Settlement } from "../../table/game";
import { hasWon, type MahjongTableView } from "./view";
import { atHead, speaker, youOr } from "./words";

export function settle(tableView: MahjongTableView): Settlement | null {
  const { view } = tableView;
  if (!view) return null;
  const say = speaker(tableView);
  const cells = tableView.seats.map(({ seat }) => {
    if (view.bench.includes(seat)) return say("ui.on_bench");
    if (hasWon(view, seat)) return say("ui.won_as_n", { n: [...new Set(view.wins.map((one) => one.seat))].indexOf(seat) + 1 });
    const check = view.checks.find((one) => one.seat === seat);
    return check ? say(`ui.check_short_${check.what}`) : "";
  });
  return { before: cells.some(Boolean) ? [{ head: say("ui.hand_end"), cells }] : [] };
}

/** How it ended, in a sentence. */
export function outcome(result: Result, tableView: MahjongTableView): string {
  const { view } = tableView;
  const say = speaker(tableView);
  if (!view?.end) return say(`why.${result.why}`);
  const names = [...new Set(view.wins.map((one) => one.seat))].map((seat) => youOr(tableView, seat));
  return names.length ? atHead(say(`ui.outcome_${view.end}`, { names: names.join(say("ui.list")) })) : say("ui.outcome_none");
}
