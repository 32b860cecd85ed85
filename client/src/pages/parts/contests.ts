// Kinds of contests in words, and where the page of one is.
import { has, say } from "../../lang.svelte";

const WORDS: Record<string, string> = { teams: "team" };

/** "竞赛", "池塘". */
export const kindOf = (kind: string): string => {
  const key = `ui.contest.${WORDS[kind] ?? kind}`;
  return say(has(key) ? key : "ui.contest.of");
};

const PAGES: Record<string, string> = { tournament: "tournaments", pond: "ponds", teams: "teams" };

/** The page of a contest with a number. */
export const pageOf = (kind: string, number: number): string => `/${PAGES[kind] ?? kind}/${number}`;
