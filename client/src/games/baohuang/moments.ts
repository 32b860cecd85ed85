// What a replay says of its moments: flags on the axis, and where a trick begins.
import type { Frame } from "../../table/game";
import { speaker } from "../../table/cards/words";
import type { BaohuangTableView } from "./handModel.svelte";
import { placeWord } from "./plate";
import { type Event, eventOf, type View } from "./view";
import { brief } from "../../table/still.svelte";

const found = <E extends Event["e"]>(frame: Frame<View>, e: E): Extract<Event, { e: E }> | undefined =>
  frame.told.map(eventOf).find((one): one is Extract<Event, { e: E }> => one.e === e);

/** A trick begins. */
export const beat = (frame: Frame<View>): boolean => found(frame, "played")?.over === null;

export function flag(frame: Frame<View>, tableView: BaohuangTableView): { text: string; look?: "seal" | "ochre" | "plain" } | null {
  const say = speaker(tableView);
  if (found(frame, "ended")) return { text: say("cards.end"), look: "plain" };
  for (const [e, mark] of [
    ["grabbed", "solo"],
    ["yielded", "yield"],
    ["revealed", "reveal"],
    ["rebelled", "rebellion"],
    ["kicked", "kick"],
  ] as const)
    if (found(frame, e)) return { text: say(`mark.${mark}`), look: "seal" };
  const played = found(frame, "played");
  if (played?.shows) return { text: `${say("term.guard_name")} ${brief(tableView.nameOf(played.seat))}`, look: "seal" };
  const out = found(frame, "went_out");
  return out && out.place <= 3 ? { text: `${placeWord(tableView, out.place)} ${brief(tableView.nameOf(out.seat))}`, look: "ochre" } : null;
}
