// Who I am, and the one line to the hall.
import { lang } from "../lang.svelte";
import { prefs } from "../shell/prefs.svelte";
import { get, patch, post, Refused } from "./http";
import type { Json, Note, ServerMessage, User, Welcome } from "./protocol";
import { type Line, Socket } from "./socket";

type Listener = (message: ServerMessage) => void;

class Session {
  user: User | null = $state(null);
  /** GET /me: scores, tables, settings. */
  me: Json = $state.raw(null);
  /** Where I sit, from the last welcome and later messages. */
  tables: number[] = $state([]);
  counts: Note["counts"] = $state({ turns: 0, invites: 0, mail: 0, news: 0 });
  /** How many open invitations of others I can see. */
  invitations = $state(0);
  line: Line = $state("connecting");
  /** When the line goes up again by itself, ms since 1970 by my own clock; why the hall went away, when it said so. */
  retryAt: number | null = $state(null);
  away: string | null = $state(null);
  downSince: number | null = $state(null);
  server: string = $state("");
  readonly socket: Socket;
  #listeners = new Set<Listener>();
  /** Resolved when the hall has first said who I am. */
  #greeted: Promise<void>;
  #greet: () => void = () => undefined;
  /** Resolved when I know what is mine, as whom the hall has greeted. */
  #known: Promise<void> = Promise.resolve();

  constructor() {
    this.#greeted = new Promise((done) => (this.#greet = done));
    this.socket = new Socket(
      {
        line: (state, retryAt, why) => this.#lineIs(state, retryAt, why),
        welcome: (message) => this.#welcomed(message),
        message: (message) => {
          if (message.t === "note") {
            this.counts = message.counts;
          }
          for (const listener of this.#listeners) listener(message);
        },
      },
      () => lang.now,
    );
  }

  /** Open the line; its first answer says who I am. */
  begin(): void {
    prefs.sendTo((changed) => {
      if (this.user) void patch("/me/settings", changed).catch(() => undefined);
    });
    this.socket.start();
  }

  /** Whether I am a moderator of the whole hall. */
  get moderates(): boolean {
    return this.me?.role === "moderator" || this.me?.role === "admin";
  }
  /** The rooms whose moderator I am. */
  get ownRooms(): number[] {
    return this.me?.moderates ?? [];
  }
  /** Whether I may moderate this room: as a moderator of the hall or of the room. */
  keeps(room: number | null): boolean {
    return this.moderates || (room !== null && this.ownRooms.includes(room));
  }

  /** Which of these players I have blocked (P-11). */
  foes(seats: readonly { user?: User | null }[]): string[] {
    const blocked: readonly number[] = this.me?.blocked ?? [];
    return seats.flatMap((one) => (one.user && blocked.includes(one.user.id) ? [one.user.name] : []));
  }

  async refresh(): Promise<void> {
    try {
      this.me = await get("/me");
      this.user = this.me?.user ?? null;
      this.counts = this.me?.counts ?? this.counts;
      this.invitations = this.me?.invitations ?? 0;
      if (!this.me?.settings) return;
      prefs.take(this.me.settings);
      const tongue = prefs.all.lang;
      if (tongue && tongue !== lang.now) await lang.use(tongue);
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
      if (wrong.status === 401) this.me = this.user = null;
    }
  }

  /** Sign in as a guest if nobody is signed in (P-3), and load my data, including whom I have blocked. */
  async ensure(): Promise<User> {
    await Promise.race([this.#greeted, new Promise((done) => setTimeout(done, 3000))]);
    await this.#known.catch(() => undefined);
    if (!this.user) {
      const { user } = await post<{ user: User }>("/guest", { lang: lang.now });
      await this.became(user);
    }
    return this.user as unknown as User;
  }

  /** The cookie has changed, so reconnect. */
  async became(user: User | null): Promise<void> {
    this.user = user;
    this.me = null;
    this.socket.again();
    if (user) await this.refresh();
  }

  /** I am called something else now. */
  called(user: User): void {
    this.user = user;
    if (this.me) this.me = { ...this.me, user };
  }

  async signOut(confirm = false, everywhere = false): Promise<void> {
    await post("/logout", { confirm, everywhere });
    this.tables = [];
    await this.became(null);
  }

  /** I have sat down at a table, or left it. */
  sits(table: number, on: boolean): void {
    if (on === this.tables.includes(table)) return;
    this.tables = on ? [...this.tables, table] : this.tables.filter((one) => one !== table);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #lineIs(state: Line, retryAt: number | null, why: string | null): void {
    this.line = state;
    this.retryAt = retryAt;
    this.away = why;
    if (state === "up") this.downSince = null;
    else if (state === "down") this.downSince ??= Date.now();
  }

  #welcomed(message: Welcome): void {
    this.tables = message.tables;
    this.server = message.server;
    // A visitor without a cookie has no user; neither does one whose cookie has ended.
    const known = this.user?.id === message.user?.id && this.me !== null;
    this.user = message.user;
    if (!message.user) this.me = null;
    else if (!known) this.#known = this.refresh();
    this.#greet();
  }
}

export const session = new Session();
