// What the hall tells me wherever I am (13.1 `note`): my turn, an end, a penalty, a lost seat; nothing where I see it anyway.
import { say } from "../lang.svelte";
import { gameName } from "../table/terms";
import { router } from "../router.svelte";
import { sound } from "../shell/sound";
import { toasts } from "../shell/toasts.svelte";
import type { Note } from "./protocol";
import { session } from "./session.svelte";

const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

function tell({ kind, ref, facts }: Note): void {
  const table = kind === "turn" ? ref : facts?.table;
  const go = (label: string, to: string) => ({ action: { label: say(label), run: () => router.go(to) } });
  const here = router.path === `/tables/${table}`;
  if (kind === "stood") {
    // At the table, too: there I see that my seat is gone, but not why.
    sound("soft");
    toasts.add(say(`stood.${facts.why}`, facts), { ...(here ? {} : go("ui.see_table", `/tables/${table}`)), stays: true });
    return;
  }
  if (here) return;
  if (kind === "turn") {
    sound("turn");
    toasts.add(say("ui.note_turn"), { ...go("ui.back_to_table", `/tables/${table}`), about: `/tables/${table}` });
  } else if (kind === "ended") {
    toasts.add(say("ui.note_ended", { points: signed(facts.points ?? 0) }), go("ui.replay", `/g/${ref}`));
  } else if (kind === "invite") {
    sound("turn");
    if (facts.seat !== undefined) {
      // Quick pairing has found somebody; the page that waits goes there by itself.
      if (router.path !== "/new") toasts.add(say("ui.meet.paired", { game: gameName(facts.game) }), { ...go("ui.back_to_table", `/tables/${facts.table}`), stays: true });
    } else if (facts.declined) toasts.add(say("ui.meet.declined", { name: facts.from, game: gameName(facts.game) }));
    else if (facts.table !== undefined) toasts.add(say("ui.meet.taken", { name: facts.from, game: gameName(facts.game) }), { ...go("ui.back_to_table", `/tables/${facts.table}`), stays: true });
    else toasts.add(say("ui.meet.has_come", { name: facts.from, game: gameName(facts.game) }), { ...go("ui.meet.look", "/invites"), stays: true });
  } else if (kind === "penalty" && facts.what) {
    const until = facts.until ? say("ui.order.until", { day: new Date(facts.until * 1000).toLocaleString() }) : "";
    toasts.add(say(`ui.order.told_${facts.what}`, { reason: facts.reason, until }), { ...go("ui.order.why", "/me/rulings"), stays: true });
  } else if (kind === "penalty") {
    const price = (["score", "credibility", "coins"] as const).filter((what) => facts[what]).map((what) => say(`ui.price_${what}`, { n: signed(facts[what]) }));
    toasts.add(say("ui.note_penalty", { price }), { stays: true });
  }
}

/** Begin to tell; the answer ends it. */
export const notes = (): (() => void) =>
  session.listen((message) => {
    if (message.t === "note") tell(message);
  });
