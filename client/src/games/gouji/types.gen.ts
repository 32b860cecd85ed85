// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat -1 deals (开牌): six hands as rank strings. */
export interface Deal { a: "deal"; hands: string[] }

/** Put a set down: lead (发牌), answer (顺牌), or the burner's first set. */
export interface Play { a: "play"; cards: string }

/** Leave the trick (过牌). */
export interface Pass { a: "pass" }

/** End the trick (扣牌). */
export interface Close { a: "close" }

/** Pass and ask to lead next, after a partner's last set (接风). */
export interface Wind { a: "wind" }

/** Declare a burn (捎牌, 烧牌). */
export interface Burn { a: "burn" }

/** Decline to burn. */
export interface NoBurn { a: "no_burn" }

/** Give cards back to the payer of a tribute (还贡). */
export interface Return { a: "return"; cards: string }

/** Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R32). */
export interface Leave { a: "leave"; seat: number }

/** House rules (gouji 7). */
export interface Options {
  first_seated?: number;
  report_at?: number;
  burn_own_side?: boolean;
  end_when_decided?: boolean;
  keep_three?: boolean;
  tribute?: "off" | "on";
  tribute_resist?: number;
  tribute_return?: boolean;
  partners_view?: boolean;
  turn_seconds?: number;
  burn_seconds?: number;
}

/** What one seat, or a watcher, knows (gouji 9). Hands are ascending rank strings. */
export interface View {
  seat: number | null;
  deal: number;
  leader: number;
  previous: number[] | null;
  trick_no: number;
  hand: string | null;
  phase: string;
  turn: number[];
  counts: (number | null)[];
  top: string | null;
  owner: number | null;
  restricted: boolean;
  answerers: number[];
  passed: number[];
  wind: number | null;
  burners: [number, number][];
  headless: number[];
  out: number[];
  fell: number[];
  gone: number | null;
  places: (number | null)[];
  tangle: boolean;
  suspended: boolean;
  dead_top: boolean;
  dead_answer: boolean;
  trick: SetPlayed[];
  last: SetPlayed[];
  played: string[];
  unseen: number[];
  shown: Hand[];
  partners: Hand[];
  payments: Payment[];
  resisted: number[];
  returns: Payment[];
  order: number[] | null;
  scores: number[] | null;
  left: number | null;
  still: View | null;
}

/** A set lying on the table. */
export interface SetPlayed { seat: number; cards: string }

/** The cards of a seat that this viewer may see. */
export type Hand = [number, string];

/** A tribute paid or returned. */
export interface Payment { from: number; to: number; cards: string }

/** The cards are dealt; `leader` begins. */
export interface Dealt { e: "dealt"; deal: number; leader: number }

/** A tribute was paid (进贡). */
export interface Paid { e: "paid"; seat: number; to: number; cards: string }

/** A payer kept its tribute (抗贡). */
export interface Resisted { e: "resisted"; seat: number }

/** Cards were given back (还贡). */
export interface Returned { e: "returned"; seat: number; to: number; cards: string }

/** A set was played. */
export interface Played {
  e: "played";
  seat: number;
  cards: string;
  over: string | null;
  gouji: boolean;
  only: number | null;
  burns: number | null;
  kills: boolean;
}

/** A seat left the trick. */
export interface Passed { e: "passed"; seat: number }

/** The closer ended the trick (扣牌). */
export interface Closed { e: "closed"; seat: number }

/** A seat passed and asked to lead next (接风). */
export interface Winded { e: "winded"; seat: number }

/** A burn was declared: `seat` will beat the set of `victim`. Sent only after all candidates have answered. */
export interface Burning { e: "burning"; seat: number; victim: number }

/** A seat has played its last card. */
export interface WentOut { e: "went_out"; seat: number; place: number }

/** A burner could not fulfil its duty and is out of the deal; its cards are shown. */
export interface Fell { e: "fell"; seat: number; place: number; cards: string }

/** The four-player tangle has begun (四人乱缠). */
export interface Tangled { e: "tangled" }

/** A trick is over: its last set was `seat`'s, `leader` leads the next. */
export interface Taken { e: "taken"; seat: number; leader: number | null; wind: boolean }

/** A seat left for good; the deal is void. */
export interface Left { e: "left"; seat: number }

/** The deal is over. */
export interface Ended { e: "ended"; order: number[] | null; scores: number[]; swept_by: number | null }

/** What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g gouji, r only the opposite may answer it, k what is left
    meets the burner's condition (in `burn` and `burn_play`, and while bound). */
export interface Hints {
  ask: string;
  need: number | null;
  choices: Choice[];
  more: boolean;
  others: string[];
  why: Record<string, string>;
  best: string[];
  duty: Rest | null;
  rests: Record<string, Rest>;
  line: [string, number][];
}

/** A set that may be put down: ["99x", 2, 0, 1, 0, "u"]. */
export type Choice = [string, number, number, number, number, string];

/** A burner's duty: a joker for each rank of 3 .. A but one. */
export interface Rest { points: string; jokers: number }

export type Action = Deal | Play | Pass | Close | Wind | Burn | NoBurn | Return | Leave;

export type Event = Dealt | Paid | Resisted | Returned | Played | Passed | Closed | Winded | Burning | WentOut | Fell | Tangled | Taken
  | Left | Ended;
