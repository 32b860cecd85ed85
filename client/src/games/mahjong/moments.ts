// What a replay says of its moments: flags on the axis, the beats between them.
import type { Frame } from "../../table/game";
import { type Event, eventOf, type MahjongTableView, type View } from "./view";
import { speaker } from "./words";
import { brief } from "../../table/still.svelte";

/** The first event of this kind in a frame. */
export const found = <E extends Event["e"]>(frame: Frame<View>, e: E): Extract<Event, { e: E }> | undefined =>
  frame.told.map(eventOf).find((one): one is Extract<Event, { e: E }> => one.e === e);

/** Something that changes how the hand is played: a claim, a kong, a win, a call. */
export const beat = (frame: Frame<View>): boolean =>
  frame.told
    .map(eventOf)
    .some((one) => ["dealt", "ponged", "konged", "won", "ended"].includes(one.e) || (one.e === "discarded" && one.call !== null));

export function flag(frame: Frame<View>, tableView: MahjongTableView): { text: string; look?: "seal" | "ochre" | "plain" } | null {
  const say = speaker(tableView);
  const won = found(frame, "won");
  if (won) return { text: `${say(`ui.seal_${won.by}`)} ${brief(tableView.nameOf(won.seat))}`, look: "seal" };
  if (found(frame, "ended")) return { text: say("ui.flag_end"), look: "plain" };
  const kong = found(frame, "konged");
  if (kong) return { text: `${say("ui.kong")} ${brief(tableView.nameOf(kong.seat))}`, look: "ochre" };
  const thrown = found(frame, "discarded");
  if (thrown?.call) return { text: `${say(`ui.${thrown.call}`)} ${brief(tableView.nameOf(thrown.seat))}`, look: "plain" };
  return null;
}
