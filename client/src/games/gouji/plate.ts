// What a seat's plate says, and what happened as a sentence for the log.
import type { Told } from "../../net/protocol";
import { tick } from "../../tick.svelte";
import type { PlateNote } from "../../table/game";
import { modelOf, type GoujiTableView } from "./handModel.svelte";
import { eventOf, sameSide, setWords } from "./view";
import { named, speaker } from "../../table/cards/words";

export const placeWord = (tableView: GoujiTableView, place: number): string => speaker(tableView)(`ui.place_${place}`);

export function plate(tableView: GoujiTableView, seat: number): PlateNote {
  const view = tableView.view;
  const side = sameSide(seat, tableView.viewpoint) ? "ally" : "foe";
  if (!view) return { side };
  const say = speaker(tableView);
  const badges: NonNullable<PlateNote["badges"]> = [];
  const place = view.places[seat] ?? null;
  const fallen = view.fell.includes(seat);
  const gone = fallen || view.out.includes(seat);
  const burner = view.burners.find(([who]) => who === seat);
  const count = tableView.seen ? (tableView.seen[seat]?.counts[seat] ?? null) : (view.counts[seat] ?? null);
  if (place !== null && (gone || view.phase === "over")) {
    badges.push({ text: placeWord(tableView, place), look: "seal", title: fallen ? say("ui.fell_title") : undefined });
    if (fallen) badges.push({ text: say("ui.fell") });
  } else {
    // 报户: known is only what is few (P-20); my own count is mine alone.
    const shown = count !== null && count > 0 && count <= tableView.options.report_at;
    if (shown) badges.push({ text: say("cards.report", { n: count }), look: "seal", title: say("cards.report_title", { n: count }) });
    if (burner)
      badges.push({ text: say("ui.burning"), look: "lamp", title: say("ui.burning_title", { name: tableView.nameOf(burner[1]) }) });
    if (view.headless.includes(seat)) badges.push({ text: say("ui.headless"), title: say("ui.headless_title") });
  }
  const pausing = view.restricted && view.owner === seat && (view.phase === "burn_wait" || view.phase === "burn");
  const model = modelOf(tableView);
  const left = model.pause === null ? model.pauseMs : Math.max(0, model.pauseMs - (tick() - model.pause));
  return {
    badges,
    side,
    dim: gone,
    turn: view.turn.includes(seat),
    ...(pausing && tableView.mode !== "replay" ? { ring: { left, of: model.pauseMs } } : {}),
    ...(tableView.seen && count && !gone && !badges.some((one) => one.look === "seal") ? { line: say("cards.rest_n", { n: count }) } : {}),
    ...(burner && seat === tableView.seat && tableView.hints?.duty ? { line: model.dutyWords() } : {}),
  };
}

export function tell(told: Told, tableView: GoujiTableView): string | null {
  const say = speaker(tableView);
  const one = eventOf(told);
  const name = "seat" in one ? named(tableView, one.seat) : "";
  switch (one.e) {
    case "dealt":
      return say("cards.log_dealt", { n: one.deal, name: named(tableView, one.leader) });
    case "played": {
      const set = setWords(say, one.cards);
      const tail = one.kills ? say("ui.log_kills") : one.gouji && one.burns === null ? say("ui.log_gouji") : "";
      if (one.burns !== null) return say("ui.log_burn", { name, victim: named(tableView, one.burns), set });
      return say(one.over === null ? "cards.log_lead" : "cards.log_play", { name, set }) + tail;
    }
    case "closed":
      return say("ui.log_close", { name });
    case "winded":
      return say("ui.wind_of", { name });
    case "went_out":
      return say("cards.log_out", { name, place: placeWord(tableView, one.place) });
    case "fell":
      return say("ui.log_fell", { name, place: placeWord(tableView, one.place), set: setWords(say, one.cards) });
    case "tangled":
      return say("ui.tangle");
    case "paid":
      return say("ui.paid", { from: name, to: named(tableView, one.to), cards: setWords(say, one.cards) });
    case "returned":
      return say("ui.returned", { from: name, to: named(tableView, one.to), cards: setWords(say, one.cards) });
    case "resisted":
      return say("ui.resisted", { name });
    case "left":
      return say("cards.log_left", { name });
    case "ended":
      return one.swept_by === null ? null : say(one.swept_by === tableView.viewpoint % 2 ? "ui.swept_we" : "ui.swept_they");
    default:
      return null; // passes show in bubbles, tricks and burns in what follows
  }
}
