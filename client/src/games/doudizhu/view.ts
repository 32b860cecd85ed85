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
// The hall says what the set to beat is read as, and what a choice is. Sets that lie under it are read here by their
// shape, for their words and the order in which their cards lie.

/** [kind, cards of a rank in the body, cards that go with each of its ranks, are those pairs?, least and most ranks]. */
const SHAPES: readonly (readonly [kind: string, width: number, wings: number, pairs: boolean, least: number, most: number])[] = [
  ["single", 1, 0, false, 1, 1],
  ["pair", 2, 0, false, 1, 1],
  ["triple", 3, 0, false, 1, 1],
  ["triple_one", 3, 1, false, 1, 1],
  ["triple_pair", 3, 2, true, 1, 1],
  ["straight", 1, 0, false, 5, 12],
  ["pairs", 2, 0, false, 3, 10],
  ["plane", 3, 0, false, 2, 6],
  ["plane_ones", 3, 1, false, 2, 5],
  ["plane_pairs", 3, 2, true, 2, 4],
  ["four_ones", 4, 2, false, 1, 1],
  ["four_pairs", 4, 4, true, 1, 1],
  ["bomb", 4, 0, false, 1, 1],
];

/** What a set that lies on the table looks like; null for cards that form none. */
export function shapeOf(cards: readonly string[]): Form | null {
  const held = counted(cards);
  if (cards.length === 2 && held.get("x") && held.get("X")) return ["rocket", "x", 1];
  for (const [kind, width, wings, pairs, least, most] of SHAPES) {
    const length = cards.length / (width + wings);
    if (!Number.isInteger(length) || length < least || length > most) continue;
    // Runs end with the ace; of several readings the highest counts.
    for (let low = (length > 1 ? 12 : 15) - length; low >= 0; low--) {
      const body = ORDER.slice(low, low + length);
      if (!body.every((rank) => held.get(rank) === width)) continue;
      if (pairs && [...held].some(([card, n]) => !body.includes(card) && n !== 2)) continue;
      return [kind, ORDER[low]!, length];
    }
  }
  return null;
}

/** A set cut into its body, rank by rank, and the cards that go with it. */
function parts(list: readonly string[], form: Form): { body: string[]; wings: string[] } {
  const [kind, rank, length] = form;
  const from = ORDER.indexOf(rank);
  const body = kind === "rocket" ? ["x", "X"] : ORDER.slice(from, from + length);
  const wings = [...list].filter((card) => !body.includes(card)).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return { body, wings };
}

/** The cards of a set as they lie: the body, behind it what goes with it. */
export function laidOut(cards: string): string {
  const list = cut(cards);
  const form = shapeOf(list);
  if (!form) return cards;
  const { body, wings } = parts(list, form);
  return [...list.filter((card) => body.includes(card)), ...wings].join("");
}

/** A card by itself in a list: "10", "small joker". */
const oneWord = (say: Say, card: string): string => (/[xX]/.test(card) ? say(`ui.joker_${card}`) : rankWord(card));

/** A set in words: "plane 3–4 + 5, 7"; cards that form none rank by rank. */
export function setWords(say: Say, cards: string | readonly string[], read: Form | null = null): string {
  const list = typeof cards === "string" ? cut(cards) : cards;
  const form = read ?? shapeOf(list);
  if (!form)
    return [...list]
      .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
      .map((card) => oneWord(say, card))
      .join(" ");
  const [kind, rank, length] = form;
  if (kind === "single") return say(`cards.one_${rank}`);
  const { body, wings } = parts(list, form);
  const run = length > 1 ? `${rankWord(body[0]!)}–${rankWord(body.at(-1)!)}` : oneWord(say, rank);
  // Of pairs that go with a body each is named once.
  const named = kind.endsWith("pair") || kind.endsWith("_pairs") ? [...new Set(wings)] : wings;
  return say(`ui.set_${kind}`, { body: run, wings: named.map((card) => oneWord(say, card)).join(say("ui.and_cards")) });
}
