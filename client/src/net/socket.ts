// The page's only socket (platform 13.1). It reconnects by itself, joins its tables where it left off, and repeats
// commands that had no answer. It knows no game and draws nothing.
import type { Join } from "./protocol.gen";
import type { Ack, Command, Err, Frame, Pong, Refusal, ServerMessage, Welcome } from "./protocol";

const PING_MS = 15_000; // as heart.worker.ts has it
const QUIET_MS = 1_500; // who plays pings when nothing has come for so long, to notice a node that stands still …
const CALM_MS = 5_000; // … and more seldom, down to this, while nothing but answers to pings comes
const PONG_MS = 8_000; // for anything to come after a ping, and for a line to open
const QUICK_MS = 5_000; // … for who plays, on a line that has answered in a quarter of it
// A line that says nothing may have come to a node that stands still, and nobody else can notice: another one is begun
// beside it, and the first that speaks is kept. One that is not open in time gives way to the next, since browsers open
// but one at a time; the first few soon, then twice as long each time.
const DOUBT_MS = 500; // for anything to come, until another line is begun …
const TRIPS = 6; // … or so many round trips, if that is longer
const WOKEN_MS = 1_000; // … and at most, when the page comes back: the line is made anew within 2 s (P-98)
const MOST_DOUBT_MS = 4_000;
const NEXT_MS = 200; // … and to open, until the next
const SOON = 10; // so many times: until another node leads where one stands still
const LOST_MS = 750; // … after a line that was lost: the hall may be looking for a node that leads, and everybody comes
const OPEN = 1; // of WebSocket.readyState
const BUSY_MS = 1_000; // until what the hall could not say is asked for again
const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 8_000;

/** The state of the line: `down` waits to try again, `out` will not reconnect by itself (4001, 4002). */
export type Line = "connecting" | "up" | "down" | "out";

/** How one looks on without a place of one's own. */
export type Look = NonNullable<Join["look"]>;

interface Waiting {
  cid: string;
  command: Command;
  sent: boolean;
  done: (refusal: Refusal | null) => void;
}
interface Joined {
  key?: string;
  look?: Look;
  ch?: string;
  after?: number;
}
type Listener = (message: ServerMessage) => void;

export interface LineEvents {
  line(state: Line, retryAt: number | null, why: string | null): void;
  welcome(message: Welcome): void;
  message: Listener;
}

/** cids and client seeds: URL-safe random text. */
export function randomText(length = 16): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte & 63]).join("");
}

export class Socket {
  private ws: WebSocket | null = null;
  private state: Line = "down";
  private fails = 0;
  private timer = 0;
  private watchdog = 0;
  private doubting = 0;
  private quiet = 0;
  private pongs = 0; // that came since anything else did
  private beside: WebSocket | null = null;
  private pings = 0;
  private pong: { now: number; came: number } | null = null;
  private readonly tables = new Map<number, Joined>();
  private readonly rooms = new Set<number>();
  private readonly lists = new Set<"cards" | "online">();
  private readonly chats = new Set<string>();
  private readonly reviews = new Set<string>();
  private readonly asking = new Set<string>(); // what is asked for again soon
  private readonly waiting = new Map<string, Waiting>();
  private restarting: string | null = null;
  private handed = false; // the hall said that another node goes on
  private wanted = false;
  /** Server clock − my clock, from the fastest recent round trip. */
  skew = 0;
  private bestTrip = Infinity;
  private lastTrip = Infinity;
  private pingAt = 0;

  constructor(
    private readonly events: LineEvents,
    private readonly lang: () => string,
    private readonly url: string = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  ) {
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.ws?.close());
    this.beat();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    });
  }

  /** Open the line, if it is not open. */
  start(): void {
    this.wanted = true;
    if (!this.ws && this.state !== "connecting") this.connect();
  }

  /** Close and reconnect at once, as the user of the present cookie. */
  again(): void {
    this.wanted = true;
    this.fails = 0;
    const old = this.ws;
    this.ws = null;
    old?.close();
    this.connect();
  }

  join(table: number, key?: string, look?: Look): void {
    const known = this.tables.get(table);
    if (known && (known.key ?? "") === (key ?? "") && known.look === look && this.state === "up" && known.ch) return;
    this.tables.set(table, { ...known, ...(key ? { key } : {}), ...(look ? { look } : {}) });
    this.send(this.joining(table));
  }

  leave(table: number): void {
    if (!this.tables.delete(table)) return;
    this.send({ t: "leave", table });
  }

  enter(room: number): void {
    this.rooms.add(room);
    this.send({ t: "enter", room });
  }

  exit(room: number): void {
    if (this.rooms.delete(room)) this.send({ t: "exit", room });
  }

  hear(to: string, on: boolean): void {
    if (on) this.chats.add(to);
    else if (!this.chats.delete(to)) return;
    this.send({ t: "hear", to, on });
  }

  follow(list: "cards" | "online", on: boolean): void {
    if (on) this.lists.add(list);
    else this.lists.delete(list);
    this.send({ t: "follow", list, on });
  }

  /** Follow a shared review of a finished game; its leader says so again and again. */
  review(key: string, on: boolean): void {
    if (on) this.reviews.add(key);
    else this.reviews.delete(key);
    this.send({ t: "review", key, on });
  }

  /** Send a message that gets no `ack`; it is lost when the line is down. */
  send(frame: Frame): void {
    if (this.state === "up") this.ws?.send(JSON.stringify(frame));
  }

  /** Send a command; resolves to null if it was carried out, else to the refusal. */
  command(command: Command): Promise<Refusal | null> {
    if (this.state !== "up") {
      // 13.1: while the line is down a queue of one.
      if ([...this.waiting.values()].some((one) => !one.sent)) return Promise.resolve({ code: "ui.offline_full", facts: {} });
      if (this.state === "out") return Promise.resolve({ code: "SIGN_IN", facts: {} });
    }
    return new Promise((done) => {
      const one: Waiting = { cid: randomText(), command, sent: false, done };
      this.waiting.set(one.cid, one);
      this.post(one);
    });
  }

  /** Join this table again from the last number, because the numbers do not match. */
  rejoin(table: number): void {
    if (this.tables.has(table)) this.send(this.joining(table));
  }

  /** Remember how far a table's channel has come. */
  mark(table: number, ch: string, seq: number): void {
    const known = this.tables.get(table);
    if (known) this.tables.set(table, { ...known, ch, after: seq });
  }

  /** The hall's clock, ms since 1970. */
  now(): number {
    return Date.now() + this.skew;
  }

  private joining(table: number): Frame {
    const { key, ch, after, look } = this.tables.get(table) ?? {};
    return { t: "join", table, ...(ch !== undefined ? { ch, after } : {}), ...(key ? { key } : {}), ...(look ? { look } : {}) };
  }

  private post(one: Waiting): void {
    if (this.state !== "up" || !this.ws) return;
    one.sent = true;
    this.ws.send(JSON.stringify({ ...one.command, cid: one.cid }));
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.set("connecting");
    this.sure();
    this.ws = this.dial();
    this.watch(PONG_MS);
    if (this.handed) this.doubt(NEXT_MS, SOON);
    else this.doubt(LOST_MS);
  }

  private dial(): WebSocket {
    const ws = new WebSocket(this.url);
    ws.onopen = () => {
      ws.send(JSON.stringify({ t: "hello", v: 1, lang: this.lang(), client: "web" } satisfies Frame));
      if (ws === this.ws) this.watch(PONG_MS);
    };
    ws.onmessage = (event) => {
      const message = JSON.parse(event.data as string) as ServerMessage;
      if (message.t === "welcome" && ws === this.beside) {
        this.hangUp(this.ws);
        this.ws = ws;
        this.beside = null;
      }
      if (ws === this.ws) this.take(message);
    };
    ws.onclose = (event) => {
      if (ws === this.beside)
        this.beside = null; // the next is due soon
      else if (ws === this.ws) this.closed(event.code);
    };
    return ws;
  }

  /** Begin another line in so long, and the next in as long; twice as long each time after so many. */
  private doubt(ms: number, times = 0, most = MOST_DOUBT_MS): void {
    clearTimeout(this.doubting);
    this.doubting = window.setTimeout(
      () => {
        const late = this.state === "up" ? this.beside : this.ws;
        if (late?.readyState !== OPEN) {
          this.hangUp(late);
          if (this.state === "up") this.beside = this.dial();
          else this.ws = this.dial();
        }
        if (times > 0) this.doubt(NEXT_MS, times - 1);
        else this.doubt(2 * ms);
      },
      Math.min(most, Math.max(ms, TRIPS * this.lastTrip)),
    );
  }

  /** The line has spoken, or is given up: no other one beside it is wanted. */
  private sure(): void {
    clearTimeout(this.doubting);
    this.hangUp(this.beside);
    this.beside = null;
  }

  private hangUp(ws: WebSocket | null): void {
    if (!ws) return;
    ws.onclose = null;
    ws.close();
  }

  private take(message: ServerMessage): void {
    this.unwatch();
    this.sure();
    this.pongs = message.t === "pong" ? this.pongs + 1 : 0;
    this.listen();
    switch (message.t) {
      case "welcome":
        this.welcome(message);
        return;
      case "ack":
        this.answered(message);
        break;
      case "err":
        this.answered(message);
        if (message.cid === null && message.code === "BUSY") this.askAgain(message.re, message.table);
        break;
      case "pong":
        this.ponged(message);
        return;
      case "rejoin":
        this.rejoin(message.table);
        return;
      case "bye":
        this.restarting = message.why;
        if (message.why === "signed_out") this.wanted = false;
        break;
      default:
        break;
    }
    this.events.message(message);
  }

  private welcome(message: Welcome): void {
    this.fails = 0;
    this.restarting = null;
    this.handed = false;
    this.bestTrip = Infinity;
    this.skew = message.now - Date.now();
    this.pong = null;
    this.set("up");
    this.events.welcome(message);
    for (const frame of this.followed()) this.send(frame);
    for (const one of this.waiting.values()) this.post(one);
    this.ping();
  }

  /** What a new line has to ask for. */
  private followed(): Frame[] {
    return [
      ...[...this.rooms].map((room) => ({ t: "enter", room }) as const),
      ...[...this.lists].map((list) => ({ t: "follow", list, on: true }) as const),
      ...[...this.chats].map((to) => ({ t: "hear", to, on: true }) as const),
      ...[...this.reviews].map((key) => ({ t: "review", key, on: true }) as const),
      ...[...this.tables.keys()].map((table) => this.joining(table)),
    ];
  }

  /** The hall could not say it just now, as while its database is away: without this a table would stand still. */
  private askAgain(re: string | null, table?: number): void {
    const name = `${re} ${table}`;
    if (this.asking.has(name)) return;
    this.asking.add(name);
    window.setTimeout(
      () => {
        this.asking.delete(name);
        for (const frame of this.followed()) if (frame.t === re && (frame.t !== "join" || frame.table === table)) this.send(frame);
      },
      BUSY_MS * (0.5 + Math.random()),
    );
  }

  private beat(): void {
    const pulse = () => {
      if (this.state === "up") this.ping();
    };
    try {
      const heart = new Worker(new URL("./heart.worker.ts", import.meta.url), { type: "module" });
      heart.onmessage = pulse;
      heart.onerror = () => setInterval(pulse, PING_MS);
    } catch {
      setInterval(pulse, PING_MS);
    }
  }

  private answered(message: Ack | Err): void {
    const one = message.cid === null ? undefined : this.waiting.get(message.cid);
    if (!one) return;
    this.waiting.delete(one.cid);
    one.done(message.t === "ack" ? null : { code: message.code, facts: message.facts ?? {} });
  }

  private ping(): void {
    const now = Date.now();
    const seen = this.pong ? { seen: this.pong.now, held: now - this.pong.came } : {};
    this.pingAt = now;
    this.send({ t: "ping", n: ++this.pings, ...seen });
    if (this.watchdog) return; // one is due already
    this.watch(this.plays() && 4 * this.bestTrip <= QUICK_MS ? QUICK_MS : PONG_MS);
    this.doubt(DOUBT_MS, SOON);
  }

  /** Ask after the line when nothing comes for a while. */
  private listen(): void {
    clearTimeout(this.quiet);
    const wait = Math.min(CALM_MS, QUIET_MS * 2 ** this.pongs);
    this.quiet = window.setTimeout(() => {
      if (this.state === "up" && this.plays()) this.ping();
    }, wait);
  }

  private plays(): boolean {
    return this.tables.size > 0 && document.visibilityState === "visible";
  }

  private ponged(message: Pong): void {
    const came = Date.now();
    this.pong = { now: message.now, came };
    const trip = came - this.pingAt;
    if (message.n !== this.pings) return;
    this.lastTrip = trip;
    if (trip <= this.bestTrip * 1.5) {
      this.bestTrip = Math.min(this.bestTrip, trip);
      this.skew = message.now + trip / 2 - came;
    }
  }

  /** Treat the line as dead when nothing has come for too long. */
  private watch(ms: number): void {
    clearTimeout(this.watchdog);
    this.watchdog = window.setTimeout(() => this.drop(), ms);
  }

  private unwatch(): void {
    clearTimeout(this.watchdog);
    this.watchdog = 0;
  }

  private drop(): void {
    if (!this.ws) return;
    this.hangUp(this.ws);
    this.sure();
    this.closed(1006);
  }

  private closed(code: number): void {
    this.ws = null;
    this.unwatch();
    if (code === 4001 || code === 4002) {
      this.wanted = false;
      for (const one of [...this.waiting.values()]) {
        this.waiting.delete(one.cid);
        one.done({ code: "SIGN_IN", facts: {} });
      }
      this.sure();
      this.set("out", null, code === 4002 ? "version" : "signed_out");
      return;
    }
    if (!this.wanted) {
      this.sure();
      this.set("out", null, this.restarting);
      return;
    }
    if (this.beside) {
      this.ws = this.beside; // one is on its way already
      this.beside = null;
      this.set("connecting");
      this.watch(PONG_MS);
      return;
    }
    this.sure();
    if (code === 1012 && this.fails === 0) {
      // Another node of the hall goes on: there at once, and there is nothing to say.
      this.fails++;
      this.handed = true;
      this.set("connecting");
      this.timer = window.setTimeout(() => this.connect(), FIRST_WAIT_MS * Math.random());
      return;
    }
    this.handed = false;
    const most = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.fails++);
    const wait = most * (0.5 + Math.random() / 2);
    this.set("down", Date.now() + wait, this.restarting);
    this.timer = window.setTimeout(() => this.connect(), wait);
  }

  /** The page is visible again or the network is back: reconnect at once. */
  hurry(): void {
    if (!this.wanted) return;
    this.fails = 0;
    if (this.state === "down") this.connect();
    else if (this.state === "connecting")
      this.again(); // it may have fallen asleep on the way
    else {
      this.ping();
      if (!this.beside) this.doubt(DOUBT_MS, SOON, WOKEN_MS);
    }
  }

  private set(state: Line, retryAt: number | null = null, why: string | null = null): void {
    this.state = state;
    this.events.line(state, retryAt, why);
  }
}
