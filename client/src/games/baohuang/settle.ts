// The settlement on the result sheet: who was what, the places of both sides, the line of the score table that it was.
import type { Result } from "../../net/protocol";
import type { Settlement } from "../../table/game";
import { deals, sums } from "../../table/cards/ledger";
import { signed, speaker } from "../../table/cards/words";
import type { BaohuangTableView } from "./handModel.svelte";
import { placeWord } from "./plate";
import { SEATS } from "./view";

export function settle(tableView: BaohuangTableView, result: Result): Settlement | null {
  const say = speaker(tableView);
  const view = tableView.view;
  if (!view || view.order === null || view.emperor === null) return null; // a void deal has no places
  const role = (seat: number): string =>
    say(seat === view.emperor ? "term.emperor_name" : seat === view.guard && view.mode === "pair" ? "term.guard_name" : "ui.rebel_role");
  const running = sums(deals(tableView));
  const court = view.mode === "pair" && view.guard !== null ? [view.emperor, view.guard] : [view.emperor];
  const places = court.map((seat) => placeWord(tableView, view.places[seat] ?? 5)).join(say("cards.and"));
  return {
    before: [{ head: say("ui.role"), cells: SEATS.map(role) }],
    after: running ? [{ head: say("cards.running"), cells: SEATS.map((seat) => signed(running[seat] ?? 0)) }] : [],
    notes: [
      say(`term.${view.mode ?? "pair"}`),
      say("ui.settled", { places, n: view.multiple, emperor: signed(result.points[view.emperor] ?? 0) }),
    ],
  };
}
