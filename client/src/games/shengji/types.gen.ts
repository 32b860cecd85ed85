// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat -1 puts the shuffled deck on the table: in drawing order, the kitty last. */
export interface NextDeal { a: "next_deal"; deck: string[]; starter?: number | null }

/** Seat -1 deals the next n cards, one to each seat. */
export interface Deal { a: "deal"; n: number }

/** Show cards to set the trumps (亮主). */
export interface Declare { a: "declare"; cards: string[] }

/** Do not overcall the present declaration. */
export interface Pass { a: "pass" }

/** The dealer buries the kitty (扣底, 埋底). */
export interface Bury { a: "bury"; cards: string[] }

/** Lead, throw (甩牌) or follow. */
export interface Play { a: "play"; cards: string[] }

/** House rules (shengji 7). */
export interface Options {
  decks?: 1 | 2 | 3;
  constant_two?: boolean;
  start_level?: "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "A" | "J" | "K" | "Q" | "T";
  kitty_size?: number | null;
  kitty_points_limit?: number | null;
  first_dealer?: "first_declarer" | "last_declarer";
  titanic_follow?: "seed" | "triples_first";
  kitty_multiplier_by?: "led_shape" | "winner_cards";
  must_play?: ("2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "A" | "J" | "K" | "Q" | "T")[];
  big_sweep_points?: number | null;
  qq_balances?: [number, number, number, number] | null;
}

/** What one seat, or a watcher, knows (shengji 9). */
export interface View {
  seat: number | null;
  deal: number;
  opening: boolean;
  phase: string;
  turn: number[];
  levels: [string, string];
  level: string;
  dealer: number | null;
  first: number | null;
  trump: string | null;
  fixed: boolean;
  declarations: Declaration[];
  passed: number[];
  hand: Group[] | null;
  counts: number[];
  undealt: number;
  kitty_size: number;
  picked: string[] | null;
  kitty: string[] | null;
  trick: Trick | null;
  last: Trick | null;
  tricks: number;
  played: string[][];
  open: string[][];
  lacks: number[][];
  points: number;
  captured: string[];
  segment: number;
  reveal: Reveal | null;
  result: Result | null;
  balances: number[] | null;
}

/** Cards shown to set the trumps. */
export interface Declaration { seat: number; cards: string[]; trump: string | null; label: string | null }

/** The trumps, or the cards of one side suit, in a hand: ["T", ["X","TS","AS"]]. */
export type Group = [string, string[]];

/** A trick, running or over. */
export interface Trick {
  leader: number;
  components: Component[];
  plays: SeatPlay[];
  best: number;
  points: number;
  attempt: Attempt | null;
}

/** One piece of a lead: ["tractor", 2, ["KH","KH","QH","QH"]]. */
export type Component = [string, number, string[]];

/** What a seat played to a trick. */
export interface SeatPlay { seat: number; cards: string[]; how: string }

/** A throw that failed (甩牌不成); whose hand beats it is not told. */
export interface Attempt { seat: number; cards: string[]; forced: string[]; returned: string[] }

/** The kitty shown at the end: `points` × `multiplier` = `bonus`. */
export interface Reveal { cards: string[]; points: number; width: number; multiplier: number; bonus: number }

/** The result of a deal. */
export interface Result {
  points: number;
  side: string;
  up: number;
  before: [string, string];
  levels: [string, string];
  next_dealer: number;
  match_winner: number | null;
  scores: number[];
  multiplier: number;
}

/** A deal begins: `first` draws the first card. */
export interface Begun {
  e: "begun";
  deal: number;
  level: string;
  levels: [string, string];
  dealer: number | null;
  first: number;
}

/** `n` cards were dealt, the first to `seat`. */
export interface Drawn { e: "drawn"; seat: number; n: number }

/** A declaration was made (亮主, 自保, 自反, 反主, 反无主). */
export interface Declared {
  e: "declared";
  seat: number;
  cards: string[];
  trump: string | null;
  label: string | null;
}

/** A seat does not overcall the declaration. */
export interface Passed { e: "passed"; seat: number }

/** Trumps and dealer are fixed; the dealer takes the kitty. */
export interface Fixed { e: "fixed"; trump: string | null; dealer: number; level: string }

/** The dealer has buried, and leads. */
export interface Buried { e: "buried"; seat: number }

/** A throw failed. */
export interface ThrowFailed {
  e: "throw_failed";
  seat: number;
  cards: string[];
  forced: string[];
  returned: string[];
}

/** Cards were played. */
export interface Played { e: "played"; seat: number; cards: string[]; how: string }

/** A trick is over. */
export interface Taken { e: "taken"; seat: number; points: number; total: number }

/** The kitty is shown. With multiplier 0 its points stay with the dealer's side. */
export interface KittyShown {
  e: "kitty_shown";
  cards: string[];
  points: number;
  width: number;
  multiplier: number;
  bonus: number;
}

/** The deal is over. */
export interface Ended {
  e: "ended";
  points: number;
  side: string;
  up: number;
  levels: [string, string];
  next_dealer: number;
  match_winner: number | null;
  scores: number[];
}

/** What the viewer may do now. */
export interface Hints {
  ask: string;
  need: number | null;
  calls: Call[];
  shape: [string, number][];
  group: string | null;
  must: string[];
  loose: boolean;
  choices: Choice[];
  more: boolean;
  sets: string[][];
  why: Record<string, string>;
  best: string[][];
  limit: number | null;
}

/** A declaration that may be made now. */
export interface Call { cards: string[]; trump: string | null; label: string | null; rank: number }

/** Cards that may be played together: ["tractor", 2, ["KH","KH","QH","QH"], "w", null]. */
export type Choice = [string, number, string[], string, Over | null];

/** What could beat a component, as far as this seat has seen: ["KC", 2]. */
export type Over = [string, number];

export type Action = NextDeal | Deal | Declare | Pass | Bury | Play;

export type Event = Begun | Drawn | Declared | Passed | Fixed | Buried | ThrowFailed | Played | Taken | KittyShown | Ended;
