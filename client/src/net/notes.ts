// What the hall tells me wherever I am (13.1 `note`): my turn, an end, a penalty, a lost seat; nothing where I see it anyway.
import { say } from "../lang.svelte";
import { gameName } from "../table/terms";
import { router } from "../router.svelte";
import { prices } from "../shell/price";
import { sound } from "../shell/sound";
import { toasts } from "../shell/toasts.svelte";
import { catalog } from "./catalog.svelte";
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
    if (facts.live) {
      toasts.add(say("ui.slow.called", { name: facts.from, game: gameName(facts.game) }), {
        ...go("ui.back_to_table", `/tables/${facts.table}`),
        stays: true,
      });
    } else if (facts.seat !== undefined) {
      // Quick pairing has found somebody; the page that waits goes there by itself.
      if (router.path !== "/new")
        toasts.add(say("ui.meet.paired", { game: gameName(facts.game) }), {
          ...go("ui.back_to_table", `/tables/${facts.table}`),
          stays: true,
        });
    } else if (facts.declined) toasts.add(say("ui.meet.declined", { name: facts.from, game: gameName(facts.game) }));
    else if (facts.table !== undefined)
      toasts.add(say("ui.meet.taken", { name: facts.from, game: gameName(facts.game) }), {
        ...go("ui.back_to_table", `/tables/${facts.table}`),
        stays: true,
      });
    else
      toasts.add(say("ui.meet.has_come", { name: facts.from, game: gameName(facts.game) }), {
        ...go("ui.meet.look", "/invites"),
        stays: true,
      });
  } else if (kind === "mail") {
    // What the hall says of these by itself is said already.
    if (router.path !== facts.path && !/^(invite|friend|contest|ruling|role|turn)$/.test(facts.what))
      toasts.add(
        say(`notice.${facts.what}`, facts.game ? { ...facts, game: gameName(facts.game) } : facts),
        go("ui.meet.look", facts.path),
      );
  } else if (kind === "contest") {
    void import("./contested").then(({ contested }) => contested(String(ref), facts));
  } else if (kind === "penalty" && facts.what) {
    void import("./ruled").then(({ ruled }) => ruled(facts));
  } else if (kind === "friend") {
    toasts.add(say("ui.people.befriended", { name: facts.from }), go("ui.people.profile", `/users/${ref}`));
  } else if (kind === "shoulder") {
    toasts.add(say("ui.shoulder.note", { name: facts.from ?? "", game: gameName(facts.game) }), {
      ...go("ui.shoulder.look", `/shoulder/${ref}`),
      stays: true,
    });
  } else if (kind === "role") {
    void session.refresh();
    void catalog.room(ref).then(() =>
      toasts.add(say(facts.on ? "ui.order.named" : "ui.order.unnamed", { room: catalog.roomName(ref) }), {
        ...go("ui.order.to_room", `/rooms/${ref}`),
        stays: true,
      }),
    );
  } else if (kind === "penalty") {
    const price = prices(facts);
    toasts.add(price.length ? say("ui.note_penalty", { price }) : say("ui.note_left"), { stays: true });
  }
}

/** Begin to tell; the answer ends it. */
export const notes = (): (() => void) =>
  session.listen((message) => {
    if (message.t === "note") tell(message);
  });
