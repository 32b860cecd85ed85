// The settlement on the result sheet: who defended, the levels of both sides, the kitty with its sum, the running score.
import type { Result } from "../../net/protocol";
import type { Settlement } from "../../table/game";
import { deals, sums } from "../../table/cards/ledger";
import { named, rankWord, signed, speaker } from "../../table/cards/words";
import type { ShengjiTableView } from "./handModel.svelte";
import { endWords } from "./plate";
import { sameSide, SIDES } from "./view";

const SEATS = [0, 1, 2, 3] as const;

export function settle(tableView: ShengjiTableView, _result: Result): Settlement | null {
  const say = speaker(tableView);
  const view = tableView.view;
  const result = view?.result;
  if (!view || !result || view.dealer === null) return null;
  const dealer = view.dealer;
  const role = (seat: number): string =>
    say(seat === dealer ? "ui.role_dealer" : sameSide(seat, dealer) ? "ui.role_partner" : "ui.role_attacker");
  const level = (seat: number): string => {
    const [from, to] = [result.before[seat % 2]!, result.levels[seat % 2]!].map(rankWord);
    return from === to ? from! : `${from} → ${to}`;
  };
  const running = sums(deals(tableView, SIDES));
  return {
    before: [
      { head: say("ui.role"), cells: SEATS.map(role) },
      { head: say("ui.level"), cells: SEATS.map(level) },
    ],
    after: running ? [{ head: say("cards.running"), cells: SEATS.map((seat) => signed(running[seat % 2] ?? 0)) }] : [],
    notes: [
      endWords(tableView, result),
      ...(result.match_winner === null ? [say("ui.next_dealer", { name: named(tableView, result.next_dealer) })] : []),
      ...(result.multiplier > 1 ? [say("ui.multiplied", { n: result.multiplier })] : []),
    ],
  };
}
