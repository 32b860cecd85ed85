// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Seat −1: make the layout 布局 of this text. */
export interface Board { a: "board"; seed: string }

/** 消除: remove a pair that a path joins. */
export interface Link { a: "link"; p: [[number, number], [number, number]] }

/** 提示: use a prop to be told the first pair. */
export interface Hint { a: "hint" }

/** Use a prop to remake the own board 重排. */
export interface Shuffle { a: "shuffle" }

/** Seat −1: a player has left, is lost, or has been idle for too long. */
export interface Leave { a: "leave"; seat: number }

/** Seat −1: the time limit. */
export interface TimeUp { a: "time_up" }

/** House rules. The number of players is a setting of the table. */
export interface Options {
  rows?: number;
  cols?: number;
  kinds?: number;
  copies?: number;
  mask?: string[] | null;
  outside?: boolean;
  gravity?: "down" | "left" | "none" | "right" | "up";
  tie_rule?: "better" | "earlier" | "worse";
  hints?: number;
  shuffles?: number;
  time_limit_s?: number;
  idle_forfeit_s?: number;
  miss_penalty_ms?: number;
  min_interval_ms?: number;
  show_boards?: "all" | "own";
  daily?: string;
}

/** What a seat or a watcher sees: its own board, and the public part of the others (lianliankan 9). */
export interface View {
  you: number | null;
  phase: "over" | "play" | "setup";
  rows: number;
  cols: number;
  board: number[][] | null;
  boards: (number[][] | null)[];
  lines: (Line | null)[];
  hint: [[number, number], [number, number]] | null;
  remaining: number[];
  last: (number | null)[];
  left: (number | null)[];
  reshuffles: number[];
  hints: number[];
  shuffles: number[];
  places: number[];
  winner: number | null;
  why: "cleared" | "last_present" | "time_up" | "void" | null;
  scores: number[] | null;
  seed: string | null;
}

/** A link that was made: from tile to tile through the turning points. */
export interface Line { face: number; path: [number, number][] }

/** The board is there, everybody may link. */
export interface Began { e: "began"; tiles: number }

/** A seat has removed a pair; which one is in the views that show its board. */
export interface Linked { e: "linked"; seat: number; remaining: number }

/** A seat's board was remade, because no pair could be linked or by a prop. */
export interface Reshuffled { e: "reshuffled"; seat: number; count: number; stuck: boolean }

/** A seat has used a prop. */
export interface Used { e: "used"; seat: number; prop: "hint" | "shuffle"; left: number }

/** The pair that a hint names; to its seat alone. */
export interface Hinted { e: "hinted"; seat: number; p: [[number, number], [number, number]] }

/** A seat is out of the race. */
export interface Left { e: "left"; seat: number }

/** The race is over. */
export interface Ended {
  e: "ended";
  winner: number | null;
  why: "cleared" | "last_present" | "time_up" | "void";
  scores: number[];
}

/** What a seat may do now. */
export interface Hints { paths: [number, number][][]; hint: boolean; shuffle: boolean }

export type Action = Board | Link | Hint | Shuffle | Leave | TimeUp;

export type Event = Began | Linked | Reshuffled | Used | Hinted | Left | Ended;
