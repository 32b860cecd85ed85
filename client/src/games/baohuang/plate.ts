// What a seat's plate says, and what happened as a sentence for the log.
import type { Told } from "../../net/protocol";
import { named, speaker } from "../../table/cards/words";
import type { PlateNote, PrivateMark } from "../../table/game";
import { type BaohuangTableView } from "./handModel.svelte";
import { eventOf, setWords, sideOf } from "./view";

export const placeWord = (tableView: BaohuangTableView, place: number): string => speaker(tableView)(`term.place_${place}`);

export function plate(tableView: BaohuangTableView, seat: number): PlateNote {
  const view = tableView.view;
  const side = sideOf(view, tableView.viewpoint, seat);
  if (!view) return { side: null };
  const say = speaker(tableView);
  const badges: NonNullable<PlateNote["badges"]> = [];
  if (view.emperor === seat) badges.push({ text: say("term.emperor_name"), icon: "crown", look: "seal", title: say("term.emperor") });
  const known = view.guard_public === seat && view.mode === "pair";
  if (known) badges.push({ text: say("term.guard_name"), icon: "sword", look: "seal", title: say("term.guard") });
  else if (view.guard === seat && view.emperor !== seat)
    badges.push({ text: say("term.guard_name"), icon: "sword", look: "ochre", title: say("ui.only_you") });
  const place = view.places[seat] ?? null;
  const gone = view.out.includes(seat);
  if (place !== null && (gone || view.phase === "over")) badges.push({ text: placeWord(tableView, place), look: "seal" });
  const count = tableView.seen ? (tableView.seen[seat]?.counts[seat] ?? null) : (view.counts[seat] ?? null);
  const guess: readonly PrivateMark[] =
    tableView.mode === "play" && seat !== tableView.seat && seat !== view.emperor && side === null
      ? [
          { id: "guard", text: say("ui.mark_guard"), side: "foe" },
          { id: "rebel", text: say("ui.mark_rebel"), side: "ally" },
        ]
      : [];
  return {
    badges,
    side,
    dim: gone,
    turn: view.turn.includes(seat),
    ...(guess.length ? { marks: guess } : {}),
    ...(count && !gone && view.phase !== "deal" ? { line: say("cards.rest_n", { n: count }) } : {}),
  };
}

export function tell(told: Told, tableView: BaohuangTableView): string | null {
  const say = speaker(tableView);
  const one = eventOf(told);
  const who = (seat: number): string => named(tableView, seat);
  const all = (seats: readonly number[]): string => seats.map(who).join(say("ui.and_names"));
  const name = "seat" in one ? who(one.seat) : "";
  switch (one.e) {
    case "dealt":
      return say("event.dealt", { deal: one.deal, emperor: who(one.emperor) });
    case "grabbed":
      return say("event.grabbed", { seat: name });
    case "yielded":
      return say("event.yielded", { seat: name, to: who(one.to) });
    case "revealed":
      return say(one.solo ? "event.revealed_solo" : "event.revealed", { seat: name });
    case "rebelled":
      return say(one.solo ? "event.rebelled_solo" : "event.rebelled", { seats: all(one.seats), guard: who(one.guard) });
    case "kicked":
      return say("event.kicked", { seats: all(one.seats), n: one.seats.length === 1 && one.seats[0] !== tableView.seat ? 1 : 2 });
    case "played": {
      const set = setWords(say, one.cards);
      return say(one.over === null ? "cards.log_lead" : "cards.log_play", { name, set }) + (one.shows ? say("ui.log_shows") : "");
    }
    case "went_out":
      return say("cards.log_out", { name, place: placeWord(tableView, one.place) });
    case "left":
      return say("cards.log_left", { name });
    default:
      return null; // passes show in bubbles, tricks in what follows
  }
}
