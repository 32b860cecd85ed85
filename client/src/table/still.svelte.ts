// A table that nobody serves: a replay's, a lesson's, the gallery's. Whoever makes it sets its fields.
import { has, say } from "../lang.svelte";
import type { Clocks, Game, Info, Json, Legal, Offer, OpenAsk, Refusal, Result, SeatInfo, Told, User } from "../net/protocol";
import { announce } from "../shell/live.svelte";
import type { TableView, GameModule } from "./game";
import { filled, runsClockwise } from "./options";

/** A table with open hands: a replay's, or one of the sandbox. */
export interface OpenTableView extends TableView {
  /** The seat that acted last. */
  readonly acted: number | null;
}

export class StillTableView<V = Json, A = Json, H = Json> implements TableView<V, A, H> {
  mode: TableView["mode"] = $state("replay");
  seat: number | null = $state(null);
  viewpoint = $state(0);
  info: Info = $state.raw(undefined as unknown as Info);
  module: GameModule | null = $state.raw(null);
  readonly options: Json = $derived.by(() => filled(this.info.game, this.info.options));
  get clockwise(): boolean {
    return runsClockwise(this.module, this.options);
  }
  seats: SeatInfo[] = $state.raw([]);
  game: Game | null = $state.raw(null);
  view: V | null = $state.raw(null);
  hints: H | null = $state.raw(null);
  ask: OpenAsk | null = $state.raw(null);
  legal: Legal | null = $state.raw(null);
  offers: Offer[] = $state.raw([]);
  clocks: Clocks | null = $state.raw(null);
  result: Result | null = $state.raw(null);
  busy = $state(false);
  readonly unread = 0;
  refusal: Refusal | null = $state.raw(null);
  /** What a move does here; nothing unless it is set. */
  onAct: (action: A) => Promise<Refusal | null> = () => Promise.resolve(null);
  #hearers = new Set<(told: Told[], caughtUp: boolean) => void>();

  constructor(info: Info) {
    this.info = info;
  }

  say = (key: string, facts?: Record<string, Json>): string => saying(this.info.game, key, facts);

  get players(): number {
    return Math.min(this.module?.players ?? this.seats.length, this.seats.length);
  }

  nameOf(seat: number): string {
    return seatName(this.seats[seat], seat);
  }

  left(seat: number): number | null {
    return this.clocks?.left[seat] ?? null;
  }

  askLeft(): number | null {
    return null;
  }

  async act(action: A): Promise<Refusal | null> {
    this.refusal = await this.onAct(action);
    return this.refusal;
  }

  async attempt(action: A, quiet = false): Promise<Refusal | null> {
    const refusal = await this.onAct(action);
    if (!quiet) this.refusal = refusal;
    return refusal;
  }

  refuse(refusal: Refusal | null): void {
    this.refusal = refusal;
  }

  turnTo(): void {
    // There is no frame round it.
  }

  propose(): Promise<Refusal | null> {
    return Promise.resolve(null);
  }

  answer(): Promise<Refusal | null> {
    return Promise.resolve(null);
  }

  hear(hearer: (told: Told[], caughtUp: boolean) => void): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  /** Let the view hear what happened. */
  tell(told: Told[], caughtUp = false): void {
    for (const hearer of this.#hearers) hearer(told, caughtUp);
  }

  announce(sentence: string, urgent?: boolean | "turn"): void {
    announce(sentence, urgent);
  }
}

/** A game's own word, else the hall's. */
export function saying(game: string, key: string, facts?: Record<string, Json>): string {
  const own = `${game}.${key}`;
  return has(own) || !has(key) ? say(own, facts) : say(key, facts);
}

/** The name on a plate: the person's, else the bot's word. */
export function seatName(info: Pick<SeatInfo, "user" | "bot"> | undefined, seat: number): string {
  if (info?.user) return personName(info.user);
  if (info?.bot) return botName(seat);
  return say("ui.seat_n", { n: seat + 1 });
}

/** Who has deleted his account stands in games under a word of the language in use. */
export const personName = (user: User): string => (user.name === "deleted" ? say("ui.mine.deleted") : user.name);

/** As much of a name as fits beside other words and still tells who it is: four characters, of narrow ones eight. */
export function brief(name: string): string {
  let room = 8;
  return [...name].filter((c) => (room -= c > "⺀" ? 2 : 1) >= 0).join("");
}

/** Bots have names of their own, one a seat, so that one can speak of them. */
export function botName(seat: number): string {
  const names = say("ui.bot_names").split(" ");
  return names[seat % names.length] ?? "";
}
