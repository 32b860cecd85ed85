// Days and times as their reader wants them: in his zone, and in his order (P-5).
import { lang } from "../lang.svelte";
import { prefs } from "./prefs.svelte";

type Days = Pick<Intl.DateTimeFormatOptions, "year" | "month" | "day" | "weekday">;
/** Who writes days so: languages stand for the orders, so that no order is spelt out here. */
const ORDERS = { ymd: "sv-SE", dmy: "de-DE", mdy: "en-US" } as const;

/** The zone chosen, as far as this browser knows it; undefined: the browser's own. */
export function zone(): string | undefined {
  const wanted = prefs.all.zone;
  if (!wanted) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: wanted });
    return wanted;
  } catch {
    return undefined; // of another browser, which knows more zones
  }
}

/** A day; timeZone: the zone it is of, the reader's where none is given. */
export function dayOf(date: Date, how: Days, timeZone: string | undefined = zone()): string {
  const order = prefs.all.dates;
  if (order === "auto") return new Intl.DateTimeFormat(lang.now, { ...how, timeZone }).format(date);
  const figures: Days = { month: "2-digit", day: "2-digit", ...(how.year ? { year: "numeric" } : {}) };
  const day = new Intl.DateTimeFormat(ORDERS[order], { ...figures, timeZone }).format(date);
  return how.weekday ? `${day} ${new Intl.DateTimeFormat(lang.now, { weekday: how.weekday, timeZone }).format(date)}` : day;
}

export const timeOf = (date: Date): string =>
  new Intl.DateTimeFormat(lang.now, { hour: "2-digit", minute: "2-digit", timeZone: zone() }).format(date);

/** A day and a time of it. */
export function dayAndTime(date: Date, how: Days): string {
  if (prefs.all.dates !== "auto") return `${dayOf(date, how)} ${timeOf(date)}`;
  return new Intl.DateTimeFormat(lang.now, { ...how, hour: "2-digit", minute: "2-digit", timeZone: zone() }).format(date);
}

/** Is it the same day for the reader? */
export const sameDay = (one: Date, other: Date): boolean => {
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone: zone() });
  return days.format(one) === days.format(other);
};

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
