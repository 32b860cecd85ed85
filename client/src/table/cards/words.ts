// Cards in words: "三张 9 + 两张小王", "three nines + two small jokers". The words are the hall's (`cards.…`); a game that
// says one of them otherwise has it in a table `[cards]` of its own.
import { cards as cut, counted } from "../../kit/cards";
import type { Say } from "../../lang.svelte";

/**
 * Chinese sets a space between its characters and Latin letters or digits; sentences are put together without it.
 * Names stand apart from what they did, "you" at the head of a sentence does not.
 */
export const spaced = (text: string, you: string): string =>
  (text.startsWith(`${you} `) && /^[\u4e00-\u9fff]/.test(text.slice(you.length + 1)) ? you + text.slice(you.length + 1) : text)
    .replace(/([\u4e00-\u9fff])(?=[A-Za-z0-9+−])/g, "$1 ")
    .replace(/([A-Za-z0-9])(?=[\u4e00-\u9fff])/g, "$1 ");

/** The words of a game of cards, spaced. */
export const speaker = (face: { say: Say }): Say => (key, facts) => spaced(face.say(key, facts), face.say("cards.you"));

/** A number as a word where the language has one. */
export function number(say: Say, n: number): string {
  return n <= 16 ? say(`cards.n${n}`) : String(n);
}

/** So many of one card: "三张 9", "an eight", "two small jokers". */
export const some = (say: Say, card: string, n: number): string =>
  say(`cards.${n === 1 ? "one" : "many"}_${card}`, { n: number(say, n) });

/** A set in words, in the order of its ranks: base first, what is hung on it behind. */
export function setWords(say: Say, cards: string | readonly string[], order: readonly string[]): string {
  const counts = counted(typeof cards === "string" ? cut(cards) : cards);
  return order.filter((card) => counts.has(card))
    .map((card) => some(say, card, counts.get(card)!))
    .join(say("cards.and"));
}

/** A rank as it is written: "10" for T. */
export const rankWord = (rank: string): string => (rank === "T" ? "10" : rank);

/** Ranks without their numbers, as on a panel: "5 · 7 · 10". */
export const rankWords = (ranks: readonly string[]): string => ranks.map(rankWord).join(" · ");

/** +4, −4, 0. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
