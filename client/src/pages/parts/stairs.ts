// What stairs are called, and where they are (P-70): their name is made of the game, the variant and the clock.
import { has, say } from "../../lang.svelte";
import type { Clock } from "../../net/protocol";
import type { StairsLine } from "../../net/protocol.gen";
import { clockWords, gameName } from "../../table/terms";

/** "象棋楼梯", "双陆楼梯 · 白俄". */
export function titleOf(game: string, variant?: string | null): string {
  const title = say("ui.stairs.of", { game: gameName(game) });
  if (!variant) return title;
  const key = `${game}.variant.${variant}`;
  return `${title} · ${has(key) ? say(key) : variant}`;
}

/** How long one thinks there: days for a move, or live, by the clock of the game's rooms. */
export function paceOf(clock: Clock | null | undefined): string {
  if (!clock) return say("ui.stairs.live");
  return clock.type === "days" ? say("ui.stairs.days", { n: clock.days }) : clockWords(clock);
}

/** Live ones before those by days, the usual game before its variants. */
export const inOrder = (one: StairsLine, other: StairsLine): number => one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
