// What a team tournament is, in words (P-69).
import { has, say } from "../../lang.svelte";
import type { Clock } from "../../net/protocol";
import type { TeamsForm } from "../../net/protocol.gen";
import { clockWords, gameName } from "../../table/terms";
import { moment } from "./words";

/** What may be left out of a form, as the hall reads it. */
export const BOARDS = 4;
export const LEAST = 4;
export const GAMES = 2;
export const SECTION = 8;

export const boardsOf = (form: TeamsForm): number => form.boards ?? BOARDS;
export const byDays = (form: TeamsForm): boolean => (form.terms.clock as Clock | null | undefined)?.type === "days";

/** "象棋 · 10 分 + 5 秒". */
export function playWords({ terms }: TeamsForm): string {
  const variant = terms.variant ? `${terms.game}.variant.${terms.variant}` : "";
  const clock = terms.clock as Clock | null | undefined;
  const words = [gameName(terms.game), variant && (has(variant) ? say(variant) : terms.variant), clock ? clockWords(clock) : ""];
  return words.filter(Boolean).join(" · ");
}

/** "每队四台，每台两局". */
export const boardWords = (form: TeamsForm): string =>
  [say("ui.team.n_boards", { n: boardsOf(form) }), say("ui.team.n_games", { n: form.games ?? GAMES })].join(say("ui.list_and"));

export const startWords = (form: TeamsForm): string =>
  form.starts_at ? say("ui.team.starts", { day: moment(form.starts_at) }) : say("ui.team.starts_full", { n: form.most ?? 0 });
