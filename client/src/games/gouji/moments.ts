// What a replay says of its moments: flags on the axis, beats, and why a burn was possible.
import { cards, counted } from "../../kit/cards";
import type { Frame } from "../../table/game";
import type { GoujiTableView } from "./handModel.svelte";
import { placeWord } from "./plate";
import { type Event, eventOf, opposite, setWords, type View } from "./view";
import { number, rankWords, speaker } from "../../table/cards/words";
import { brief } from "../../table/still.svelte";

/** The first event of this kind in a frame. */
const found = <E extends Event["e"]>(frame: Frame<View>, e: E): Extract<Event, { e: E }> | undefined =>
  frame.told.map(eventOf).find((one): one is Extract<Event, { e: E }> => one.e === e);

/** A trick begins. */
export const beat = (frame: Frame<View>): boolean => found(frame, "played")?.over === null;

export function flag(frame: Frame<View>, tableView: GoujiTableView): { text: string; look?: "seal" | "ochre" | "plain" } | null {
  const say = speaker(tableView);
  if (found(frame, "ended")) return { text: say("cards.end"), look: "plain" };
  const fell = found(frame, "fell");
  if (fell) return { text: `${say("ui.fell")} ${brief(tableView.nameOf(fell.seat))}`, look: "seal" };
  const out = found(frame, "went_out");
  if (out && out.place <= 3) return { text: `${placeWord(tableView, out.place)} ${brief(tableView.nameOf(out.seat))}`, look: "ochre" };
  const played = found(frame, "played");
  if (played && played.burns !== null) return { text: say("ui.burn"), look: "seal" };
  if (played?.kills) return { text: say("ui.kill"), look: "seal" };
  if (found(frame, "winded")) return { text: say("ui.wind"), look: "ochre" };
  if (found(frame, "tangled")) return { text: say("ui.tangle_title"), look: "plain" };
  return null;
}

/** Why a burn was possible, from the burner's open hand; what else is worth a sentence. */
export function explain(frame: Frame<View>, tableView: GoujiTableView): string | null {
  const say = speaker(tableView);
  const played = found(frame, "played");
  if (played && played.burns !== null) {
    const hand = counted(cards(frame.views[played.seat]?.hand));
    const jokers = (hand.get("x") ?? 0) + (hand.get("X") ?? 0);
    const points = [...hand.keys()].filter((card) => !"2xX".includes(card));
    const why =
      points.length === 0
        ? say("ui.burn_why_none")
        : points.length === 1
          ? say("ui.burn_why_one")
          : say("ui.burn_why_many", { ranks: rankWords(points), n: number(say, points.length), jokers: number(say, jokers) });
    const who = say("ui.burn_why_who", {
      victim: tableView.nameOf(played.burns),
      across: tableView.nameOf(opposite(played.burns)),
      name: tableView.nameOf(played.seat),
    });
    return why + say("cards.gap") + who;
  }
  const fell = found(frame, "fell");
  if (fell) return say("ui.fell_why", { name: tableView.nameOf(fell.seat), set: setWords(say, fell.cards) });
  if (played?.kills) return say("ui.kill_why");
  if (found(frame, "tangled")) return say("ui.tangle_why");
  return null;
}
