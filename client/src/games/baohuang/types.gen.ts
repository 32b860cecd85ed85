// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat -1 deals: five hands as rank strings. */
export interface Deal { a: "deal"; hands: string[] }

/** Take the solo: one against four (抢独, 明渡). */
export interface Grab { a: "grab" }

/** Leave the solo. */
export interface NoGrab { a: "no_grab" }

/** Give the emperor card to the second seat on (让位). */
export interface Yield { a: "yield" }

/** Keep both marked cards. */
export interface Keep { a: "keep" }

/** Show the guard card: scores are doubled (明保). */
export interface Reveal { a: "reveal" }

/** Keep the guard card hidden (暗保). */
export interface Hide { a: "hide" }

/** Call for a rebellion; two make one (造反). */
export interface Rebel { a: "rebel" }

/** Do not call for a rebellion. */
export interface NoRebel { a: "no_rebel" }

/** Call for doubling again (踢). */
export interface Kick { a: "kick" }

/** Do not call for doubling. */
export interface NoKick { a: "no_kick" }

/** Put a set down: lead or answer. */
export interface Play { a: "play"; cards: string }

/** Decline this time (过牌). */
export interface Pass { a: "pass" }

/** Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R26). */
export interface Leave { a: "leave"; seat: number }

/** House rules (baohuang 7). */
export interface Options {
  direction?: "ccw" | "cw";
  keep_six?: boolean;
  six_hung?: boolean;
  grab?: boolean;
  yield?: boolean;
  kick?: boolean;
  on_leave?: "bot" | "void";
  turn_seconds?: number;
  declare_seconds?: number;
}

/** What one seat, or a watcher, knows (baohuang 9). Hands are ascending rank strings, marked jokers "x*" "X*". */
export interface View {
  seat: number | null;
  deal: number;
  first_card: number;
  trick_no: number;
  hand: string | null;
  phase: string;
  turn: number[];
  answered: boolean;
  counts: number[];
  emperor: number | null;
  crown: number | null;
  guard: number | null;
  guard_public: number | null;
  mode: string | null;
  opened: boolean;
  kicked: boolean;
  multiple: number;
  grabbed: boolean;
  yielded: number | null;
  rebelled: number[];
  kickers: number[];
  sides: (number | null)[];
  top: string | null;
  owner: number | null;
  passed: number[];
  out: number[];
  places: (number | null)[];
  trick: SetPlayed[];
  last: SetPlayed[];
  played: string[];
  tally: number[][];
  unseen: number[];
  shown: Hand[];
  sheet: Line[];
  order: number[] | null;
  scores: number[] | null;
  left: number | null;
}

/** A set lying on the table. */
export interface SetPlayed { seat: number; cards: string }

/** The cards of a seat that this viewer may see. */
export type Hand = [number, string];

/** A line of the score sheet: ["pair", "1+2", 6, 3, -3, true]. */
export type Line = [string, string, number, number, number, boolean];

/** The cards are dealt; `emperor` holds the emperor card (皇帝). */
export interface Dealt { e: "dealt"; deal: number; emperor: number }

/** A seat plays alone; the marks are void. */
export interface Grabbed { e: "grabbed"; seat: number }

/** The emperor card went to `to`, who is emperor; `seat` is the guard. */
export interface Yielded { e: "yielded"; seat: number; to: number }

/** The guard card was shown (明保); by the emperor himself: an open solo. */
export interface Revealed { e: "revealed"; seat: number; solo: boolean }

/** Two rebels declared; the guard card was shown. */
export interface Rebelled { e: "rebelled"; seats: number[]; guard: number; solo: boolean }

/** The scores are doubled again. */
export interface Kicked { e: "kicked"; seats: number[] }

/** A set was played. */
export interface Played { e: "played"; seat: number; cards: string; over: string | null; shows: boolean }

/** A seat declined. */
export interface Passed { e: "passed"; seat: number }

/** A seat has played its last card. */
export interface WentOut { e: "went_out"; seat: number; place: number }

/** A trick is over: its last set was `seat`'s, `leader` leads the next. */
export interface Taken { e: "taken"; seat: number; leader: number | null }

/** A seat left for good; the deal is void. */
export interface Left { e: "left"; seat: number }

/** The deal is over. */
export interface Ended {
  e: "ended";
  order: number[] | null;
  scores: number[];
  mode: string | null;
  emperor: number;
  guard: number | null;
  opened: boolean;
  kicked: boolean;
}

/** What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g the guard card is in it, and playing it tells everybody. */
export interface Hints {
  ask: string;
  need: number | null;
  choices: Choice[];
  more: boolean;
  others: string[];
  why: Record<string, string>;
  best: string[];
  multiples: Record<string, number>;
}

/** A set that may be put down: ["99x", 2, 0, 1, 0, "u"]. */
export type Choice = [string, number, number, number, number, string];

export type Action = Deal | Grab | NoGrab | Yield | Keep | Reveal | Hide | Rebel | NoRebel | Kick | NoKick | Play | Pass | Leave;

export type Event = Dealt | Grabbed | Yielded | Revealed | Rebelled | Kicked | Played | Passed | WentOut | Taken | Left | Ended;
