// What a player is doing at one board: the checker he holds, what he has laid of his turn so far.
import { why } from "../../lang.svelte";
import { acts, type TableView } from "../../table/game";
import { BAR, type Kind, RES, type Side, slotOf, type Step, stepped, type Where, whereOf } from "./board";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type BackgammonTableView = TableView<View, Action, Hints>;

/** Where a held checker may come to: the steps that lead there, the last one's dice on a pill. */
export interface Target {
  where: Where;
  to: number;
  steps: Step[];
  hit: boolean;
  pin: boolean;
}

export class Play {
  readonly tableView: BackgammonTableView;
  /** The place of the checker that is held. */
  held: Where | null = $state(null);
  /** The steps laid of this turn. */
  laid: Step[] = $state.raw([]);
  /** Use the smaller die first. */
  small = $state(false);
  /** The question before what cannot be taken back. */
  asking: "resign" | null = $state(null);
  typing = $state(false);
  /** A bot has been asked what it would do. */
  advising = $state(false);
  /** What it has said, until the question is another. */
  advice: string | null = $state(null);
  /** The game after each turn, while somebody looks back; `back`: which of them is shown, null: the game as it is. */
  past: View[] = $state.raw([]);
  back: number | null = $state(null);
  #turn = "";
  #questions = 0;

  constructor(tableView: BackgammonTableView) {
    this.tableView = tableView;
  }

  /** What the board shows: the game as it is, or as it was some turns ago. */
  get view(): View | null {
    return this.back === null ? this.tableView.view : (this.past[this.back] ?? null);
  }
  get board(): Kind {
    return this.view?.board ?? "opposite";
  }
  get hints(): Hints | null {
    return acts(this.tableView) && this.back === null ? this.tableView.hints : null;
  }
  get me(): number {
    return this.tableView.seat ?? 0;
  }
  get moving(): boolean {
    return (this.hints?.nodes.length ?? 0) > 0;
  }

  /** A new question, a new turn: what was laid for an old one is gone. */
  renew(): void {
    const now = this.tableView.view;
    const turn = `${this.tableView.ask?.id ?? ""} ${now?.dice?.join() ?? ""} ${now?.game_no ?? ""}`;
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#questions++;
    this.laid = [];
    this.held = null;
    this.small = false;
    this.advice = null;
    this.back = null;
  }

  /** Look a turn back, or on; behind the last one the game is as it is. */
  async look(by: number): Promise<void> {
    if (this.back === null) {
      if (by > 0) return;
      const all = (await this.tableView.past?.()) ?? [];
      // A moment for each line of the score sheet; the last one is what the table shows.
      this.past = all.filter(
        (view, i) => i === 0 || view.lines.length !== all[i - 1]!.lines.length || view.game_no !== all[i - 1]!.game_no,
      );
      if (this.past.length < 2) return;
      this.back = this.past.length - 1;
    }
    this.#quiet();
    this.held = null;
    this.laid = [];
    const to = Math.max(0, this.back + by);
    this.back = to >= this.past.length - 1 ? null : to;
  }

  get node(): types.Node | null {
    const nodes = this.hints?.nodes;
    if (!nodes?.length) return null;
    return nodes[this.laid.at(-1)?.[6] ?? 0] ?? null;
  }
  get steps(): readonly Step[] {
    return this.node?.[0] ?? [];
  }
  /** The whole turn, when it may end here. */
  get done(): string | null {
    return this.node?.[1] ?? null;
  }
  /** The sides with what is laid. */
  get sides(): readonly [Side, Side] | null {
    const view = this.view;
    if (!view) return null;
    return this.laid.reduce<readonly [Side, Side]>((sides, step) => stepped(sides, view.board, this.me, step), view.sides);
  }
  /** How often each number of the throw is still to be used; null while nobody throws. */
  get dice(): { die: number; used: boolean }[] | null {
    const dice = this.view?.dice;
    if (!dice) return null;
    const double = dice[0] === dice[1];
    const all = double ? [dice[0], dice[0], dice[0], dice[0]] : [...dice].sort((a, b) => (this.small ? a - b : b - a));
    const spent = this.laid.map((step) => step[2]);
    // With a double the first of four are used; else the one whose number was moved.
    return all.map((die, i) => ({ die, used: double ? i < spent.length : spent.includes(die) }));
  }

  /** Who threw what to decide who begins, white's die first, until the first checker has moved. */
  get opened(): readonly [number, number] | null {
    const view = this.view;
    return view?.opening && !view.lines.some(([, kind]) => kind === "play" || kind === "hop") ? view.opening : null;
  }

  where = (point: number): Where => whereOf(this.board, true, point);
  /** The places a checker may be taken from now. */
  get sources(): Where[] {
    const view = this.view;
    if (this.hints?.hops.length) return [...new Set(this.hints.hops.map(([kind, from]) => (kind === "enter" ? "hand" : `p${from}`)))];
    return view ? [...new Set(this.steps.map((step) => this.where(step[0])))] : [];
  }
  /** Where the checker of a place may come to: by one die, or by several if it goes on. */
  targets(from: Where): Target[] {
    if (this.hints?.hops.length)
      return this.hints.hops
        .filter(([kind, at]) => (kind === "enter" ? "hand" : `p${at}`) === from)
        .map(([, , to]) => ({ where: to ? `p${to}` : "off", to, steps: [], hit: false, pin: false }));
    const nodes = this.hints?.nodes ?? [];
    const found: Target[] = [];
    const walk = (node: types.Node | undefined, at: Where, steps: Step[]) => {
      const open = (node?.[0] ?? []).filter((step) => this.where(step[0]) === at);
      for (const step of [...open].sort((a, b) => b[2] - a[2])) {
        const where = this.where(step[1]);
        const way = [...steps, step];
        const known = found.find((one) => one.where === where);
        const hit = way.some((one) => one[3]);
        if (!known) found.push({ where, to: step[1], steps: way, hit, pin: step[4] });
        else if (known.steps.length > way.length) Object.assign(known, { steps: way, hit, pin: step[4] });
        if (step[1] !== 0) walk(nodes[step[6]], where, way);
      }
    };
    walk(this.node ?? undefined, from, []);
    return found;
  }

  /** A place was tapped. other: by the right button, for the smaller die. */
  pick(where: Where | null, other = false): void {
    this.#quiet();
    const hints = this.hints;
    if (!hints || where === null) return void (this.held = null);
    if (this.held !== null && this.held !== where) {
      const target = this.targets(this.held).find((one) => one.where === where);
      if (target) return this.go(target);
    }
    if (!this.sources.includes(where)) {
      if (this.held === null) void this.#stuck(where);
      else this.#astray(this.held, where);
      return;
    }
    if (hints.hops.length) return void (this.held = this.held === where ? null : where);
    if (this.held === where || other) {
      const open = this.steps.filter((step) => this.where(step[0]) === where).sort((a, b) => b[2] - a[2]);
      const step = other !== this.small ? open.at(-1) : open[0];
      if (step) this.lay([step]);
      return;
    }
    this.held = where;
  }

  /** A checker was dropped on a place. */
  drop(from: Where, to: Where | null): void {
    const target = to === null ? undefined : this.targets(from).find((one) => one.where === to);
    if (target) return this.go(target);
    this.#quiet();
    if (to === null || to === from) this.held = null;
    else this.#astray(from, to);
  }

  go(target: Target): void {
    const hop = this.hints?.hops.find(([kind, from, to]) => to === target.to && (kind === "enter" ? "hand" : `p${from}`) === this.held);
    if (hop) {
      this.held = null;
      const [kind, from, to] = hop;
      void this.tableView.act(kind === "enter" ? { a: "enter", to } : kind === "off" ? { a: "off", from } : { a: "move", from, to });
    } else this.lay(target.steps);
  }

  lay(steps: readonly Step[]): void {
    this.laid = [...this.laid, ...steps];
    this.held = null;
  }
  undo(): void {
    this.laid = this.laid.slice(0, -1);
    this.held = null;
    this.tableView.refuse(null);
  }
  /** A bot is asked for a good turn: it is laid on the board, and may be taken back or sent. */
  async advise(): Promise<void> {
    if (!this.hints || this.advising) return;
    this.#quiet();
    this.laid = [];
    this.held = null;
    this.advising = true;
    const action = await this.tableView.advise?.();
    this.advising = false;
    if (!action || !this.hints) return;
    const { say } = this.tableView;
    this.advice = say("ui.advice", { what: action.a === "play" ? action.m : say(`ui.advice_${action.a}`) });
    if (action.a === "play") this.laid = this.#wayTo(action.m) ?? [];
    else if (action.a === "enter") this.held = "hand";
    else if (action.a === "move" || action.a === "off") this.held = `p${action.from}`;
    this.tableView.announce(this.advice);
  }
  /** The steps of a turn as the hall writes it. */
  #wayTo(m: string): Step[] | null {
    const nodes = this.hints?.nodes ?? [];
    const seen = new Set<number>();
    const walk = (at: number): Step[] | null => {
      if (seen.has(at)) return null;
      seen.add(at);
      const node = nodes[at];
      if (node?.[1] === m) return [];
      for (const step of node?.[0] ?? []) {
        const rest = walk(step[6]);
        if (rest) return [step, ...rest];
      }
      return null;
    };
    return walk(0);
  }
  /** Send the turn. */
  async finish(m = this.done): Promise<void> {
    if (m === null || this.tableView.busy) return;
    await this.tableView.act({ a: "play", m });
  }
  /** What was refused is past; an answer that is still on its way is too late. */
  #quiet(): void {
    this.#questions++;
    this.tableView.refuse(null);
  }
  /** The held checker may not go there. It stays in the hand, and the hall says why: the client does not know. */
  #astray(from: Where, where: Where): void {
    const [at, to] = [this.pointAt(from) ?? 0, where === "off" ? 0 : this.pointAt(where)];
    // Nobody moves to the bar or back to the checkers that wait: that puts the checker down.
    if (to === null || to > 24) return void (this.held = null);
    this.held = from;
    if (this.hints?.hops.length)
      void this.#show([from === "hand" ? { a: "enter", to } : to ? { a: "move", from: at, to } : { a: "off", from: at }]);
    else void this.#show([this.#turnWith(at, to)]);
  }
  /** No checker of this place may go: there is none of the player's, or every die that is left is refused. */
  async #stuck(where: Where): Promise<void> {
    const point = this.pointAt(where);
    const side = this.sides?.[this.me];
    if (point === null || !side) return;
    const own = point === BAR ? side.bar : point === RES ? side.res : side.points[point - 1];
    if (!own) return this.tableView.refuse({ code: "no_checker", facts: { part: name(point) } });
    if (this.hints?.hops.length) return this.tableView.refuse({ code: "illegal_move", facts: { part: name(point) } });
    const left = new Set((this.dice ?? []).filter((one) => !one.used).map((one) => one.die));
    await this.#show(
      [...left].map((die) => this.#turnWith(point, Math.max(0, Math.min(point, BAR) - die))),
      name(point),
    );
  }
  #turnWith(from: number, to: number): Action {
    return { a: "play", m: [...this.laid.map((step) => `${name(step[0])}/${name(step[1])}`), `${name(from)}/${name(to)}`].join(" ") };
  }
  /** Ask the hall why these may not be, and show what it says. of: the checker that all of them would move. */
  async #show(tries: Action[], of = ""): Promise<void> {
    const now = this.#questions;
    const found = (await Promise.all(tries.map((one) => this.tableView.attempt(one, true)))).filter((one) => one !== null);
    if (now !== this.#questions || !found.length) return; // the player has gone on meanwhile
    const sentences = [...new Set(found.map((one) => why(one, "backgammon")))];
    this.tableView.refuse(sentences.length > 1 ? { code: "stuck", facts: { part: of, why: sentences.join(" ") } } : found[0]!);
  }
  pointAt(where: Where): number | null {
    if (where === "bar") return BAR;
    if (where === "res") return RES;
    return where.startsWith("p") ? slotOf(this.board, true, Number(where.slice(1))) : null;
  }
}

const name = (point: number): string => (point === BAR ? "bar" : point === RES ? "res" : point === 0 ? "off" : `${point}`);

const plays = new WeakMap<object, Play>();
export function playOf(tableView: BackgammonTableView): Play {
  let play = plays.get(tableView);
  if (!play) plays.set(tableView, (play = new Play(tableView)));
  return play;
}

export const sideWord = (tableView: Pick<BackgammonTableView, "say">, seat: number): string =>
  tableView.say(seat === 0 ? "term.white" : "term.black");
