// Numbers and dates as the pages write them.
import { has, lang, say } from "../../lang.svelte";
import { dayAndTime, dayOf, sameDay, timeOf } from "../../shell/dates";

export const signed = (n: number): string => (n > 0 ? `+${number(n)}` : n < 0 ? `−${number(-n)}` : "0");
/** A mean of points, with its sign and one decimal: "+2.5". */
export const tenths = (n: number): string => `${n > 0 ? "+" : n < 0 ? "−" : ""}${Math.abs(n).toFixed(1)}`;
/** Matchpoints: "62.5 %". */
export const matchpoints = (n: number): string => `${n.toFixed(1)} %`;
export const number = (n: number): string => new Intl.NumberFormat(lang.now).format(n);

/** Points of contests: halves are written as such, 2.5 as "2½"; other parts with two decimals at most. */
export function halves(n: number): string {
  const whole = Math.trunc(n);
  if (n - whole !== 0.5) return number(n);
  return whole ? `${number(whole)}½` : "½";
}

/** A day from seconds since 1970, or from an ISO date. */
export function day(at: number | string | null): string {
  if (at === null) return "";
  const [date, zone] = typeof at === "string" ? [new Date(`${at}T00:00:00Z`), "UTC"] : [new Date(at * 1000), undefined];
  return dayOf(date, { year: "numeric", month: "short", day: "numeric" }, zone);
}

/** Day and time, from ms since 1970. */
export const moment = (ms: number): string => dayAndTime(new Date(ms), { month: "short", day: "numeric" });

/** A time given in seconds since 1970: the time today, else day and time. */
export function timeText(at: number): string {
  const date = new Date(at * 1000);
  return sameDay(date, new Date()) ? timeOf(date) : moment(1000 * at);
}

/** How long ago, roughly: minutes, hours, days. now: ms. */
export function ago(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now / 1000 - at) / 60));
  if (minutes < 1) return say("ui.people.just_now");
  if (minutes < 60) return say("ui.people.ago_m", { n: minutes });
  if (minutes < 2880) return say("ui.people.ago_h", { n: Math.floor(minutes / 60) });
  return say("ui.people.ago_d", { n: Math.floor(minutes / 1440) });
}

/** How much time is left, roughly: days, hours, minutes, at the end seconds. */
export function leftWords(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s >= 2 * 86_400) return say("ui.meet.days", { n: Math.floor(s / 86_400) });
  if (s >= 7200) return say("ui.people.hours_n", { n: Math.floor(s / 3600) });
  return s > 90 ? say("ui.people.minutes_n", { n: Math.ceil(s / 60) }) : say("ui.seconds", { n: s });
}

/** The name of a country, by its two letters. */
export const country = (code: string): string => new Intl.DisplayNames([lang.now], { type: "region", fallback: "code" }).of(code) ?? code;

/** A length of time, roughly: hours, or minutes where it is less than one. */
export const hours = (seconds: number): string =>
  seconds >= 3600
    ? say("ui.people.hours_n", { n: Math.floor(seconds / 3600) })
    : say("ui.people.minutes_n", { n: Math.floor(seconds / 60) });

/** The first words of a text that the hall has made HTML of. */
export function excerpt(html: string): string {
  const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
  const text = html.replace(/<[^>]*>/g, " ").replace(/&(\w+);/g, (whole, name: string) => signs[name] ?? whole);
  return text.replace(/\s+/g, " ").trim().slice(0, 80);
}

/** A share in percent with two decimals, cut and not rounded (P-75). */
export function percent(part: number, whole: number): string {
  const cut = whole ? Math.floor((10_000 * part) / whole) : 0;
  return `${Math.floor(cut / 100)}.${String(cut % 100).padStart(2, "0")}`;
}

/** The share of games won, as statistics show it (P-4, P-75). */
export const winRate = (one: { won: number | null; lost: number | null; drawn: number | null }): string | null => {
  if (one.won === null || one.lost === null || one.drawn === null) return null; // hidden (P-4)
  const all = one.won + one.lost + one.drawn;
  return all ? percent(one.won, all) : null;
};

/** A pool of ratings ("xiangqi", "gouji/four") as its game and variant. */
export const poolGame = (pool: string): [string, string] => {
  const [game = "", ...rest] = pool.split("/");
  return [game, rest.join("/")];
};

/** What a seat is called: 红方, 白方; where a game has no word for it, "2 号位". */
export const seatWord = (game: string, seat: number): string =>
  has(`${game}.side.${seat}`) ? say(`${game}.side.${seat}`) : say("ui.seat_n", { n: seat + 1 });
