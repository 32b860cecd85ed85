// Where somebody sits, in words. A room's tables are numbered from a hundred times the room's number.
import { say } from "../../lang.svelte";
import { catalog, localName } from "../../net/catalog.svelte";
import { gameName } from "../../table/terms";

const MADE_FROM = 100_000;

/** "在象棋 · 积分室 3 桌"; tables that people make have no number in a room. */
export function placeOf(table: number): string {
  const room = table < MADE_FROM ? catalog.rooms.find((one) => one.room === Math.floor(table / 100)) : undefined;
  if (!room) return say("ui.people.at_a_table");
  return say("ui.people.at", { place: say("ui.place_room", { game: gameName(room.game), room: localName(room.name), no: table % 100 }) });
}

/** What somebody does who is here: where they sit, or that they watch, or nothing. */
export const doingOf = (row: { doing: string; table: number | null }): string =>
  row.table === null ? say(`ui.people.doing_${row.doing}`) : placeOf(row.table);

/** What the address of a position says (`/editor/GAME?p=…&v=…&o=…`), as the sandbox takes it. */
export function positionAt(path: string): {
  game: string;
  start: string | null;
  variant: string | null;
  options: Record<string, unknown>;
  seats: number | null;
} {
  const [place = "", query = ""] = path.split("?");
  const said = new URLSearchParams(query);
  const game = place.split("/").at(-1) ?? "";
  return {
    game,
    start: said.get("p"),
    variant: said.get("v"),
    options: optionsIn(said.get("o")),
    seats: game === "lianliankan" ? 1 : null,
  };
}

/** The options in an address; none where nobody can have meant it. */
export function optionsIn(text: string | null): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? (found as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
