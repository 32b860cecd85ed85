// A time that somebody writes; beside `dates.ts`, which every page has, since forms alone need it.
import { zone } from "./dates";

/** How far a zone is ahead of UTC at a moment, ms. */
function ahead(at: number, timeZone: string | undefined): number {
  const how = { dateStyle: "short", timeStyle: "medium", timeZone } as const; // "2026-03-29 02:30:00"
  return Date.parse(`${new Intl.DateTimeFormat("sv-SE", how).format(at).replace(" ", "T")}Z`) - Math.floor(at / 1000) * 1000;
}

/**
 * When a day and a time are that were written ("2026-03-29T20:00", as an input has them), in the reader's zone: ms since
 * 1970, null where it is no time. Of two such times, where clocks are set back, it is the earlier; what is left out where
 * they are set forward is as long after that as it would be without.
 */
export function momentOf(written: string, timeZone: string | undefined = zone()): number | null {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(written) ? Date.parse(`${written}Z`) : NaN;
  if (Number.isNaN(wall)) return null;
  const [before, after] = [-1, 1].map((days) => ahead(wall + days * 86_400_000, timeZone)) as [number, number];
  const fits = [before, after].map((by) => wall - by).filter((at) => at + ahead(at, timeZone) === wall);
  return fits.length ? Math.min(...fits) : wall - before;
}
