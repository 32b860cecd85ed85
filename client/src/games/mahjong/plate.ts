// What a seat's plate says, and what happened as a sentence for the log.
import type { Told } from "../../net/protocol";
import type { PlateNote } from "../../table/game";
import { size } from "../../table/size.svelte";
import { eventOf, hasWon, horsesOn, type MahjongTableView, placeOf } from "./view";
import { atHead, byWord, kindWord, signed, speaker, tileWord, tileWords, youOr } from "./words";

export function plate(tableView: MahjongTableView, seat: number): PlateNote {
  const { view } = tableView;
  if (!view || seat > 3) return {};
  const say = speaker(tableView);
  const small = size.flat || size.phone;
  const badges: NonNullable<PlateNote["badges"]> = [];
  const won = hasWon(view, seat);
  const suit = view.voids[seat];
  const lacks = suit ? say(`ui.lacks_${suit}`) : "";
  if (lacks && !small) badges.push({ text: lacks, title: say("ui.lacks_title") });
  if (won) badges.push({ text: say("ui.won"), look: "seal", title: say("ui.won_title") });
  else if (view.checks.some((one) => one.seat === seat && one.what === "pig")) badges.push({ text: say("ui.pig"), look: "seal" });
  else if (view.danced.some((one) => one.seat === seat))
    badges.push({ text: say("ui.danced_badge"), look: "jade", title: say("ui.danced_title") });
  else if (view.sung.includes(seat)) badges.push({ text: say("ui.sung_badge"), look: "jade", title: say("ui.sung_title") });
  const place = placeOf(tableView, seat);
  const horses = horsesOn(view, seat).length;
  return {
    badges,
    side: null,
    dim: won && view.end === null,
    turn: view.end === null && (view.turn.includes(seat) || (view.phase === "turn" && view.actor === seat)),
    line: [
      small ? lacks : "",
      view.dealer === seat ? say("ui.dealer") : "",
      place && !small ? say(`ui.place_of_${place}`) : "",
      horses ? say(horses > 1 ? "ui.horse_badge_n" : "ui.horse_badge", { n: horses }) : "",
      signed(view.full[seat] ?? 0),
    ]
      .filter(Boolean)
      .join(say("ui.dots")),
  };
}

export function tell(told: Told, tableView: MahjongTableView): string | null {
  const say = speaker(tableView);
  const one = eventOf(told);
  const name = (seat: number): string => youOr(tableView, seat);
  switch (one.e) {
    case "dealt":
      return say("ui.log_dealt", { n: one.deal, name: name(one.dealer) });
    case "horse_bought":
      return say("ui.log_horse", { owner: name(one.owner), tile: tileWord(say, one.t), name: name(one.seat) });
    case "swapped":
      return say("ui.log_swapped", { d: one.d, where: say(`ui.swapped_${one.by}`) });
    case "voids_shown":
      return say("ui.log_voids", {
        voids: one.voids.map((suit, seat) => say("ui.log_void", { name: name(seat), suit: say(`ui.suit_${suit}`) })).join(say("ui.list")),
      });
    case "discarded": {
      const facts = { name: name(one.seat), tile: tileWord(say, one.t), waits: tileWords(say, one.waits) };
      return say(one.call ? `ui.log_${one.call}` : "ui.log_discard", facts);
    }
    case "ponged":
      return say("ui.log_pong", { name: name(one.seat), tile: tileWord(say, one.t) });
    case "adding":
      return say("ui.log_adding", { name: name(one.seat), tile: tileWord(say, one.t) });
    case "konged":
      return say(`ui.log_kong_${one.kind}`, { name: name(one.seat), tile: tileWord(say, one.t) });
    case "paid":
      return atHead(
        say("ui.log_paid", { kind: kindWord(say, one.kind), payer: name(one.payer), payee: name(one.payee), amount: one.amount }),
      );
    case "won":
      return say(one.giver === null ? "ui.log_won" : "ui.log_won_off", {
        name: name(one.seat),
        by: byWord(say, one),
        tile: tileWord(say, one.t),
        fan: one.fan,
        giver: one.giver === null ? "" : name(one.giver),
      });
    case "ended":
      return say(`ui.end_${one.end}`);
    default:
      return null; // draws show on the cloth
  }
}
