// What a moderator has done about me, as a word with the way to the ruling; seldom, and so fetched when it happens.
import { say } from "../lang.svelte";
import { router } from "../router.svelte";
import { dayAndTime } from "../shell/dates";
import { toasts } from "../shell/toasts.svelte";
import { catalog } from "./catalog.svelte";
import type { Facts } from "./protocol";

/** Say it: where, where it counts in one room alone, and until when, in my zone. */
export async function ruled(facts: Facts): Promise<void> {
  const until = facts.until
    ? say("ui.order.until", { day: dayAndTime(new Date(facts.until * 1000), { year: "numeric", month: "short", day: "numeric" }) })
    : "";
  const here = typeof facts.room === "number" && (facts.what === "mute" || facts.what === "unmute");
  if (here) await catalog.room(facts.room).catch(() => undefined);
  const words = say(`ui.order.told_${facts.what}${here ? "_room" : ""}`, {
    reason: facts.reason,
    until,
    room: here ? catalog.roomName(facts.room) : "",
    level: facts.level,
  });
  toasts.add(words, { action: { label: say("ui.order.why"), run: () => router.go("/me/rulings") }, stays: true });
}
