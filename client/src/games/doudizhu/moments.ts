// What a replay says of its moments: flags on the axis, and where a trick begins.
import { speaker } from "../../table/cards/words";
import type { Frame } from "../../table/game";
import { brief } from "../../table/still.svelte";
import type { DoudizhuTableView } from "./handModel.svelte";
import { springWord } from "./settle";
import { type Event, eventOf, type View } from "./view";

const found = <E extends Event["e"]>(frame: Frame<View>, e: E): Extract<Event, { e: E }> | undefined =>
  frame.told.map(eventOf).find((one): one is Extract<Event, { e: E }> => one.e === e);

/** A trick begins. */
export const beat = (frame: Frame<View>): boolean => found(frame, "played")?.over === null;

export function flag(frame: Frame<View>, tableView: DoudizhuTableView): { text: string; look?: "seal" | "ochre" | "plain" } | null {
  const say = speaker(tableView);
  const ended = found(frame, "ended");
  if (ended?.spring) return { text: springWord(tableView, ended.winner === ended.landlord), look: "seal" };
  if (ended) return { text: say("cards.end"), look: "plain" };
  const settled = found(frame, "settled");
  if (settled) return { text: `${say("term.landlord_name")} ${brief(tableView.nameOf(settled.landlord))}`, look: "ochre" };
  if (found(frame, "redealt")) return { text: say("ui.redealt_flag"), look: "plain" };
  const kind = found(frame, "played")?.form[0];
  return kind === "bomb" || kind === "rocket" ? { text: say(`kind.${kind}`), look: "seal" } : null;
}
