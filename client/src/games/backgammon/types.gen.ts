// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Luck: a die for seat 0, a die for seat 1. */
export interface Opening { a: "opening"; d: [number, number] }

/** Luck: a throw. */
export interface Dice { a: "dice"; d: [number, number] }

/** The hall: a seat has left, was kicked, lost its line, or is out of time (R43). */
export interface Leave { a: "leave"; seat: number }

/** 掷骰子. */
export interface Roll { a: "roll" }

/** 加倍 or 再加倍. */
export interface Double { a: "double" }

/** 接受. */
export interface Take { a: "take" }

/** 放弃. */
export interface Drop { a: "drop" }

/** Take, turn the cube once more and keep it (R26). */
export interface Beaver { a: "beaver" }

/** The whole turn at once: "13/7 8/7*". */
export interface Play { a: "play"; m: string }

/** Grasshopper: put a checker of the hand on a point. */
export interface Enter { a: "enter"; to: number }

/** Grasshopper: move a checker. */
export interface Move { a: "move"; from: number; to: number }

/** Grasshopper: bear a wall off. */
export interface Off { a: "off"; from: number }

/** 认输: offer a single, double or triple game. */
export interface Resign { a: "resign"; level: number }

/** 提和. */
export interface OfferDraw { a: "offer_draw" }

/** Take a resignation, or agree to a draw. */
export interface Accept { a: "accept" }

/** Play on. */
export interface Reject { a: "reject" }

/** House rules, described in backgammon 7. None: the variant's default. */
export interface Options {
  variant?: "backgammon" | "cloning" | "crowded" | "fevga" | "grasshopper" | "hyper" | "nackgammon" | "plakoto" | "race" | "suicide";
  match_to?: number;
  games?: number;
  cube?: boolean | null;
  cube_max?: 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024;
  crawford?: boolean;
  backgammon_points?: 2 | 3;
  jacoby?: boolean;
  beavers?: boolean;
  auto_doubles?: number;
  opening?: "reroll" | "use" | null;
  gammons?: boolean | null;
  allow_draw?: boolean;
  clone_limit?: number;
}

/** What a seat or a watcher sees: everything but the dice to come (backgammon 9). */
export interface View {
  you: number | null;
  variant: "backgammon" | "cloning" | "crowded" | "fevga" | "grasshopper" | "hyper" | "nackgammon" | "plakoto" | "race" | "suicide";
  board: "diagonal" | "opposite" | "shared";
  phase: "beaver_offered" | "double_offered" | "draw_offered" | "match_over" | "opening" | "resign_offered" | "rolling" | "to_move"
    | "to_play" | "to_roll";
  turn: number | null;
  on_roll: number | null;
  dice: [number, number] | null;
  first: boolean;
  opening: [number, number] | null;
  ties: number;
  sides: [Side, Side];
  cube: Cube;
  doubling: boolean;
  stake: number | null;
  score: [number, number];
  match_to: number;
  games: number;
  crawford: boolean;
  crawford_done: boolean;
  game_no: number;
  last: Last;
  winner: number | null;
  scored: number | null;
  offer: Offer | null;
  lines: Line[];
  results: Last[];
  position: string;
  position_id: string | null;
  match_id: string | null;
  xgid: string | null;
}

/** One seat's checkers, by its own count of the points (grasshopper: by the common one). */
export interface Side {
  points: number[];
  bar: number;
  res: number;
  hand: number;
  off: number;
  pinned: number[];
  pips: number;
  checkers: number;
}

/** The doubling cube 双数骰子: while a double is offered it still shows the old value. */
export interface Cube { value: number; owner: number | null }

/** How the last finished game ended. */
export interface Last {
  winner: number | null;
  points: number;
  how: "backgammon" | "draw" | "drop" | "gammon" | "left" | "mother" | "resign" | "single" | null;
}

/** An offered resignation or draw, and the phase to return to if it is refused. */
export interface Offer { seat: number; level: number; points: number; back: "to_move" | "to_play" | "to_roll" }

/** One entry of the game's score sheet: [seat, kind, dice, text, value].

    kind: play (text the play, "" for a dance), double, take, drop, beaver (value of the cube then), hop (grasshopper),
    auto (an automatic double), resign and draw (offers taken, value the level). */
export type Line = [number, "auto" | "beaver" | "double" | "draw" | "drop" | "hop" | "play" | "resign" | "take", [number, number] | null,
  string, number];

/** The next game of the match or series begins. */
export interface GameStarted { e: "game_started"; game_no: number; crawford: boolean; score: [number, number] }

/** Each threw one die. `starter` is None after a tie; `cube` is then the value after automatic doubles. */
export interface Opened { e: "opened"; dice: [number, number]; starter: number | null; cube: number; auto: boolean }

/** A throw; `dance` means no play exists and the turn is lost. */
export interface Rolled { e: "rolled"; seat: number; dice: [number, number]; dance: boolean }

/** A turn was played. */
export interface Played { e: "played"; seat: number; dice: [number, number]; m: string; steps: MoveStep[] }

/** One checker by one die: [from, to, die, hit, pin, clone]; 25 the bar, 26 the reserve, 0 off. */
export type MoveStep = [number, number, number, boolean, boolean, boolean];

/** Grasshopper: a checker entered (from 0), moved, built a wall, or a wall went off (to 0). */
export interface Hopped { e: "hopped"; seat: number; origin: number; to: number; wall: boolean; scores: boolean }

/** Grasshopper: a seat without a move is passed over. */
export interface Skipped { e: "skipped"; seat: number }

/** A double is offered: `value` is what the cube will show. */
export interface Doubled { e: "doubled"; seat: number; value: number; beaver: boolean }

/** A double was taken. */
export interface CubeTurned { e: "cube_turned"; seat: number; value: number; owner: number }

/** A double was dropped. */
export interface Dropped { e: "dropped"; seat: number }

/** A resignation (level 1 to 3) or a draw (level 0) was offered. */
export interface Offered { e: "offered"; seat: number; level: number; points: number }

/** It was accepted. */
export interface Accepted { e: "accepted"; seat: number; level: number }

/** It was refused. */
export interface Rejected { e: "rejected"; seat: number; level: number }

/** A seat has left, which ends the match. */
export interface Left { e: "left"; seat: number }

/** A game is over. */
export interface GameEnded {
  e: "game_ended";
  game_no: number;
  winner: number | null;
  points: number;
  how: "backgammon" | "draw" | "drop" | "gammon" | "left" | "mother" | "resign" | "single";
  score: [number, number];
}

/** The match or series is over. */
export interface Ended { e: "ended"; winner: number | null; score: [number, number] }

/** What the seat that is asked may do. */
export interface Hints {
  ask: string;
  nodes: Node[];
  plays: number;
  forced: string | null;
  hops: Hop[];
  roll: boolean;
  double: boolean;
  no_double: string | null;
  pointless: boolean;
  take: boolean;
  beaver: boolean;
  answer: boolean;
  resign: number[];
  draw: boolean;
}

/** A moment of a turn: [steps, m]. Steps that could not be completed by the rules are not among them. */
export type Node = [Step[], string | null];

/** One checker by one die: [from, to, die, hit, pin, clone, next]; 25 the bar, 26 the reserve, 0 off. */
export type Step = [number, number, number, boolean, boolean, boolean, number];

/** Grasshopper, one move: ["enter", 0, to], ["move", from, to], ["off", from, 0]. */
export type Hop = ["enter" | "move" | "off", number, number];

export type Action = Opening | Dice | Leave | Roll | Double | Take | Drop | Beaver | Play | Enter | Move | Off | Resign | OfferDraw | Accept
  | Reject;

export type Event = GameStarted | Opened | Rolled | Played | Hopped | Skipped | Doubled | CubeTurned | Dropped | Offered | Accepted
  | Rejected | Left | GameEnded | Ended;
