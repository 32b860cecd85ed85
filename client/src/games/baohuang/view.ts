// What the hall says of baohuang, by the types it was generated from, and the words of the cloth's geometry.
import type { Told } from "../../net/protocol";
import type { Say } from "../../lang.svelte";
import { setWords as wordsOf } from "../../table/cards/words";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type Choice = types.Choice;
export type Event = types.Event;

/** What was told, by its own type. */
export const eventOf = (told: Told): Event => told as unknown as Event;

/** Low to high, as hands and sets are written; the marked jokers stand behind their like. */
export const ORDER: readonly string[] = [..."6789TJQKA2", "x", "x*", "X", "X*"];
export const SEATS = [0, 1, 2, 3, 4] as const;

/** A set in words. */
export const setWords = (say: Say, cards: string | readonly string[]): string => wordsOf(say, cards, ORDER);

/** Does a seat play with the viewpoint, as far as the view knows? */
export function sideOf(view: View | null, viewpoint: number, seat: number): "ally" | "foe" | null {
  const [mine, theirs] = [view?.sides[viewpoint] ?? null, view?.sides[seat] ?? null];
  if (seat === viewpoint) return "ally";
  return mine === null || theirs === null ? null : mine === theirs ? "ally" : "foe";
}

/** The questions before play, in their fixed order; `opening` covers two of them for who is not asked. */
export const STEPS = ["grab", "yield", "reveal", "rebel", "kick"] as const;
export type Step = (typeof STEPS)[number];
/** What each question's two answers are. */
export const ANSWERS: Readonly<Record<Step, readonly [string, string]>> = {
  grab: ["grab", "no_grab"],
  yield: ["yield", "keep"],
  reveal: ["reveal", "hide"],
  rebel: ["rebel", "no_rebel"],
  kick: ["kick", "no_kick"],
};
/** The questions that a phase may be, to whoever looks on. */
export const stepsOf = (phase: string): readonly Step[] =>
  phase === "opening" ? ["yield", "reveal"] : STEPS.filter((step) => step === phase);
