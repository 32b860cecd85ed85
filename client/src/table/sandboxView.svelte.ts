// A game on a table of its own, without a hall: from any position, by the rules, kept nowhere (P-74).
import { post, Refused } from "../net/http";
import type { Info, Json, Refusal, SeatInfo } from "../net/protocol";
import type { AskedHere, Sandboxed, SandMove } from "../net/protocol.gen";
import { type GameModule } from "./game";
import { StillTableView } from "./still.svelte";

export interface SandboxOf {
  game: string;
  variant?: string | null;
  options?: Record<string, Json>;
  seats?: number | null;
  /** The position as its game writes it; null: a deal's beginning. */
  start: string | null;
  /** Luck follows from it. */
  seed?: string;
  /** The only seat that is mine; null: all are. */
  seat?: number | null;
  /** Moves that have been made already. */
  moves?: readonly SandMove[];
  /** Who answers in place of `POST /sandbox`: where the position is not to be known whole. */
  call?: (moves: readonly SandMove[]) => Promise<Sandboxed>;
}

/** A little table: each move asks the rules anew what all moves together lead to. */
export class SandboxTableView extends StillTableView {
  override mode = $state<StillTableView["mode"]>("lesson");
  /** All moves so far; from `n` on they have been taken back. */
  moves: readonly SandMove[] = $state.raw([]);
  n = $state(0);
  /** What the rules said last; null before the first answer. */
  now: Sandboxed | null = $state.raw(null);
  /** Why the position cannot be: the refusal of the whole table. */
  wrong: Refusal | null = $state.raw(null);
  /** All hands open, where all seats are mine. */
  seen: readonly Json[] | null = $state.raw(null);
  /** What somebody who follows the moves is told after each. */
  onMove: ((moves: readonly SandMove[]) => void) | null = null;
  #of: SandboxOf;
  #asked = 0;

  constructor(of: SandboxOf, module: GameModule | null = null) {
    super(infoOf(of));
    this.#of = of;
    this.module = module;
    this.moves = of.moves ?? [];
    this.n = this.moves.length;
    this.onAct = (action) => this.#act(action as Json);
  }

  get acted(): number | null {
    return this.moves[this.n - 1]?.seat ?? null;
  }

  /** Whether all seats are mine. */
  get allMine(): boolean {
    return this.#of.seat == null;
  }

  /** Where one choice of one seat is asked for, nobody resigns, offers a draw or talks. */
  get taught(): boolean {
    return !this.allMine;
  }

  /** Ask for the position as it stands. */
  async start(): Promise<void> {
    await this.#ask(this.moves.slice(0, this.n), false);
  }

  /** Lay another position, or the same with other options. */
  async lay(of: SandboxOf): Promise<void> {
    this.#of = of;
    this.info = infoOf(of);
    this.moves = of.moves ?? [];
    this.n = this.moves.length;
    await this.start();
  }

  /** Take moves back, or make them again. */
  async go(n: number): Promise<void> {
    const to = Math.max(0, Math.min(n, this.moves.length));
    const onward = to === this.n + 1;
    this.n = to;
    await this.#ask(this.moves.slice(0, to), onward);
  }

  /** Play for a seat, whichever is looked at: what a bot has advised, or what luck is to do (seat −1). */
  async play(seat: number, action: Json): Promise<Refusal | null> {
    const moves = [...this.moves.slice(0, this.n), { seat, a: action }];
    const said = await this.#ask(moves, true);
    if (said) return said;
    this.moves = moves;
    this.n = moves.length;
    this.onMove?.(moves);
    return null;
  }

  async #act(action: Json): Promise<Refusal | null> {
    return this.seat === null ? null : this.play(this.seat, action);
  }

  /** Judge a move without making it. */
  override async attempt(action: Json, quiet = false): Promise<Refusal | null> {
    if (this.seat === null) return null;
    let refusal: Refusal | null;
    try {
      const moves = [...this.moves.slice(0, this.n), { seat: this.seat, a: action }];
      refusal = (await this.#call(moves)).refusal;
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
      refusal = wrong;
    }
    if (!quiet) this.refusal = refusal;
    return refusal;
  }

  /** Look with another seat's eyes. */
  look(seat: number): void {
    this.viewpoint = seat;
    this.#show();
  }

  #call(moves: readonly SandMove[]): Promise<Sandboxed> {
    if (this.#of.call) return this.#of.call(moves);
    const { game, variant = null, options = {}, seats = null, start, seed = "" } = this.#of;
    return post<Sandboxed>("/sandbox", { game, variant, options, seats, start, seed, moves, seat: this.#of.seat ?? null });
  }

  /** Ask what moves lead to; a refusal leaves all as it was. told: let the view hear the last of them. */
  async #ask(moves: readonly SandMove[], told: boolean): Promise<Refusal | null> {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const found = await this.#call(moves);
      if (asked !== this.#asked) return null;
      if (found.refusal && told) return found.refusal;
      this.now = found;
      this.wrong = null;
      this.#show();
      if (told) this.tell(found.told);
      return null;
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
      if (asked !== this.#asked) return null;
      if (!told) this.wrong = wrong;
      return wrong;
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  #show(): void {
    const now = this.now;
    if (!now) return;
    const mine = this.#of.seat ?? null;
    const open: AskedHere | undefined =
      mine === null
        ? (now.asked.find((one) => one.seat === this.viewpoint && now.turn.includes(one.seat)) ??
          now.asked.find((one) => now.turn.includes(one.seat)) ??
          now.asked[0])
        : now.asked.find((one) => one.seat === mine);
    if (this.seats.length !== now.seats) this.seats = seatsOf(now.seats);
    this.seat = mine ?? open?.seat ?? this.viewpoint;
    // A board does not turn round with the move; hands come to who is to play.
    if (mine !== null) this.viewpoint = mine;
    else if (this.module?.layout === "cloth" && open) this.viewpoint = open.seat;
    this.view = mine === null ? (now.views[this.seat] ?? now.view) : now.view;
    this.seen = mine === null ? now.views : null;
    this.ask = open ? { id: now.n + 1, kind: open.ask, until: null } : null;
    this.legal = open ? open.legal : null;
    this.hints = open ? open.hints : null;
    this.refusal = null;
    this.result = now.outcome ? ({ ...now.outcome } as never) : null;
  }
}

const infoOf = ({ game, variant = null, options = {} }: SandboxOf): Info => ({
  room: 0,
  no: 0,
  game,
  variant,
  kind: "friendly",
  preset: null,
  options,
  clock: { type: "none" },
  terms: {},
  watch: { mode: "open", delay_s: null },
  state: "playing",
});

const seatsOf = (players: number): SeatInfo[] =>
  Array.from({ length: players }, (_, seat) => ({
    seat,
    user: null,
    bot: null,
    ready: false,
    presence: "online",
    until: null,
    score: null,
    grade: null,
    pass: null,
  }));
