// Kinds of contests in words, and where the page of one is.
import { has, say } from "../lang.svelte";

/** "竞赛", "池塘". */
export const kindOf = (kind: string): string => say(has(`ui.contest.${kind}`) ? `ui.contest.${kind}` : "ui.contest.of");

/** The page of a contest with a number: `/ponds/3`, `/teams/3`. */
export const pageOf = (kind: string, number: number | string): string => `/${kind.replace(/s?$/, "s")}/${number}`;
