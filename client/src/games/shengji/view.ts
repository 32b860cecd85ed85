// What the hall says of shengji, by the types it was generated from; cards, suits and levels in words.
import type { Told } from "../../net/protocol";
import type { Say } from "../../lang.svelte";
import { number, rankWord, some } from "../../table/cards/words";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type Call = types.Call;
export type Over = types.Over;
export type Result = types.Result;
export type Declaration = types.Declaration;
export type Attempt = types.Attempt;
export type SeatPlay = types.SeatPlay;
export type Trick = types.Trick;
export type Event = types.Event;

/** What was told, by its own type. */
export const eventOf = (told: Told): Event => told as unknown as Event;

const SUITS = "SHCD";
const GLYPHS: Readonly<Record<string, string>> = { S: "♠", H: "♥", C: "♣", D: "♦" };
/** The ladder both sides climb. */
export const LEVELS: readonly string[] = [..."23456789TJQKA"];
/** Every card once: a selection is written in this order. */
export const ORDER: readonly string[] = ["X", "x", ...[...SUITS].flatMap((suit) => LEVELS.toReversed().map((rank) => rank + suit))];
const PLACE = new Map(ORDER.map((card, i) => [card, i]));
/** A selection as it is written, whatever order its cards come in. */
export const written = (cards: readonly string[]): string => [...cards].sort((a, b) => PLACE.get(a)! - PLACE.get(b)!).join("");

export const isJoker = (card: string): boolean => card === "x" || card === "X";
/** What a card counts for whoever takes it. */
export const worth = (card: string): number => (isJoker(card) ? 0 : card[0] === "5" ? 5 : "TK".includes(card[0]!) ? 10 : 0);
export const worthOf = (cards: readonly string[]): number => cards.reduce((sum, card) => sum + worth(card), 0);
/** The ranks that count. */
export const POINTS: ReadonlySet<string> = new Set(["5", "T", "K"]);

/** Cards in words, in the order they come: "♣AA + ♣Q" when a part each, "大王 ♠KQ" in one. */
export function cardWords(say: Say, cards: readonly string[]): string {
  const parts: string[] = [];
  let at = 0;
  while (at < cards.length) {
    const card = cards[at]!;
    const same = (other: string): boolean => (isJoker(card) ? other === card : !isJoker(other) && other[1] === card[1]);
    let end = at;
    while (end < cards.length && same(cards[end]!)) end++;
    const ranks = cards.slice(at, end).map((one) => rankWord(one[0]!));
    parts.push(
      isJoker(card) ? some(say, card, end - at) : GLYPHS[card[1]!]! + ranks.join(ranks.length > 1 && ranks.includes("10") ? " " : ""),
    );
    at = end;
  }
  return parts.join(" ");
}

/** A trump suit by its name; none is a name too. */
export const trumpWords = (say: Say, trump: string | null): string => say(`ui.trump_${trump ?? "none"}`);

/** A suit's sign, as the card drawings name it. */
export const suitSign = (trump: string): string => `#card-${trump.toLowerCase()}`;

/** Seats 0 and 2 against 1 and 3. */
export const sameSide = (a: number, b: number): boolean => a % 2 === b % 2;
/** The ledger's columns: a seat of each side. */
export const SIDES = [0, 1] as const;
/** Do cards still fall, or may they still be overcalled? */
export const drawing = (phase: string | undefined): boolean => phase === "deal" || phase === "dealing" || phase === "declaring";
export const isOver = (phase: string | undefined): boolean => phase === "deal_over" || phase === "match_over";

/** 25 × 2² = 100, and why. */
export function kittySum(say: Say, one: { points: number; width: number; multiplier: number; bonus: number }): string {
  if (!one.multiplier) return say("ui.kitty_kept", { points: one.points });
  return say("ui.kitty_sum", { points: one.points, power: power(one.multiplier), times: one.multiplier, bonus: one.bonus });
}

/** A power of two as it is written: 2² for 4. */
export const power = (multiplier: number): string =>
  `2${[...String(Math.round(Math.log2(multiplier)))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;

/** "三对拖拉机" where a name needs its length; else the name of the shape. */
export const shapeWords = (say: Say, type: string, length: number): string =>
  length > 2 ? say(`ui.long_${type}`, { n: number(say, length) }) : say(`term.${type}`);
