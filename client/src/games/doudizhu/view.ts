// What the hall says of dou dizhu, by the types it was generated from, and sets of cards in words.
import type { Told } from "../../net/protocol";
import type { Say } from "../../lang.svelte";
import { cards as cut, counted } from "../../kit/cards";
import { rankWord } from "../../table/cards/words";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type Choice = types.Choice;
export type Event = types.Event;
export type Form = types.Form;
export type SetPlayed = types.SetPlayed;

/** What was told, by its own type. */
export const eventOf = (told: Told): Event => told as unknown as Event;

/** Low to high, as hands and sets are written. */
export const ORDER: readonly string[] = [..."3456789TJQKA2xX"];
export const SEATS = [0, 1, 2] as const;

/** Does a seat play with the viewpoint? null: there is no landlord yet. */
export function sideOf(view: View | null, viewpoint: number, seat: number): "ally" | "foe" | null {
  const [mine, theirs] = [view?.sides[viewpoint] ?? null, view?.sides[seat] ?? null];
  if (mine === null || theirs === null) return null;
  return mine === theirs ? "ally" : "foe";
}

// ---- sets ---------------------------------------------------------------------------------------------------------
// The hall says what each set is read as: those on the table, and those that I may put down. Cards of which it says
// nothing are words one by one.

/** A set cut into its body, rank by rank, and the cards that go with it. */
function parts(list: readonly string[], form: Form): { body: string[]; wings: string[] } {
  const [kind, rank, length] = form;
  const from = ORDER.indexOf(rank);
  const body = kind === "rocket" ? ["x", "X"] : ORDER.slice(from, from + length);
  const wings = [...list].filter((card) => !body.includes(card)).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return { body, wings };
}

/** The cards of a set as they lie: the body, behind it what goes with it. */
export function laidOut(cards: string, form: Form): string {
  const list = cut(cards);
  const { body, wings } = parts(list, form);
  return [...list.filter((card) => body.includes(card)), ...wings].join("");
}

/** A card by itself in a list: "10", "small joker". */
const oneWord = (say: Say, card: string): string => (/[xX]/.test(card) ? say(`ui.joker_${card}`) : rankWord(card));

/** Cards that are no set, or of which nobody has said what they are read as: "3 3 10 small joker". */
export function cardWords(say: Say, cards: string | readonly string[]): string {
  return [...(typeof cards === "string" ? cut(cards) : cards)]
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map((card) => oneWord(say, card))
    .join(" ");
}

/** What a set is read as by itself: where nobody has said it, as of what might have been played. As high as possible. */
export function formOf(cards: string): Form {
  const list = cut(cards);
  const counts = counted(list);
  const ranks = ORDER.filter((card) => counts.has(card));
  const [low] = ranks as [string];
  if (ranks.length === 1) return [["single", "pair", "triple", "bomb"][list.length - 1] ?? "", low, 1];
  if (low === "x") return ["rocket", low, 1];
  const even = (some: readonly string[]): boolean => some.every((card) => counts.get(card)! % 2 === 0);
  for (let length = Math.floor(list.length / 3); length > 0; length--) {
    const rest = list.length - 3 * length;
    for (let from = (length > 1 ? ORDER.indexOf("2") : ORDER.length) - length; from >= 0; from--) {
      const body = ORDER.slice(from, from + length);
      if (!body.every((card) => (counts.get(card) ?? 0) >= 3)) continue;
      const wings = ranks.filter((card) => !body.includes(card));
      if (rest === 0) return ["plane", body[0]!, length];
      if (rest === length) return [length > 1 ? "plane_ones" : "triple_one", body[0]!, length];
      if (rest === 2 * length && even(wings) && body.every((card) => counts.get(card) === 3))
        return [length > 1 ? "plane_pairs" : "triple_pair", body[0]!, length];
    }
  }
  const four = ranks.find((card) => counts.get(card) === 4);
  if (four) return [list.length === 6 ? "four_ones" : "four_pairs", four, 1];
  return [list.length === ranks.length ? "straight" : "pairs", low, ranks.length];
}

/** A set in words, by what it is read as: "plane 3–4 + 5, 7". */
export function setWords(say: Say, cards: string, form: Form): string {
  const [kind, rank, length] = form;
  if (kind === "single") return say(`cards.one_${rank}`);
  const { body, wings } = parts(cut(cards), form);
  const run = length > 1 ? `${rankWord(body[0]!)}–${rankWord(body.at(-1)!)}` : oneWord(say, rank);
  // Of pairs that go with a body each is named once.
  const named = kind.endsWith("pair") || kind.endsWith("_pairs") ? [...new Set(wings)] : wings;
  return say(`ui.set_${kind}`, { body: run, wings: named.map((card) => oneWord(say, card)).join(say("ui.and_cards")) });
}
