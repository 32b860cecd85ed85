// A live table as its game's view sees it, and what the frame itself adds: log, bubbles, whose turn it is.
import { tick as shownNow } from "svelte";
import { say, why } from "../lang.svelte";
import {
  ofTable,
  type Facts,
  type Game,
  type Info,
  type Json,
  type Legal,
  type News,
  type Offer,
  type OfferAnswered,
  type OpenAsk,
  type Refusal,
  type Result,
  type SeatInfo,
  type Settled,
  type TableNews,
  type Told,
} from "../net/protocol";
import { asRefusal, get, post } from "../net/http";
import { remember } from "../net/played";
import type { Advice, ReplayFrames } from "../net/protocol.gen";
import { session } from "../net/session.svelte";
import type { Table } from "../net/table.svelte";
import { announce, silence } from "../shell/live.svelte";
import { buzz, sound } from "../shell/sound";
import { toasts } from "../shell/toasts.svelte";
import { tick } from "../tick.svelte";
import type { TableView, GameModule, Page } from "./game";
import { filled, runsClockwise } from "./options";
import { botName, saying, seatName } from "./still.svelte";

const BUBBLE_MS = 3500;
const LOG_MOST = 400;
const PAST_MOST = 1000;
const TURN_NOTE_MS = 3000;

export interface LogLine {
  n: number;
  text: string;
  seat: number | null;
}
export interface Bubble {
  seat: number;
  text: string;
  until: number;
}

export class LiveTableView implements TableView {
  readonly table: Table;
  #module: GameModule | null = $state.raw(null);
  /** A watcher sees the table from behind this seat. */
  behind = $state(0);
  refusal: Refusal | null = $state.raw(null);
  log: LogLine[] = $state.raw([]);
  bubbles: Bubble[] = $state([]);
  page: Page = $state("game");
  /** Whether the sidebar is open as a drawer (where it is not docked). */
  drawer = $state(false);
  /** Until when the hall waits for "again", by its clock; null if not known. */
  againBy: number | null = $state(null);
  /** How many chat lines came while the chat was not visible. */
  unread = $state(0);
  /** All views of this deal since I came; looking back needs nothing else from the hall. */
  #past: { view: Json; text: string }[] = $state.raw([]);
  #pastOf: string | undefined;
  /** Which of them is shown; null: the present one. */
  back: number | null = $state(null);
  /** Events that came before the game's sentences were loaded. */
  #early: [told: News[], caughtUp: boolean][] = [];
  /** Offers by number; an answer has only the number, and the offer is gone by then. */
  #offered = new Map<number, { seat: number; what: string }>();
  /** Called when my turn in a turn-based game is over (P-5). */
  onmoved: (() => void) | null = null;
  #hearers = new Set<(told: Told[], caughtUp: boolean) => void>();
  #lines = 0;
  #ring: { seat: number; most: number }[] = [];
  #turnTimer = 0;
  #stop: () => void;

  get module(): GameModule | null {
    return this.#module;
  }
  set module(found: GameModule | null) {
    this.#module = found;
    for (const [told, caughtUp] of this.#early.splice(0)) this.#write(told, caughtUp);
  }

  constructor(table: Table) {
    this.table = table;
    this.#stop = table.hear((told, caughtUp) => this.#heard(told, caughtUp));
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#turnTimer);
    silence();
    this.table.close();
  }

  get mode(): TableView["mode"] {
    return this.seat === null ? "watch" : "play";
  }
  get seat(): number | null {
    return this.table.you.seat;
  }
  get viewpoint(): number {
    return this.seat !== null && this.seat < this.players ? this.seat : (this.table.you.over ?? this.behind);
  }
  get info(): Info {
    return this.table.info as Info;
  }
  readonly options: Json = $derived.by(() => filled(this.table.info?.game ?? "", this.table.info?.options));
  get clockwise(): boolean {
    return runsClockwise(this.module, this.options);
  }
  get seats(): SeatInfo[] {
    return this.table.seats;
  }
  get players(): number {
    return Math.min(this.module?.players ?? this.seats.length, this.seats.length);
  }
  get game(): Game | null {
    return this.table.game;
  }
  get view(): Json {
    return this.back === null ? this.table.view : (this.#past[this.back]?.view ?? this.table.view);
  }
  /** Every seat's view if a watcher may see it without delay (P-88); delayed ones are shown only in the sidebar. */
  get seen(): Json[] | null {
    return this.seat === null && this.info.watch.mode !== "delayed" ? (this.table.late?.views ?? null) : null;
  }
  get hints(): Json {
    return this.back === null ? this.table.hints : null;
  }
  get ask(): OpenAsk | null {
    return this.back === null ? this.table.ask : null;
  }
  get legal(): Legal | null {
    return this.back === null ? this.table.legal : null;
  }
  get offers(): Offer[] {
    return this.table.offers;
  }
  get clocks() {
    return this.table.clocks;
  }
  get result(): Result | null {
    return this.table.result;
  }
  get busy(): boolean {
    return this.table.busy;
  }

  say = (key: string, facts?: Facts): string => saying(this.table.info?.game ?? "", key, facts);

  /** Who played this seat in the last deal, even if they have left since; else who has it now. */
  playedBy(seat: number): Pick<SeatInfo, "user" | "bot"> | undefined {
    return this.result?.seats?.find((one) => one.seat === seat) ?? this.seats[seat];
  }

  nameOf(seat: number): string {
    const now = this.seats[seat];
    return seatName(now?.user || now?.bot ? now : this.playedBy(seat), seat);
  }

  left(seat: number): number | null {
    if (this.clocks === null) return null;
    return this.table.left(seat, this.clocks.run.includes(seat) ? tick() : Date.now());
  }

  askLeft(): number | null {
    const until = this.ask?.until ?? null;
    return until === null ? null : Math.max(0, until - tick() - session.socket.skew);
  }

  /** The ring round a seat that is asked: what is left and what there was, ms. */
  ring(seat: number): { left: number; of: number } | null {
    const own = this.module?.plate?.(this, seat).ring;
    if (own !== undefined) return own;
    if (!this.clocks?.run.includes(seat)) {
      this.#ring = this.#ring.filter((one) => one.seat !== seat);
      return null;
    }
    const left = this.left(seat);
    if (left === null) return null;
    let known = this.#ring.find((one) => one.seat === seat);
    if (!known || left > known.most) {
      this.#ring = this.#ring.filter((one) => one.seat !== seat);
      known = { seat, most: Math.max(left, 1) };
      this.#ring.push(known);
    }
    return { left, of: known.most };
  }

  async act(action: Json, free = false): Promise<Refusal | null> {
    this.refuse(null);
    const refusal = await this.table.act(action, free);
    if (refusal) this.refuse(refusal);
    else if (this.turnBased && this.info.state === "playing" && !this.ask) this.onmoved?.();
    return refusal;
  }

  /** This table is of a contest (P-67 to P-71): its seats, rules and clock are the contest's own. */
  get ofContest(): boolean {
    return !!this.table.info?.contest;
  }
  /** Whether the table is turn-based (P-24). */
  get turnBased(): boolean {
    return this.table.info?.clock?.type === "days";
  }
  /** Whether both players are looking at a turn-based game, so that it is played live now. */
  readonly liveNow: boolean = $derived.by(() => this.turnBased && this.table.here.length === this.players && this.info.state === "playing");

  async attempt(action: Json, quiet = false): Promise<Refusal | null> {
    const refusal = await this.table.attempt(action);
    if (!quiet) this.refuse(refusal);
    return refusal;
  }

  /** Remember the present view. */
  keep(view: Json): void {
    const id = this.table.game?.game_id;
    if (id !== this.#pastOf) {
      this.#pastOf = id;
      this.#past = [];
      this.back = null;
    }
    if (!view) return;
    const text = JSON.stringify(view);
    if (this.#past.at(-1)?.text !== text) this.#past = [...this.#past, { view, text }].slice(-PAST_MOST);
  }

  /** How many steps there are to look back to. */
  get looks(): number {
    return Math.max(0, this.#past.length - 1);
  }

  /** Look one step back or forward; after the last step the present game is shown. */
  look(by: number): void {
    const last = this.#past.length - 1;
    const to = Math.max(0, (this.back ?? last) + by);
    if (last > 0) this.back = to >= last ? null : to;
  }

  async past(): Promise<Json[] | null> {
    try {
      const [{ rows }, { whole }] = await Promise.all([
        get<ReplayFrames>(`/tables/${this.table.id}/past`),
        import("../pages/replay/replayFrames"),
      ]);
      return whole(rows).map((frame) => frame.views[0]);
    } catch (wrong) {
      this.refuse(asRefusal(wrong));
      return null;
    }
  }

  get advises(): boolean {
    return this.mode === "play" && this.info.kind === "friendly" && !this.ofContest;
  }

  async advise(): Promise<Json | null> {
    const asked = this.ask?.id;
    try {
      const { action } = await post<Advice>(`/tables/${this.table.id}/advice`);
      return asked === this.ask?.id ? action : null; // the game has gone on meanwhile
    } catch (wrong) {
      this.refuse(asRefusal(wrong));
      return null;
    }
  }

  refuse(refusal: Refusal | null): void {
    this.refusal = refusal;
    if (refusal) {
      sound("soft");
      const sentence = this.whyNot(refusal);
      // Said once: by the alert that shows it, and here where none does.
      void shownNow().then(() => {
        const shown = [...document.querySelectorAll("[role=alert]")].some((one) => bare(one.textContent ?? "").includes(bare(sentence)));
        if (!shown) announce(sentence, true);
      });
    }
  }

  whyNot(refusal: Refusal): string {
    const { facts } = refusal;
    return why({ ...refusal, facts: (facts && this.module?.facts?.(facts, this)) ?? facts }, this.info.game);
  }

  hear(hearer: (told: Told[], caughtUp: boolean) => void): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  announce(sentence: string, urgent?: boolean | "turn"): void {
    announce(sentence, urgent);
  }

  async propose(what: "takeback" | "stop"): Promise<Refusal | null> {
    const refusal = await this.table.do({ t: "offer", what });
    this.refuse(refusal);
    return refusal;
  }

  get standing(): readonly string[] {
    return this.table.you.standing ?? [];
  }

  async stand(answers: readonly string[]): Promise<Refusal | null> {
    const refusal = await this.table.do({ t: "standing", answers: [...answers] });
    if (refusal) this.refuse(refusal);
    return refusal;
  }

  get prepared(): readonly (readonly Json[])[] {
    return this.table.you.prepared ?? [];
  }

  async prepare(lines: readonly (readonly Json[])[]): Promise<Refusal | null> {
    this.refuse(null);
    const refusal = await this.table.do({ t: "prepare", lines: lines.map((line) => [...line]) });
    if (refusal && refusal.code !== "STALE") this.refuse(refusal);
    return refusal;
  }

  async answer(offer: number, yes: boolean): Promise<Refusal | null> {
    const refusal = await this.table.do({ t: "answer", offer, yes });
    this.refuse(refusal);
    return refusal;
  }

  turnTo(page: Page): void {
    this.page = page;
    this.drawer = true;
    if (page === "chat") this.unread = 0;
  }

  /** Show a speech bubble beside a seat for a short time. */
  bubble(seat: number, text: string): void {
    const until = Date.now() + BUBBLE_MS;
    this.bubbles = [...this.bubbles.filter((one) => one.seat !== seat), { seat, text, until }];
    setTimeout(() => (this.bubbles = this.bubbles.filter((one) => one.until > Date.now())), BUBBLE_MS + 20);
  }

  /** Two notes when it is my turn and I may not be looking (DESIGN 2.3). */
  turned(): void {
    clearTimeout(this.#turnTimer);
    if (!this.ask) return;
    buzz();
    if (document.hidden) sound("turn");
    else {
      const id = this.ask.id;
      this.#turnTimer = window.setTimeout(() => {
        if (this.ask?.id === id) sound("turn");
      }, TURN_NOTE_MS);
    }
  }

  /** The sentence of an event of the hall or the game; null for events without one. */
  sentence(told: News): string | null {
    if (ofTable(told)) return tableSentence(told, this);
    const own = this.module?.tell?.(told, this);
    if (own !== undefined) return own;
    return this.say(`event.${told.e}`, { ...told, seat: typeof told.seat === "number" ? this.nameOf(told.seat) : told.seat });
  }

  #ended(told: Settled, caughtUp: boolean): void {
    const at = session.socket.now();
    this.againBy = caughtUp ? null : at + told.again;
    const { game, result } = this.table;
    if (!game || !result || this.table.look) return;
    // The seats, and behind them whoever was on the bench (P-63): a row each, as the points have.
    const mine = result.paid.findIndex((one) => one.seat === this.seat);
    remember({
      id: game.game_id,
      table: this.table.id,
      game: this.info.game,
      at,
      seat: mine < 0 ? null : mine,
      points: result.points,
      names: result.paid.map((one) => this.nameOf(one.seat)),
    });
  }

  /** Show that the others have not agreed to my offer, as a refusal (P-101). */
  #answered(told: OfferAnswered): void {
    const offer = this.#offered.get(told.offer);
    if (told.yes || !offer) return;
    const facts: Facts = { what: say(`offer.${offer.what}`) };
    if (told.seat === null) facts.case = "nobody";
    else {
      facts.name = this.nameOf(told.seat);
      if (["bot", "left"].includes(this.seats[told.seat]?.presence ?? "")) facts.case = "bot";
    }
    if (offer.seat === this.seat) this.refuse({ code: "ui.declined", facts });
  }

  #heard(told: News[], caughtUp: boolean): void {
    for (const one of this.table.offers) this.#offered.set(one.offer, one);
    for (const one of told) {
      if (!ofTable(one)) continue;
      if (one.e === "table.offered") this.#offered.set(one.offer, one);
      else if (one.e === "table.answered" && !caughtUp) this.#answered(one);
      else if (one.e === "table.shoulder" && !caughtUp) toasts.add(shared(one, this));
      else if (one.e === "table.prepared" && !caughtUp) toasts.add(say("event.table.prepared"));
    }
    for (const hearer of this.#hearers) hearer(told as Told[], caughtUp);
    if (this.#module) this.#write(told, caughtUp);
    else this.#early.push([told, caughtUp]);
  }

  #write(told: News[], caughtUp: boolean): void {
    const lines: LogLine[] = [];
    for (const one of told) {
      if (ofTable(one) && one.e === "game.created") this.log = [];
      if (ofTable(one) && one.e === "game.ended") this.#ended(one, caughtUp);
      const text = this.sentence(one);
      if (!text) continue;
      lines.push({ n: ++this.#lines, text, seat: "seat" in one && typeof one.seat === "number" ? one.seat : null });
      if (!caughtUp) announce(text);
    }
    if (lines.length) this.log = [...this.log, ...lines].slice(-LOG_MOST);
  }
}

/** Who looks over whose shoulder: all at the table are told (P-115). */
const shared = ({ seat, user }: Extract<TableNews, { e: "table.shoulder" }>, tableView: LiveTableView): string =>
  user
    ? say("event.table.shoulder", { name: tableView.nameOf(seat), other: user.name })
    : say("event.table.unshoulder", { name: tableView.nameOf(seat) });

/** A sentence without what only divides it: a part of it may stand in bold. */
const bare = (text: string): string => text.replace(/[\p{P}\s]/gu, "");

/** The hall's events of a table as sentences; events that are visible anyway have none. */
function tableSentence(told: TableNews, tableView: LiveTableView): string | null {
  const seat = "seat" in told && told.seat !== null ? told.seat + 1 : null;
  switch (told.e) {
    case "table.sat":
      return say("event.table.sat", { name: told.user?.name ?? botName(told.seat), seat });
    case "table.stood":
      return say("event.table.stood", { seat });
    case "table.swapped":
      return say("event.table.swapped");
    case "table.readied":
      return say(told.on ? "event.table.readied" : "event.table.unreadied", { seat });
    case "table.set":
      return say("event.table.set");
    case "table.offered":
      return say("event.table.offered", { seat, what: say(`offer.${told.what}`) });
    case "table.answered":
      return told.yes || seat === null ? null : say("event.table.declined", { seat });
    case "table.presence":
      return say("ui.presence_of", { name: tableView.nameOf(told.seat), state: say(`presence.${told.state}`) });
    case "table.shoulder":
      return shared(told, tableView);
    case "game.created":
      return tableView.module && told.commitment ? say("event.game.created", { deal: told.deal }) : null;
    case "game.undone":
      return say("event.game.undone");
    case "table.prepared":
      return say("event.table.prepared");
    default:
      return null;
  }
}

/** A time as people read it on a clock: 41:07, 1:02:03, under ten seconds 7.3, from a day on days and hours. */
export function clockText(ms: number | null): string {
  if (ms === null) return "∞";
  if (ms < 10_000 && ms > 0) return (Math.floor(ms / 100) / 10).toFixed(1);
  const s = Math.ceil(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  if (s >= 86_400) return say("ui.slow.days_hours", { d: Math.floor(s / 86_400), h: Math.floor((s % 86_400) / 3600) });
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`
    : `${two(Math.floor(s / 60))}:${two(s % 60)}`;
}
