// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat -1: two dice name the first dealer of a table (3.4). */
export interface Dice { a: "dice"; d: [number, number] }

/** Seat -1: the whole wall, 108 tiles, front first (3.5). */
export interface Deal { a: "deal"; wall: string }

/** Seat -1: one die decides where the swapped tiles go (4.2). */
export interface Die { a: "die"; d: number }

/** A bench member takes the tile at an index of the live wall, 0 the front (买马). */
export interface Horse { a: "horse"; i: number }

/** Give three tiles of one suit away (换三张). */
export interface Swap { a: "swap"; t: string[] }

/** Declare the suit to be void in (定缺). */
export interface Void { a: "void"; suit: "m" | "p" | "s" }

/** Win (胡). */
export interface Hu { a: "hu" }

/** Lay out four of a kind (杠). */
export interface Kong { a: "kong"; t: string }

/** Throw a tile, with an optional call (唱歌, 跳舞). */
export interface Discard { a: "discard"; t: string; call?: "dance" | "sing" }

/** Claim the discard for a triplet (碰). */
export interface Pong { a: "pong" }

/** Decline: a claim, a robbery, a horse (过). */
export interface Pass { a: "pass" }

/** House rules (mahjong 7). */
export interface Options {
  mode?: "bloody" | "bloody_rain" | "rain" | "standard";
  base?: number;
  fan_cap?: 0 | 3 | 4 | 5 | 6 | 8;
  fan?: Fan;
  self_draw?: "add_base" | "add_fan" | "none";
  wait_fan_rule?: "none" | "shape" | "sole";
  void_rule?: "declare" | "win";
  exchange?: "none" | "three";
  cha_jiao?: "da" | "xiao";
  pig_fan?: number;
  pig_pays_winners?: boolean;
  pig_also_ready?: boolean;
  multi_win?: "all" | "nearest";
  call_transfer?: boolean;
  kong_refund?: boolean;
  kong_draw?: "back" | "front";
  kong_in_plain_modes?: boolean;
  late_added_kong?: "forbidden" | "paid" | "unpaid";
  direct_kong_flower?: "discarder" | "self_draw";
  sing_dance?: boolean;
  pass_lock?: boolean;
  last_four?: boolean;
  horse?: "bench" | "none";
  horse_eat_horse?: boolean;
  horse_rain?: boolean;
  horse_ready?: boolean;
  horse_pig?: boolean;
  min_rounds?: 1 | 2 | 4 | 8;
  hands_per_round?: number;
  leave_fine?: number;
  turn_seconds?: number;
  claim_seconds?: number;
  setup_seconds?: number;
}

/** The value of each item of a winning hand, in fan (mahjong 6.1). */
export interface Fan {
  ping_hu?: number;
  dui_dui?: number;
  qing_yi_se?: number;
  qi_dui?: number;
  long_qi_dui_extra?: number;
  dai_yao?: number;
  jiang?: number;
  gen?: number;
  jin_gou_diao?: number;
  men_qing?: number;
  zhong_zhang?: number;
  bian?: number;
  ka?: number;
  diao?: number;
  zi_mo?: number;
  gang_shang_hua?: number;
  gang_shang_pao?: number;
  qiang_gang?: number;
  hai_di?: number;
  hai_di_pao?: number;
  tian_hu?: number;
  di_hu?: number;
}

/** What one seat, a bench member or a watcher knows (mahjong 9). */
export interface View {
  seat: number | null;
  deal: number;
  owed: number;
  fine: number;
  dice: [number, number] | null;
  dealer: number | null;
  bench: number[];
  phase: string;
  turn: number[];
  actor: number | null;
  hand: string | null;
  drawn: string | null;
  drew: boolean;
  replacement: string | null;
  counts: number[];
  melds: Meld[][];
  rivers: River[][];
  last: LastTile | null;
  wall_left: number;
  draws: number[];
  fresh: boolean;
  kongs: number;
  sung: number[];
  danced: Shown[];
  voids: (string | null)[];
  answered: string | null;
  gave: string | null;
  got: string | null;
  swap_by: number | null;
  locks: Record<string, number>;
  horses: HorseTile[];
  wins: Win[];
  payments: Payment[];
  ledger: number[];
  full: number[];
  shown: Hand[];
  checks: Check[];
  end: "exhausted" | "won" | null;
  next_dealer: number | null;
  still: View | null;
}

/** A pong or kong lying open. */
export interface Meld {
  k: "kong" | "pong";
  t: string;
  kind: "added" | "concealed" | "direct" | null;
  giver: number | null;
}

/** A tile in a seat's river. */
export interface River { t: string; call: "dance" | "sing" | null; taken: "hu" | "kong" | "pong" | null }

/** The tile that was thrown, or is being added, last: what claims are about. */
export interface LastTile { seat: number; t: string; adding: boolean }

/** A dancer's waits. */
export interface Shown { seat: number; waits: string[] }

/** A horse: its owner, the tile drawn, and the seat whose result it shares. */
export interface HorseTile { owner: number; t: string; seat: number }

/** A win and its items. */
export interface Win {
  seat: number;
  by: "discard" | "rob" | "self";
  t: string;
  fan: number;
  value: number;
  items: Record<string, number>;
  giver: number | null;
  no: number;
}

/** A payment between seats, before horses. */
export interface Payment {
  payer: number;
  payee: number;
  amount: number;
  kind: "kong" | "pig" | "ready" | "refund" | "transfer" | "win";
  no: number;
}

/** Tiles shown to everybody: a winner's, with the winning tile, and all hands at the end. Melds are not included. */
export interface Hand { seat: number; tiles: string }

/** The check of a seat when the wall is empty (查叫, 查花猪). */
export interface Check { seat: number; what: "pig" | "ready" | "unready" | "won"; waits: string[]; value: number }

/** The tiles are dealt. */
export interface Dealt { e: "dealt"; deal: number; dealer: number }

/** A bench member took a tile; its rank decides which seat's result the member shares. */
export interface HorseBought { e: "horse_bought"; owner: number; t: string; seat: number }

/** Three tiles of each went `by` seats further in order of play. */
export interface Swapped { e: "swapped"; d: number; by: number }

/** Everybody has declared a void suit. */
export interface VoidsShown { e: "voids_shown"; voids: string[] }

/** A seat drew from the wall. */
export interface Drew { e: "drew"; seat: number; left: number; replacement: boolean }

/** A tile was thrown. */
export interface Discarded {
  e: "discarded";
  seat: number;
  t: string;
  call: "dance" | "sing" | null;
  waits: string[];
}

/** A discard was claimed for a triplet. */
export interface Ponged { e: "ponged"; seat: number; giver: number; t: string }

/** A fourth tile is being added to a pong; it may yet be robbed. */
export interface Adding { e: "adding"; seat: number; t: string }

/** A kong was made. */
export interface Konged {
  e: "konged";
  seat: number;
  t: string;
  kind: "added" | "concealed" | "direct";
  giver: number | null;
}

/** Chips went from seat to seat; `kind` is win kong transfer pig ready refund. */
export interface Paid { e: "paid"; payer: number; payee: number; amount: number; kind: string }

/** A seat won and shows its hand. */
export interface Won {
  e: "won";
  seat: number;
  by: "discard" | "rob" | "self";
  t: string;
  fan: number;
  giver: number | null;
  hand: string;
}

/** The hand is over. */
export interface Ended { e: "ended"; end: "exhausted" | "won"; ledger: number[] }

/** What this viewer may do, and what can be worked out for it. */
export interface Hints {
  ask: string | null;
  win: Worth | null;
  forced: boolean;
  barred: Worth | null;
  pong: boolean;
  kongs: KongHint[];
  may_pass: boolean;
  passing: Lock | null;
  locks: Lock[];
  throws: Throw[];
  off: Barred[];
  waits: Wait[];
  shanten: number | null;
  best: string | null;
  swap: string[];
  swap_suits: string[];
  void: string | null;
  suits: Record<string, number>;
  horse: number;
}

/** What a win on the tile in question would bring. */
export interface Worth { fan: number; value: number; total: number; items: Record<string, number> }

/** A kong that may be made. */
export interface KongHint { t: string; kind: "added" | "concealed" | "direct"; each: number; payers: number[] }

/** A line locked by passing (过水): own wins on others' tiles of it need more fan. */
export interface Lock { line: string; tiles: string[]; fan: number }

/** A tile that may be discarded. */
export interface Throw { t: string; calls: ("dance" | "sing")[]; waits: Wait[]; shanten: number }

/** A tile that completes the hand. */
export interface Wait { t: string; left: number; fan: number; self_fan: number; value: number }

/** A tile of the hand that may not be discarded plainly, and why. */
export interface Barred {
  t: string;
  why: "danced_tile" | "must_discard_void" | "must_keep_waits" | "must_stay_ready";
  seats: number[];
  calls: ("dance" | "sing")[];
}

export type Action = Dice | Deal | Die | Horse | Swap | Void | Hu | Kong | Discard | Pong | Pass;

export type Event = Dealt | HorseBought | Swapped | VoidsShown | Drew | Discarded | Ponged | Adding | Konged | Paid | Won | Ended;
