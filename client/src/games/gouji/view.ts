// What the hall says of gouji, by the types it was generated from, and the words of the cloth's geometry.
import type { Told } from "../../net/protocol";
import type { Say } from "../../lang.svelte";
import { setWords as wordsOf } from "../../table/cards/words";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type Choice = types.Choice;
export type Rest = types.Rest;
export type SetPlayed = types.SetPlayed;
export type Event = types.Event;

/** What was told, by its own type. */
export const eventOf = (told: Told): Event => told as unknown as Event;

/** Low to high, as hands and sets are written. */
export const ORDER: readonly string[] = [..."3456789TJQKA2xX"];

/** A set in words. */
export const setWords = (say: Say, cards: string | readonly string[]): string => wordsOf(say, cards, ORDER);

/** Seats 0, 2, 4 against 1, 3, 5. */
export const sameSide = (a: number, b: number): boolean => a % 2 === b % 2;
export const opposite = (seat: number): number => (seat + 3) % 6;

/** The ledger's columns: a seat of each side. */
export const SIDES = [0, 1] as const;
