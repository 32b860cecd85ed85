// What the hall's calendar says of each thing that is coming (P-12): a line, and where it leads.
import { inUse, say } from "../../lang.svelte";
import type { CalendarRow } from "../../net/protocol.gen";
import { timeOf } from "../../shell/dates";
import { gameName } from "../../table/terms";
import { kindOf, pageOf } from "../../table/contests";

/** What begins: "秋季杯"; or what is done: "过关月奖结算". */
export function nameOf(row: CalendarRow): string {
  if (row.name !== null) return row.name;
  return say(`ui.calendar.${row.what}`);
}

/** The rest of the line: of what kind it is, which game, or why. */
export function restOf(row: CalendarRow): string {
  if (row.what === "maintenance") return row.words && Object.keys(row.words).length ? inUse(row.words) : say("ui.calendar.maintenance_is");
  if (row.name === null) return say(`ui.calendar.${row.what}_is`);
  return [kindOf(row.what), row.game === null ? "" : gameName(row.game)].filter(Boolean).join(" · ");
}

export const linkOf = (row: CalendarRow): string | null =>
  row.number !== null ? pageOf(row.what, row.number) : row.what === "passes" ? "/passes" : row.what === "renumber" ? "/stairs" : null;

/** "20:00", "3:00–4:00". */
export const timesOf = (row: CalendarRow): string =>
  row.until === null ? timeOf(new Date(row.at)) : `${timeOf(new Date(row.at))}–${timeOf(new Date(row.until))}`;
