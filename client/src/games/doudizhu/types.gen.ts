// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat -1 deals: three hands and the bottom cards (底牌) as rank strings, and who calls first. */
export interface Deal { a: "deal"; hands: string[]; bottom: string; first: number }

/** Call nothing (不叫). */
export interface NoBid { a: "no_bid" }

/** Call for the bottom cards (叫分). */
export interface Bid { a: "bid"; n: 1 | 2 | 3 }

/** Put a set down: lead or answer. */
export interface Play { a: "play"; cards: string }

/** Let the top set stand (过, 不要). */
export interface Pass { a: "pass" }

/** Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R18). */
export interface Leave { a: "leave"; seat: number }

/** House rules; every default is the rule as it is written (doudizhu 7). */
export interface Options {
  direction?: "ccw" | "cw";
  redeals?: number;
  spring?: boolean;
  max_doublings?: number;
  on_leave?: "bot" | "void";
  turn_seconds?: number;
  bid_seconds?: number;
}

/** What one seat, or a spectator, knows (doudizhu 9). Hands and sets are ascending rank strings. */
export interface View {
  seat: number | null;
  deal: number;
  redealt: number;
  trick_no: number;
  hand: string | null;
  phase: string;
  turn: number[];
  first: number | null;
  calls: (number | null)[];
  bid: number;
  landlord: number | null;
  sides: (number | null)[];
  bottom: string | null;
  doublings: number;
  multiple: number;
  counts: number[];
  top: string | null;
  form: Form | null;
  owner: number | null;
  passed: number[];
  out: number[];
  places: (number | null)[];
  trick: SetPlayed[];
  last: SetPlayed[];
  played: string[];
  sets: number[];
  unseen: number[];
  shown: Hand[];
  spring: boolean;
  scores: number[] | null;
  left: number | null;
}

/** What a set is read as (R12): ["plane_ones", "3", 2]. */
export type Form = [string, string, number];

/** A set lying on the table. */
export interface SetPlayed { seat: number; cards: string; form: Form }

/** The cards of a seat that this viewer may see. */
export type Hand = [number, string];

/** The cards are dealt; `first` calls first. */
export interface Dealt { e: "dealt"; deal: number; first: number }

/** A seat has called; 0: nothing. */
export interface Called { e: "called"; seat: number; n: number }

/** Nobody has called: the cards are dealt again, and `first` calls first (R3). */
export interface Redealt { e: "redealt"; first: number }

/** There is a landlord, who takes up the bottom cards. */
export interface Settled { e: "settled"; landlord: number; bid: number; bottom: string; forced: boolean }

/** A set was put down. */
export interface Played {
  e: "played";
  seat: number;
  cards: string;
  over: string | null;
  form: Form;
  multiple: number;
}

/** A seat let the top set stand. */
export interface Passed { e: "passed"; seat: number }

/** A trick is over: its last set was `seat`'s, who leads the next. */
export interface Taken { e: "taken"; seat: number; leader: number | null }

/** A seat left for good; the deal is void. */
export interface Left { e: "left"; seat: number }

/** The deal is over. */
export interface Ended {
  e: "ended";
  winner: number | null;
  landlord: number | null;
  scores: number[];
  multiple: number;
  spring: boolean;
}

/** What the seat that is asked may do. */
export interface Hints {
  ask: string;
  need: number | null;
  choices: Choice[];
  more: boolean;
  others: string[];
  bids: number[];
  why: Record<string, string>;
  best: string[];
}

/** A set that may be put down: ["33344457", "plane_ones", "3", 2, "u"]. */
export type Choice = [string, string, string, number, string];

export type Action = Deal | NoBid | Bid | Play | Pass | Leave;

export type Event = Dealt | Called | Redealt | Settled | Played | Passed | Taken | Left | Ended;
