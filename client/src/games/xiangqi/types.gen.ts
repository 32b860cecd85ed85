// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** Move a man: from square, to square. */
export interface Move { a: "move"; m: string }

/** 提和. */
export interface OfferDraw { a: "offer_draw" }

/** Agree to a draw. */
export interface AcceptDraw { a: "accept_draw" }

/** Play on. */
export interface DeclineDraw { a: "decline_draw" }

/** 认输. */
export interface Resign { a: "resign" }

/** Propose another clock; missing fields come from the room's. */
export interface ProposeTime { a: "propose_time"; tc: Record<string, Json> }

/** Take the proposed clock. */
export interface AcceptTime { a: "accept_time" }

/** Refuse the proposed clock. */
export interface DeclineTime { a: "decline_time" }

/** 准备. */
export interface Ready { a: "ready" }

/** The hall: a seat's time is up. */
export interface FlagFall { a: "flag_fall"; seat: number }

/** The hall: a seat has left 强退, or has not come back. */
export interface Abandon { a: "abandon"; seat: number }

/** House rules; every one stands in xiangqi 7. */
export interface Options {
  repetition?: "asian" | "cxa" | "simple";
  repetition_count?: number;
  move_limit?: number;
  move_limit_unit?: "each" | "ply";
  no_capture_limit?: number;
  facing_generals?: "forfeit" | "refuse";
  dead_draw?: boolean;
  time_control?: TimeControl;
  takeback?: "ask" | "off";
  handicap_fen?: string | null;
}

/** A clock of periods 第一、第二时限 (xiangqi 6.2): for the first moves, then for each batch. */
export interface TimeControl {
  first_s: number;
  first_moves: number;
  next_s: number;
  next_moves: number;
  carry: boolean;
  increment_s: number;
  per_move_s: number;
}

/** What a seat or a watcher sees: everything (xiangqi 9). Clients draw the board from `fen`. */
export interface View {
  you: number | null;
  phase: "over" | "play" | "setup";
  fen: string;
  side: number;
  check: boolean;
  start: string;
  plies: Ply[];
  captured: [string, string];
  repetition_count: number;
  warned: number | null;
  cycle: Deed[];
  ply_limit: number;
  quiet: number;
  quiet_limit: number;
  time_control: TimeControl;
  proposal: Proposal | null;
  ready: [boolean, boolean];
  offer: number | null;
  offered: boolean;
  winner: number | null;
  why: string | null;
}

/** A ply 着 in three notations. */
export interface Ply { m: string; zh: string; wxf: string }

/** The effect of one ply of a cycle, for the repetition rules (xiangqi 6.3). */
export interface Deed { seat: number; m: string; does: "chase" | "check" | "idle" | "kill"; chased: string[] }

/** An open proposal for the clock. */
export interface Proposal { seat: number; tc: TimeControl }

/** A man moved. */
export interface Moved {
  e: "moved";
  seat: number;
  m: string;
  zh: string;
  wxf: string;
  piece: string;
  taken: string;
  check: boolean;
}

/** The position has come back so often that once more ends the game. */
export interface Warned { e: "warned"; seat: number | null; count: number; cycle: Deed[] }

/** A draw was offered. */
export interface Offered { e: "offered"; seat: number }

/** A draw was declined. */
export interface Declined { e: "declined"; seat: number }

/** A draw was accepted. */
export interface Accepted { e: "accepted"; seat: number }

/** A clock was proposed. */
export interface Proposed { e: "proposed"; seat: number; tc: TimeControl }

/** The proposed clock was accepted. */
export interface Agreed { e: "agreed"; seat: number; tc: TimeControl }

/** The proposed clock was declined. */
export interface Turned { e: "turned_down"; seat: number }

/** A seat is ready. */
export interface Readied { e: "readied"; seat: number }

/** Both are ready: red moves. */
export interface Started { e: "started"; tc: TimeControl }

/** The game is over. */
export interface Ended { e: "ended"; winner: number | null; why: string }

/** What a seat may do now. */
export interface Hints {
  moves: Record<string, string[]>;
  words: Record<string, string>;
  offer_draw: boolean;
  answer_draw: boolean;
  resign: boolean;
  ready: boolean;
  propose_time: boolean;
  answer_time: boolean;
}

export type Action = Move | OfferDraw | AcceptDraw | DeclineDraw | Resign | ProposeTime | AcceptTime | DeclineTime | Ready | FlagFall
  | Abandon;

export type Event = Moved | Warned | Offered | Declined | Accepted | Proposed | Agreed | Turned | Readied | Started | Ended;
