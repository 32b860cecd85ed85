// The settlement on the result sheet: what each place counts, the sums of both sides, the running score of this table.
import type { Result } from "../../net/protocol";
import type { Settlement } from "../../table/game";
import type { GoujiTableView } from "./handModel.svelte";
import { deals, sums } from "../../table/cards/ledger";
import { signed, speaker } from "../../table/cards/words";
import { SIDES } from "./view";

export function settle(tableView: GoujiTableView, result: Result): Settlement | null {
  const say = speaker(tableView);
  // A void deal has no order: everybody shares a place.
  if (new Set(result.places).size < 6) return null;
  // What a place counts is printed in the words of the game, beside its rules; here it is only laid out.
  const worth = say("ui.place_worth").split(" ").map(Number);
  const counts = result.places.map((place) => worth[place - 1] ?? 0);
  const mine = tableView.viewpoint % 2;
  const parts = [0, 1].map((side) =>
    [...result.places.keys()]
      .filter((seat) => seat % 2 === side)
      .sort((a, b) => result.places[a]! - result.places[b]!)
      .map((seat) => counts[seat]!),
  );
  const plain = parts.map((list) => list.reduce((sum, n) => sum + n, 0));
  const sum = (side: number): string =>
    say(side === mine ? "ui.sum_we" : "ui.sum_they", { parts: parts[side]!.map(written).join(" "), sum: signed(plain[side]!) });
  const doubled = plain[0] !== 0 && result.points[0] === 2 * plain[0]!;
  const [we, they] = [mine, 1 - mine].map((side) => signed(result.points[side]!));
  const swept = doubled ? say("ui.swept", { we, they }) : say("ui.no_sweep");
  const running = sums(deals(tableView, SIDES));
  return {
    before: [{ head: say("ui.place_points"), cells: counts.map(signed) }],
    after: running ? [{ head: say("cards.running"), cells: counts.map((_, seat) => signed(running[seat % 2]!)) }] : [],
    notes: [`${sum(mine)}\u3000${sum(1 - mine)}`, swept],
  };
}

/** "4 + 2 − 4", sign by sign. */
const written = (n: number, i: number): string => (i === 0 ? (n < 0 ? `−${-n}` : `${n}`) : n < 0 ? `− ${-n}` : `+ ${n}`);
