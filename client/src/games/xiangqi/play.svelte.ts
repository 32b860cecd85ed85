// What a player is doing at one board: the man he holds, the move he has asked for, the way the board lies.
import { notation, spelt } from "../../lang.svelte";
import type * as types from "./types.gen";
import { prefs } from "../../shell/prefs.svelte";
import { toasts } from "../../shell/toasts.svelte";
import { acts, type TableView } from "../../table/game";
import { after, called, isRed, men, sideOf } from "./board";

export type View = types.View;
export type Action = types.Action;
/** `words` (the notation of each move) is an addition of the hall's; without it a move is named by its squares. */
export type Hints = types.Hints & { words?: Record<string, string> };
export type XiangqiTableView = TableView<View, Action, Hints>;

export class Play {
  readonly tableView: XiangqiTableView;
  selected: string | null = $state(null);
  turned = $state(false);
  /** What is being laid out for later: the other's move and mine by turns; null while nothing is. */
  plan: readonly string[] | null = $state.raw(null);
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
  /** The move that the hall is being asked to keep for my turn. */
  #wish: string | null = $state(null);
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
    if (view && this.plan) return after(view.fen, this.plan);
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
    return acts(this.tableView) && this.tableView.seat !== null && this.view?.phase === "play" && this.back === null;
  }
  get myTurn(): boolean {
    return this.mine && this.view?.side === this.tableView.seat;
  }
  /** Days for a move: then there is time for conditions, and no move is prepared without one. */
  get byDays(): boolean {
    return this.tableView.info.clock?.type === "days";
  }
  /** May conditions be laid out: if they play this, I play that? */
  get mayPlan(): boolean {
    return this.byDays && this.mine && !this.myTurn && this.tableView.prepare !== undefined;
  }
  /** The move that is played when my turn comes. */
  get premove(): string | null {
    const kept = this.tableView.prepared?.find((line) => line.length === 1)?.[0];
    return this.#wish ?? (kept?.a === "move" ? kept.m : null);
  }
  /** The lines of conditions that the hall keeps. */
  get lines(): readonly (readonly string[])[] {
    const all = this.tableView.prepared ?? [];
    return all.filter((line) => line.length > 1).map((line) => line.map((one) => (one.a === "move" ? one.m : "")));
  }
  /** Whose man may be lifted: mine, or in a condition that of whose move is to be laid. */
  get side(): number | null {
    const { seat } = this.tableView;
    if (seat === null || !this.plan) return seat;
    return this.plan.length % 2 ? seat : 1 - seat;
  }
  get last(): string | null {
    if (this.plan?.length) return this.plan.at(-1)!;
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
    if (!this.mine || letter === undefined || (this.byDays && !this.myTurn && !this.plan)) return false;
    return sideOf(letter) === this.side;
  };

  /** A point was tapped. */
  pick = (square: string): void => {
    this.#questions++;
    this.tableView.refuse(null);
    this.flash = null;
    this.pending = null;
    if (!this.mine) return;
    if (this.premove && !this.plan) {
      this.unprepare();
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
    if (this.plan) {
      this.plan = [...this.plan, move];
      this.selected = null;
      return;
    }
    if (!this.myTurn) {
      this.selected = null;
      if (!this.byDays) void this.prepare(move);
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

  /** My turn has come; what I had prepared the hall has played, or put back. */
  arrive(): void {
    this.back = this.plan = this.pending = null;
  }

  /** Let the hall keep a move for my turn. If that has come meanwhile it is played, where it may be. */
  async prepare(move: string): Promise<void> {
    this.#wish = move;
    const refusal = await this.tableView.prepare?.([[{ a: "move", m: move }]]);
    this.#wish = null;
    const open = this.tableView.hints?.moves[move.slice(0, 2)]?.includes(move.slice(2));
    if (refusal?.code === "STALE" && this.myTurn && open) void this.send(move);
  }

  unprepare(): void {
    void this.tableView.prepare?.([]);
  }

  /** Begin to lay out a condition. */
  lay(): void {
    this.put();
    this.back = null;
    this.plan = [];
  }

  /** Let the hall keep the line that is laid out, beside the others. */
  async keepLine(): Promise<void> {
    const { plan } = this;
    if (!plan?.length || plan.length % 2) return;
    const line = plan.map((m): Action => ({ a: "move", m }));
    const refusal = await this.tableView.prepare?.([...(this.tableView.prepared ?? []), line]);
    if (!refusal) this.plan = this.plan && [];
    else this.point(refusal);
  }

  /** Take one of the kept lines away. */
  dropLine(at: number): void {
    const line = (this.tableView.prepared ?? []).filter((one) => one.length > 1)[at];
    void this.tableView.prepare?.((this.tableView.prepared ?? []).filter((one) => one !== line));
  }

  /** The moves of a line in the notation chosen. */
  lineWords = (line: readonly string[]): string[] => line.map((move, i) => foretold(after(this.view?.fen ?? "", line.slice(0, i)), move));

  put(): void {
    if (this.premove && !this.plan) this.unprepare();
    this.selected = this.pending = this.plan = null;
    this.flash = null;
    this.tableView.refuse(null);
  }

  /** A move in the notation chosen; before it is played the hall names it in `hints.words`. */
  words = (move: string): string => {
    const known = this.tableView.hints?.words?.[move];
    if (known && notation() === "zh") return spelt(known);
    const ply = this.view?.plies.findLast((one) => one.m === move);
    if (ply && !this.tableView.hints?.moves[move.slice(0, 2)]?.includes(move.slice(2))) return written(ply);
    return foretold(this.fen, move);
  };
}

/** A ply in the notation chosen. */
export const written = (ply: { m: string; zh: string; wxf: string }): string => {
  const how = notation();
  return how === "zh" ? spelt(ply.zh) : how === "wxf" ? ply.wxf : iccs(ply.m);
};

/** A move that nobody has played yet, in the notation chosen. */
const foretold = (fen: string, move: string): string => {
  const how = notation();
  const named = how === "iccs" ? null : called(men(fen), move, how);
  return named === null ? iccs(move) : spelt(named);
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
