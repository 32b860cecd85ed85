// What a seat's plate says, and what happened as a sentence for the log.
import type { Told } from "../../net/protocol";
import { atHead, named, rankWord, speaker } from "../../table/cards/words";
import type { PlateNote } from "../../table/game";
import type { ShengjiTableView } from "./handModel.svelte";
import { cardWords, drawing, eventOf, isOver, kittySum, type Result, sameSide, trumpWords } from "./view";

export function plate(tableView: ShengjiTableView, seat: number): PlateNote {
  const view = tableView.view;
  const side = sameSide(seat, tableView.viewpoint) ? "ally" : "foe";
  if (!view) return { side };
  const say = speaker(tableView);
  const badges: NonNullable<PlateNote["badges"]> = [];
  if (view.dealer === seat) badges.push({ text: say("term.dealer"), look: "seal", title: say("ui.dealer_title") });
  const best = view.trick && view.trick.plays.length > 1 && view.trick.best === seat;
  if (best) badges.push({ text: say("ui.best"), look: "lamp", title: say("ui.best_title") });
  if (view.phase === "declaring" && view.passed.includes(seat)) badges.push({ text: say("ui.passed") });
  const level = say("ui.plays_level", { level: rankWord(view.levels[seat % 2] ?? view.level) });
  const played = view.trick?.plays.find((one) => one.seat === seat);
  const did = played ? say(`how.${played.how}`) : null;
  const left = !drawing(view.phase) && !isOver(view.phase) && view.tricks > 0 ? say("cards.rest_n", { n: view.counts[seat] ?? 0 }) : null;
  return {
    badges,
    side,
    turn: view.turn.includes(seat),
    line: [level, did ?? left].filter(Boolean).join(say("cards.dot")),
  };
}

/** How a deal came out, and who rises: we, they; the dealers and the attackers for whoever watches. */
export function endWords(tableView: ShengjiTableView, one: Pick<Result, "points" | "up" | "side" | "match_winner">): string {
  const say = speaker(tableView);
  const dealers = tableView.view?.dealer ?? null;
  const side = one.match_winner ?? (dealers === null ? null : one.side === "dealer" ? dealers % 2 : 1 - (dealers % 2));
  const own = tableView.seat === null || side === null ? null : side === tableView.seat % 2;
  const who = say(own === null ? (one.side === "dealer" ? "ui.who_dealers" : "ui.who_attackers") : own ? "ui.who_we" : "ui.who_they");
  const fact = one.match_winner !== null ? "match" : one.side === "dealer" ? "held" : one.up ? "up" : "takeover";
  return say(`ui.settled_${fact}`, { who, points: one.points, up: one.up });
}

export function tell(told: Told, tableView: ShengjiTableView): string | null {
  const say = speaker(tableView);
  const one = eventOf(told);
  const name = "seat" in one ? named(tableView, one.seat) : "";
  switch (one.e) {
    case "begun":
      return say("ui.log_begun", { deal: one.deal, level: rankWord(one.level), name: named(tableView, one.first) });
    case "declared":
      return say(one.label ? `ui.did_${one.label}` : "ui.did_declare", { name, cards: cardWords(say, one.cards) });
    case "fixed":
      return atHead(
        say("ui.log_fixed", { trump: trumpWords(say, one.trump), level: rankWord(one.level), name: named(tableView, one.dealer) }),
      );
    case "buried":
      return say("ui.log_buried", { name });
    case "throw_failed":
      return say("ui.log_failed", { name, cards: cardWords(say, one.cards), forced: cardWords(say, one.forced) });
    case "played":
      return say(one.how === "lead" ? "cards.log_lead" : "ui.log_played", {
        name,
        set: cardWords(say, one.cards),
        cards: cardWords(say, one.cards),
        how: say(`how.${one.how}`),
      });
    case "taken":
      return say(one.points ? "ui.log_taken" : "ui.log_taken_none", { name, points: one.points, total: one.total });
    case "kitty_shown":
      return say("ui.log_kitty", { cards: cardWords(say, one.cards), sum: kittySum(say, one) });
    case "ended":
      return endWords(tableView, one);
    default:
      return null; // cards that fall and passes show on the table
  }
}
