// What a player is doing at one board: the man he holds, the move he has asked for, the way the board lies.
import { notation } from "../../lang.svelte";
import type * as types from "./types.gen";
import { prefs } from "../../shell/prefs.svelte";
import { toasts } from "../../shell/toasts.svelte";
import type { TableView } from "../../table/game";
import { after, isRed, men, sideOf } from "./board";

export type View = types.View;
export type Action = types.Action;
/** `words` (the notation of each move) is an addition of the hall's; without it a move is named by its squares. */
export type Hints = types.Hints & { words?: Record<string, string> };
export type XiangqiTableView = TableView<View, Action, Hints>;

export class Play {
  readonly tableView: XiangqiTableView;
  selected: string | null = $state(null);
  turned = $state(false);
  premove: string | null = $state(null);
  /** A move that waits for its confirmation. */
  pending: string | null = $state(null);
  flash: { square: string; n: number } | null = $state.raw(null);
  /** The move under the finger, "" off every target, null when nothing is held. */
  dragged: string | null = $state(null);
  /** How many moves are shown while somebody looks back; null: all of them, the game as it is. */
  back: number | null = $state(null);
  /** The question before what cannot be taken back. */
  asking: "resign" | null = $state(null);
  typing = $state(false);
  /** A bot has been asked what it would do. */
  advising = $state(false);
  /** The move that was refused. */
  tried: string | null = $state(null);
  #flashes = 0;
  #questions = 0;

  constructor(tableView: XiangqiTableView) {
    this.tableView = tableView;
  }

  get view(): View | null {
    return this.tableView.view;
  }
  /** What the board shows: the game as it is, or as it was some moves ago. */
  get fen(): string {
    const view = this.view;
    if (!view || this.back === null) return view?.fen ?? "";
    return after(
      view.start,
      view.plies.slice(0, this.back).map((ply) => ply.m),
    );
  }
  get men(): Map<string, string> {
    return men(this.fen);
  }
  get flip(): boolean {
    return (this.tableView.viewpoint === 1) !== this.turned;
  }
  get mine(): boolean {
    return this.tableView.mode === "play" && this.tableView.seat !== null && this.view?.phase === "play" && this.back === null;
  }
  get myTurn(): boolean {
    return this.mine && this.view?.side === this.tableView.seat;
  }
  get last(): string | null {
    return this.view?.plies[(this.back ?? this.view.plies.length) - 1]?.m ?? null;
  }
  get targets(): readonly string[] {
    return this.selected && this.myTurn ? (this.tableView.hints?.moves[this.selected] ?? []) : [];
  }
  get check(): string | null {
    const view = this.view;
    if (!view?.check || this.back !== null) return null;
    const general = view.side === 0 ? "K" : "k";
    return [...this.men].find(([, letter]) => letter === general)?.[0] ?? null;
  }

  /** Look at the game as it was after so many moves; after all of them it is as it is now. */
  look = (plies: number): void => {
    const all = this.view?.plies.length ?? 0;
    this.put();
    this.back = plies >= all ? null : Math.max(0, plies);
  };
  step = (by: number): void => this.look((this.back ?? this.view?.plies.length ?? 0) + by);

  mayLift = (square: string): boolean => {
    const letter = this.men.get(square);
    return this.mine && letter !== undefined && sideOf(letter) === this.tableView.seat;
  };

  /** A point was tapped. */
  pick = (square: string): void => {
    this.#questions++;
    this.tableView.refuse(null);
    this.flash = null;
    this.pending = null;
    if (!this.mine) return;
    if (this.premove) {
      this.premove = null;
      this.selected = null;
    }
    if (this.mayLift(square)) {
      if (this.selected !== square) {
        this.selected = square;
        return;
      }
      this.selected = null;
      return;
    }
    if (this.selected) {
      this.go(this.selected, square);
      return;
    }
    const letter = this.men.get(square);
    if (letter && this.myTurn) this.refused({ code: "not_your_piece", facts: { square } });
  };

  /** A man was put down somewhere: a move, one for later, or one that is refused with its reason. */
  go = (from: string, to: string): void => {
    const move = from + to;
    if (!this.mine) return;
    if (!this.myTurn) {
      this.premove = move;
      this.selected = null;
      return;
    }
    if (!(this.tableView.hints?.moves[from] ?? []).includes(to)) {
      // The server is asked why not; the client does not know.
      if (this.men.has(to) && this.mayLift(to)) {
        this.selected = to;
        return;
      }
      void this.why(move);
      return;
    }
    if (prefs.all.confirm_move) this.pending = move;
    else void this.send(move);
  };

  async send(move: string): Promise<void> {
    if (this.tableView.busy) return;
    this.pending = null;
    this.selected = null;
    this.tried = move;
    const refusal = await this.tableView.act({ a: "move", m: move });
    if (refusal) this.point(refusal);
  }

  /** A bot is asked for a good move: it stands there to be confirmed. */
  async advise(): Promise<void> {
    if (!this.myTurn || this.advising) return;
    this.put();
    this.advising = true;
    const action = await this.tableView.advise?.();
    this.advising = false;
    if (!action || !this.myTurn) return;
    if (action.a === "move") this.pending = action.m;
    else toasts.add(this.tableView.say(`ui.advice_${action.a}`));
  }

  async why(move: string): Promise<void> {
    this.tried = move;
    const n = ++this.#questions;
    const refusal = await this.tableView.attempt({ a: "move", m: move }, true);
    if (n !== this.#questions) return; // the player has gone on meanwhile
    this.tableView.refuse(refusal);
    if (refusal) this.point(refusal);
    // Allowed after all (a house rule the hints leave out): then it is meant.
    else if (this.tableView.hints) this.pending = move;
  }

  refused(refusal: { code: string; facts: Record<string, unknown> }): void {
    this.tried = null;
    this.tableView.refuse(refusal);
    this.point(refusal);
  }

  point(refusal: { code: string; facts: Record<string, unknown> }): void {
    const { square } = refusal.facts;
    if (typeof square === "string") this.flash = { square, n: ++this.#flashes };
  }

  /** My turn has come: the move I had asked for is played if it may be. */
  arrive(): void {
    this.back = null;
    const wish = this.premove;
    this.premove = null;
    this.pending = null;
    if (!wish || !this.myTurn) return;
    if (this.tableView.hints?.moves[wish.slice(0, 2)]?.includes(wish.slice(2))) void this.send(wish);
  }

  put(): void {
    this.selected = this.premove = this.pending = null;
    this.flash = null;
    this.tableView.refuse(null);
  }

  /** A move in the notation chosen; before it is played the hall names it in `hints.words`. */
  words = (move: string): string => {
    const known = this.tableView.hints?.words?.[move];
    if (known && notation() === "zh") return known;
    const ply = this.view?.plies.findLast((one) => one.m === move);
    return ply && !this.tableView.hints?.moves[move.slice(0, 2)]?.includes(move.slice(2)) ? written(ply) : iccs(move);
  };
}

/** A ply in the notation chosen. */
export const written = (ply: { m: string; zh: string; wxf: string }): string => {
  const how = notation();
  return how === "zh" ? ply.zh : how === "wxf" ? ply.wxf : iccs(ply.m);
};

export const iccs = (move: string): string => `${move.slice(0, 2).toUpperCase()}-${move.slice(2).toUpperCase()}`;

const plays = new WeakMap<object, Play>();
export function playOf(tableView: XiangqiTableView): Play {
  let play = plays.get(tableView);
  if (!play) plays.set(tableView, (play = new Play(tableView)));
  return play;
}

/** "红方" or "黑方". */
export const sideWord = (tableView: Pick<XiangqiTableView, "say">, side: number): string =>
  tableView.say(side === 0 ? "term.red" : "term.black");
export const redMan = isRed;
