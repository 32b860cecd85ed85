// Why a game of a file cannot be read, and where: its line, the number of the move, the move as it stands there.
import { has, say } from "../../lang.svelte";
import type { Facts } from "../../net/protocol";

export function unread(game: string, facts: Facts): string {
  const where = ["line", "ply", "move"]
    .filter((name) => facts[name] !== undefined)
    .map((name) => say(`unread.${name}`, facts))
    .join(say("unread.between"));
  const found = [`unread.why.${facts.why}`, `${game}.${facts.why}`].find(has) ?? "unread.why.other";
  return `${where}${where ? say("unread.colon") : ""}${say(found, facts)}`;
}
