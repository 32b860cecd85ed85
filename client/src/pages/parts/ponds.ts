// What a pond is, in words (P-71).
import { say } from "../../lang.svelte";
import type { PondForm } from "../../net/protocol.gen";
import { number } from "./words";

export const START = 20_000;
export const BONUS = 500;
const DAY_S = 86_400;
/** What may be left out of a form, as the hall reads it. */
export const LEAST = 16;

export const variantOf = (form: PondForm): "dark" | "rain" | "regular" => form.variant ?? "regular";
export const roundWords = (form: PondForm): string => {
  const seconds = form.round_s ?? DAY_S;
  return seconds < DAY_S ? say("ui.pond.round_live") : say("ui.pond.round_days", { n: seconds / DAY_S });
};
export const feeWords = (form: PondForm): string => (form.fee ? say("ui.pond.fee_is", { n: number(form.fee) }) : say("ui.pond.fee_none"));

/** How much time is left, in words: days and hours, hours and minutes, minutes, seconds. */
export function leftWords(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s >= 2 * DAY_S) return say("ui.meet.days", { n: Math.floor(s / DAY_S) });
  if (s >= 7200) return say("ui.people.hours_n", { n: Math.floor(s / 3600) });
  return s > 90 ? say("ui.minutes", { n: Math.ceil(s / 60) }) : say("ui.seconds", { n: s });
}
