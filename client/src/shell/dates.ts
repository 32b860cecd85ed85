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
