// What the hall tells of contests (P-67, P-69 to P-71), as a word with a link; a page that shows it reads it anew by itself.
import { has, say } from "../lang.svelte";
import { router } from "../router.svelte";
import { sound } from "../shell/sound";
import { toasts } from "../shell/toasts.svelte";
import { catalog } from "./catalog.svelte";
import type { Facts } from "./protocol";

/** Say a word with a link to where it is to be seen; nothing to who is there. */
function add(words: string, label: string, to: string, facts: Facts = {}): void {
  if (router.path === to) return;
  toasts.add(say(words, facts), { action: { label: say(label), run: () => router.go(to) }, about: to, stays: true });
}

/** ref: the contest's stream, "pond:5". */
export function contested(ref: string, facts: Facts): void {
  const [kind, number] = ref.split(":");
  if (facts.table !== undefined) {
    sound("turn");
    const words = kind === "stairs" ? "ui.contest.table" : facts.name ? "ui.contest.game_in" : "ui.contest.game_here";
    add(words, "ui.contest.to_game", `/tables/${facts.table}`, facts);
  } else if (kind === "stairs" && facts.what === "challenged")
    add("ui.contest.challenged", "ui.contest.to_stairs", `/stairs/${facts.stairs}`);
  else if (kind === "tournament" && has(`ui.contest.tournament_${facts.what}`))
    add(`ui.contest.tournament_${facts.what}`, "ui.contest.to_tournament", `/tournaments/${number}`, facts);
  else if (kind === "teams" && has(`ui.contest.teams_${facts.what}`))
    add(`ui.contest.teams_${facts.what}`, "ui.contest.to_teams", `/teams/${number}`, facts);
  else if (kind === "room") void opened(Number(number), facts.no);
  else if (kind === "duplicate" && facts.what === "opened")
    add("ui.duplicate.day_open", "ui.compare", `/duplicates/${facts.game}/${facts.day}`);
  else if (kind === "pond" && has(`ui.contest.${facts.what}`))
    add(`ui.contest.${facts.what}`, "ui.contest.to_pond", `/ponds/${number}`, facts);
}

/** A shared deal of a room that I have played is opened (P-94). no: its number there. */
async function opened(room: number, no: number): Promise<void> {
  await catalog.room(room).catch(() => undefined);
  add("ui.duplicate.now_open", "ui.compare", `/rooms/${room}/boards/${no}`, { no, room: catalog.roomName(room) });
}
