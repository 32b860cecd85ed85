// What a pond is, in words (P-71).
import { say } from "../../lang.svelte";
import type { PondForm } from "../../net/protocol.gen";

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
export const feeWords = (form: PondForm): string => (form.fee ? say("ui.pond.fee_is", { n: form.fee }) : say("ui.pond.fee_none"));
