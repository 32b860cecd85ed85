// What a replay says of its moments: flags on the axis, where a trick begins, why a throw failed.
import { speaker } from "../../table/cards/words";
import type { Frame } from "../../table/game";
import type { ShengjiTableView } from "./handModel.svelte";
import { cardWords, type Event, eventOf, kittySum, type View } from "./view";

const first = (name: string): string => [...name][0] ?? "";
const found = <E extends Event["e"]>(frame: Frame<View>, e: E): Extract<Event, { e: E }> | undefined =>
  frame.told.map(eventOf).find((one): one is Extract<Event, { e: E }> => one.e === e);

/** A trick begins, or play does. */
export function beat(frame: Frame<View>): boolean {
  const played = found(frame, "played");
  return played ? played.how === "lead" || played.how === "throw" : !!found(frame, "buried");
}

export function stay(frame: Frame<View>): number {
  return found(frame, "throw_failed") ? 2600 : found(frame, "passed") ? 300 : 1100;
}

export function flag(frame: Frame<View>, tableView: ShengjiTableView): { text: string; look?: "seal" | "ochre" | "plain" } | null {
  const say = speaker(tableView);
  const ended = found(frame, "ended");
  if (ended)
    return {
      text: ended.match_winner !== null ? say("mark.match") : ended.points === 0 ? say("mark.big_sweep") : say("cards.end"),
      look: "plain",
    };
  const failed = found(frame, "throw_failed");
  if (failed) return { text: say("mark.throw_failed"), look: "seal" };
  const declared = found(frame, "declared");
  if (declared)
    return {
      text: `${say(declared.label ? `ui.${declared.label}` : "mark.declared")} ${first(tableView.nameOf(declared.seat))}`,
      look: "ochre",
    };
  const played = found(frame, "played");
  if (played?.how === "throw" || played?.how === "overruff")
    return { text: `${say(`mark.${played.how}`)} ${first(tableView.nameOf(played.seat))}`, look: "seal" };
  const taken = found(frame, "taken");
  if (taken && frame.mark === "big_trick") return { text: say("ui.flag_points", { n: taken.points }), look: "ochre" };
  return null;
}

/** What is worth a sentence beside the hands; nobody's secret: all are open here. */
export function explain(frame: Frame<View>, tableView: ShengjiTableView): string | null {
  const say = speaker(tableView);
  const failed = found(frame, "throw_failed");
  if (failed) return say("ui.failed_line", { forced: cardWords(say, failed.forced), back: cardWords(say, failed.returned) });
  const kitty = found(frame, "kitty_shown");
  if (kitty) return say("ui.log_kitty", { cards: cardWords(say, kitty.cards), sum: kittySum(say, kitty) });
  return null;
}
