// What an achievement is called, and how one earns it: a game's own words, or the hall's.
import { say } from "../../lang.svelte";
import type { AchievementRow } from "../../net/protocol.gen";
import { gameName } from "../../table/terms";

export function titleOf(row: Pick<AchievementRow, "id" | "game">): string {
  if (row.game === null) return say(`achievement.${row.id}.name`);
  if (row.id.startsWith("win.")) return say("achievement.win", { game: gameName(row.game) });
  return say(`${row.game}.feat.${row.id.slice(row.game.length + 1)}.name`);
}

export function howOf(row: AchievementRow): string {
  if (row.game === null) return say(`achievement.${row.id}.how`);
  if (row.id.startsWith("win.")) return say("achievement.win_how", { game: gameName(row.game) });
  return say(`${row.game}.feat.${row.id.slice(row.game.length + 1)}.how`);
}
