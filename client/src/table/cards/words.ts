// Cards in words: "三张 9 + 两张小王", "three nines + two small jokers". The words are the hall's (`cards.…`); a game that
// says one of them otherwise has it in a table `[cards]` of its own.
import { cards as cut, counted } from "../../kit/cards";
import type { Say } from "../../lang.svelte";
import type { Facts } from "../../net/protocol";

/**
 * Chinese sets a space between its characters and Latin letters or digits; sentences are put together without it.
 * Names stand apart from what they did, 你 does not.
 */
export const spaced = (text: string, you: string): string =>
  (/[\u4e00-\u9fff]/.test(you)
    ? text
        .replace(new RegExp(`(^|[\\s，：、])${you} (?=[\u4e00-\u9fff])`, "g"), `$1${you}`)
        .replace(new RegExp(`([\u4e00-\u9fff]) ${you}(?=[\u4e00-\u9fff：，、]|$)`, "g"), `$1${you}`)
    : text
  )
    .replace(/([\u4e00-\u9fff])(?=[A-Za-z0-9+−])/g, "$1 ")
    .replace(/([A-Za-z0-9])(?=[\u4e00-\u9fff])/g, "$1 ");

/** The words of a game of cards, spaced. */
export const speaker =
  (tableView: { say: Say }): Say =>
  (key, facts) =>
    spaced(tableView.say(key, facts), tableView.say("cards.you"));

/** A number as a word where the language has one. */
export function number(say: Say, n: number): string {
  return n <= 16 ? say(`cards.n${n}`) : String(n);
}

/** At the head of a line, where no sentence begins that would see to it: "You", "Spades". */
export const atHead = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A seat in a sentence: "you", or its name. */
export const named = (tableView: { say: Say; seat: number | null; nameOf(seat: number): string }, seat: number): string =>
  seat === tableView.seat ? tableView.say("cards.you") : tableView.nameOf(seat);

/** The facts of a refusal as a sentence wants them: seats and cards come as the wire writes them. words: of cards. */
export function factWords(
  tableView: { say: Say; seat: number | null; nameOf(seat: number): string },
  facts: Facts,
  words: (cards: string[]) => string,
): Facts {
  const found = { ...facts };
  for (const [key, value] of Object.entries(facts)) {
    if (key === "seats" && Array.isArray(value)) found[key] = value.map((seat: number) => named(tableView, seat));
    else if ((key === "seat" || key === "victim") && typeof value === "number") found[key] = named(tableView, value);
    else if ((key === "cards" || key === "led") && value) found[key] = words(typeof value === "string" ? cut(value) : value);
  }
  return found;
}

/** So many of one card: "三张 9", "an eight", "two small jokers". */
export const some = (say: Say, card: string, n: number): string => say(`cards.${n === 1 ? "one" : "many"}_${card}`, { n: number(say, n) });

/** A set in words, in the order of its ranks: base first, what is hung on it behind. */
export function setWords(say: Say, cards: string | readonly string[], order: readonly string[]): string {
  const counts = counted(typeof cards === "string" ? cut(cards) : cards);
  return order
    .filter((card) => counts.has(card))
    .map((card) => some(say, card, counts.get(card)!))
    .join(say("cards.and"));
}

/** A rank as it is written: "10" for T. */
export const rankWord = (rank: string): string => (rank === "T" ? "10" : rank);

/** Ranks without their numbers, as on a panel: "5 · 7 · 10". */
export const rankWords = (ranks: readonly string[]): string => ranks.map(rankWord).join(" · ");

/** +4, −4, 0. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
