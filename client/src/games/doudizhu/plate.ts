// What a seat's plate says, and what happened as a sentence for the log.
import type { Told } from "../../net/protocol";
import { named, speaker } from "../../table/cards/words";
import type { PlateNote } from "../../table/game";
import { size } from "../../table/size.svelte";
import { modelOf, type DoudizhuTableView } from "./handModel.svelte";
import { cardWords, eventOf, setWords, sideOf } from "./view";

export function plate(tableView: DoudizhuTableView, seat: number): PlateNote {
  const view = tableView.view;
  if (!view) return { side: null };
  const say = speaker(tableView);
  const badges: NonNullable<PlateNote["badges"]> = [];
  const called = view.calls[seat] ?? null;
  const landlord = view.landlord === seat;
  const role = view.landlord === null ? "" : say(landlord ? "term.landlord_name" : "term.peasant_name");
  const count = tableView.seen ? (tableView.seen[seat]?.counts[seat] ?? null) : (view.counts[seat] ?? null);
  // Who is nearly out is shown to all; how few I hold I see.
  const few = count !== null && count > 0 && count <= modelOf(tableView).fewest && seat !== tableView.seat && view.phase !== "over";
  // What a seat is stands beside its name, on a small plate under it while the warning takes that place.
  const under = few && (!landlord || size.flat || size.phone);
  if (role && !under)
    badges.push(landlord ? { text: role, look: "seal", title: say("term.landlord") } : { text: role, title: say("term.peasants") });
  else if (!role && called !== null) badges.push({ text: modelOf(tableView).callWord(called), look: called ? "lamp" : "line" });
  if (few) badges.push({ text: say("cards.report", { n: count }), look: "lamp", title: say("cards.report_title", { n: count }) });
  const line = under ? role : count && !few && view.phase !== "deal" ? say("cards.rest_n", { n: count }) : "";
  return {
    badges,
    side: sideOf(view, tableView.viewpoint, seat),
    turn: view.turn.includes(seat),
    ...(line ? { line } : {}),
  };
}

export function tell(told: Told, tableView: DoudizhuTableView): string | null {
  const say = speaker(tableView);
  const one = eventOf(told);
  const who = (seat: number): string => named(tableView, seat);
  const name = "seat" in one ? who(one.seat) : "";
  switch (one.e) {
    case "dealt":
      return say("ui.log_dealt", { n: one.deal, name: who(one.first) });
    case "called":
      return one.n ? say("ui.log_called", { name, n: one.n }) : say("ui.log_no_bid", { name });
    case "redealt":
      return say("ui.log_redealt", { name: who(one.first) });
    case "settled": {
      const facts = { name: who(one.landlord), n: one.bid, cards: cardWords(say, one.bottom) };
      return say(one.forced ? "ui.log_forced" : "ui.log_settled", facts);
    }
    case "played": {
      const set = setWords(say, one.cards, one.form);
      const doubles = one.form[0] === "bomb" || one.form[0] === "rocket";
      const line = say(one.over === null ? "cards.log_lead" : "cards.log_play", { name, set });
      return doubles ? line + say("ui.log_doubled", { n: one.multiple }) : line;
    }
    case "left":
      return say("cards.log_left", { name });
    default:
      return null; // passes show in bubbles, tricks in what follows, the end on its sheet
  }
}
