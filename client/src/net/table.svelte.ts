// A table as received on its channel: the last snapshot, updated with the fields of later events (13.1).
import { mine } from "./seeds";
import type {
  Chat,
  Clocks,
  Command,
  Ev,
  Facts,
  Game,
  Info,
  Json,
  Late,
  Legal,
  Offer,
  OpenAsk,
  Refusal,
  Result,
  SeatInfo,
  ServerMessage,
  News,
  Snapshot,
  TableFields,
  You,
} from "./protocol";
import { prefs } from "../shell/prefs.svelte";
import { session } from "./session.svelte";
import type { Look } from "./socket";

/** told: what happened; caughtUp: it happened while the line was lost. */
export type Hearer = (told: News[], caughtUp: boolean) => void;
type TableCommand = Command extends infer C ? (C extends { table: number } ? Omit<C, "table"> : never) : never;

export class Table {
  readonly id: number;
  key?: string = $state();
  readonly look?: Look;
  ready = $state(false);
  /** Why we may not be here, when `join` was refused. */
  refused: Refusal | null = $state.raw(null);
  /** Why the hall has stood me up here, until I sit again. */
  stood: Facts | null = $state.raw(null);
  you: You = $state.raw({ seat: null, owner: false });
  info: Info | null = $state.raw(null);
  seats: SeatInfo[] = $state.raw([]);
  offers: Offer[] = $state.raw([]);
  game: Game | null = $state.raw(null);
  view: Json = $state.raw(null);
  ask: OpenAsk | null = $state.raw(null);
  legal: Legal | null = $state.raw(null);
  hints: Json = $state.raw(null);
  clocks: Clocks | null = $state.raw(null);
  late: Late | null = $state.raw(null);
  result: Result | null = $state.raw(null);
  watchers = $state(0);
  /** Of a turn-based table: the seats of those who look at it. */
  here: number[] = $state.raw([]);
  chat: Chat[] = $state.raw([]);
  /** The hall's `now` when `clocks` was true. */
  clocksAt = $state(0);
  /** Whether a move of mine is being sent. */
  busy = $state(false);
  ch = "";
  seq = 0;
  #hearers = new Set<Hearer>();
  #stop: () => void;

  /** look: not on a channel of my own, but on a big screen or over a shoulder. */
  constructor(id: number, key?: string, look?: Look) {
    this.id = id;
    this.key = key;
    this.look = look;
    this.#stop = session.listen((message) => this.#take(message));
    session.socket.join(id, key, look);
  }

  /** Join again, with a password. */
  enter(key: string): void {
    this.key = key;
    this.refused = null;
    session.socket.join(this.id, key, this.look);
  }

  /** Leave this table's channel. A seat is kept. */
  close(): void {
    this.#stop();
    session.socket.leave(this.id);
  }

  hear(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  do(command: TableCommand): Promise<Refusal | null> {
    return session.socket.command({ ...command, table: this.id } as Command);
  }

  /** A move. free: it answers no question (resign, accepting a draw). */
  async act(action: Json, free = false): Promise<Refusal | null> {
    this.busy = true;
    try {
      return await this.do({ t: "act", action, ...(!free && this.ask ? { ask: this.ask.id } : {}) });
    } finally {
      this.busy = false;
    }
  }

  attempt(action: Json): Promise<Refusal | null> {
    return this.do({ t: "try", action });
  }

  /** ms left on a seat's clock, by my clock's `now`; null without a limit. */
  left(seat: number, now: number): number | null {
    const left = this.clocks?.left[seat] ?? null;
    if (left === null || !this.clocks?.run.includes(seat)) return left;
    return Math.max(0, left - Math.max(0, now + session.socket.skew - this.clocksAt));
  }

  #take(message: ServerMessage): void {
    switch (message.t) {
      case "snapshot":
        if (message.table === this.id) this.#snapshot(message);
        break;
      case "ev":
        if (message.table === this.id) this.#event(message);
        break;
      case "chat":
        if (message.seat !== undefined && !prefs.all.bot_talk) break;
        if (message.to === `table:${this.id}` || message.to === `watch:${this.id}`)
          this.chat = message.removed ? this.chat.filter((line) => line.id !== message.id) : [...this.chat, message].slice(-200);
        break;
      case "count":
        if (message.table === this.id) {
          this.watchers = message.watchers;
          this.here = message.here ?? [];
        }
        break;
      case "note":
        if (message.kind === "stood" && message.ref === this.id) this.stood = message.facts;
        break;
      case "err":
        if (message.cid === null && message.re === "join" && message.table === this.id) {
          this.refused = { code: message.code, facts: message.facts ?? {} };
        }
        break;
      default:
        break;
    }
  }

  #snapshot(message: Snapshot): void {
    const back = this.ready && message.ch === this.ch;
    this.ch = message.ch;
    this.seq = message.seq;
    session.socket.mark(this.id, this.ch, this.seq);
    this.#fields(message, message.now);
    this.watchers = message.watchers;
    this.here = message.here ?? [];
    this.chat = merge(this.chat, message.chat);
    this.refused = null;
    if (message.you.seat !== null) this.stood = null;
    this.ready = true;
    this.#seed();
    if (back && message.missed) for (const one of message.missed) this.#tell(one.told, true);
  }

  #event(message: Ev): void {
    if (message.ch !== this.ch || message.seq <= this.seq) return;
    if (message.seq !== this.seq + 1) {
      session.socket.rejoin(this.id);
      return;
    }
    this.seq = message.seq;
    session.socket.mark(this.id, this.ch, this.seq);
    this.#fields(message, message.now);
    this.#seed();
    this.#tell(message.told, false);
  }

  #fields(from: Partial<TableFields>, now: number): void {
    if (from.you !== undefined) this.you = from.you;
    if (from.info !== undefined) this.info = from.info;
    if (from.seats !== undefined) this.seats = from.seats;
    if (from.offers !== undefined) this.offers = from.offers;
    if (from.game !== undefined) this.game = from.game;
    if (from.view !== undefined) this.view = from.view;
    if (from.ask !== undefined) this.ask = from.ask;
    if (from.legal !== undefined) this.legal = from.legal;
    if (from.hints !== undefined) this.hints = from.hints;
    if (from.late !== undefined) this.late = from.late;
    if (!this.look) session.sits(this.id, this.you.seat !== null && this.info?.state !== "closed");
    if (from.result !== undefined) this.result = from.result;
    if (from.clocks !== undefined) {
      this.clocks = from.clocks;
      this.clocksAt = now;
    }
  }

  #tell(told: News[], caughtUp: boolean): void {
    for (const hearer of this.#hearers) hearer(told, caughtUp);
  }

  /** P-91: answer a new commitment with a seed of our own, by itself. */
  #seed(): void {
    const game = this.game;
    if (!game?.commitment || game.board || game.client_seeds || game.server_seed || this.you.seat === null) return;
    session.socket.send({ t: "seed", table: this.id, game_id: game.game_id, client_seed: mine(game.game_id) });
  }
}

/** Lines of chat in a snapshot. */
const SHOWN = 30;

/** Merge my lines with those of a snapshot: a line that the snapshot should have but lacks was removed meanwhile. */
function merge(old: Chat[], fresh: Chat[]): Chat[] {
  const known = new Set(fresh.map((line) => `${line.to} ${line.id}`));
  const first = new Map([...fresh].reverse().map((line) => [line.to, line.id]));
  // Fewer than it shows at most: these are all. What watchers say it shows to those who play only between games.
  const whole = fresh.length < SHOWN;
  const since = (to: string): number => (whole && (first.has(to) || to.startsWith("table:")) ? 0 : (first.get(to) ?? Infinity));
  return [...old.filter((line) => !known.has(`${line.to} ${line.id}`) && (line.id === 0 || line.id < since(line.to))), ...fresh].sort(
    (a, b) => a.at - b.at || a.id - b.id,
  );
}
