// A shared review (P-90): what its leader looks at comes over the line; what I look at goes out while I lead.
import { untrack } from "svelte";
import { asRefusal, get, post } from "../../net/http";
import type { Json, Refusal } from "../../net/protocol";
import type { OpenSeats, OpenSeat, ReplayFrames, ReviewNews, ReviewPage, Tried } from "../../net/protocol.gen";
import { session } from "../../net/session.svelte";
import { randomText } from "../../net/socket";
import { refuse } from "../../shell/toasts.svelte";
import type { Frame } from "../../table/game";
import { whole } from "./replayFrames";
import type { ReplayTableView } from "./tableView.svelte";

const ALIVE_MS = 10_000; // so often a leader says that they are still there
const STEP_MS = 250; // no more steps than one in this time go out

export class Shared {
  page: ReviewPage | null = $state.raw(null);
  following = $state(true);
  /** Whoever may move where I try something; null: I do not. */
  trying: readonly OpenSeat[] | null = $state.raw(null);
  busy = $state(false);
  #view: ReplayTableView | null = null;
  #record: readonly Frame[] = [];
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #laid = 0;
  #tried = "";
  #cid = "";

  constructor(readonly key: string) {}

  get path(): string {
    return `/review/${encodeURIComponent(this.key)}`;
  }
  get leads(): boolean {
    return this.page?.mine ?? false;
  }

  /** Follow it with a table until the answer is called. */
  watch(view: ReplayTableView): () => void {
    this.#view = view;
    this.#record = untrack(() => view.frames);
    view.onAct = (action) => this.move(action);
    const stop = session.listen((message) => {
      if (message.t === "review" && message.key === this.key) void this.#news(message);
    });
    session.socket.review(this.key, true);
    void this.load();
    const alive = setInterval(() => {
      if (this.leads) session.socket.review(this.key, true);
      else void this.load();
    }, ALIVE_MS);
    const steps = $effect.root(() => {
      $effect(() => {
        if (this.leads) this.#step(view.line, view.frame.done);
      });
      $effect(() => {
        void view.n;
        void view.line;
        untrack(() => this.#moved());
      });
    });
    return () => {
      steps();
      stop();
      clearInterval(alive);
      clearTimeout(this.#timer);
      session.socket.review(this.key, false);
    };
  }

  async load(): Promise<void> {
    try {
      const first = this.page === null;
      const mine = this.leads;
      this.page = await get<ReviewPage>(this.path);
      if (first || (!this.leads && (mine || this.following))) await this.lay(this.page.line, this.page.n);
    } catch (wrong) {
      refuse(asRefusal(wrong));
    }
  }

  async #news(news: ReviewNews): Promise<void> {
    const page = this.page;
    if (!page) return;
    this.page = { ...page, line: news.line, n: news.n };
    const told =
      news.lines !== page.lines.length ||
      news.playing !== page.lines.filter((line) => line.playing).length ||
      news.said !== (page.talk.at(-1)?.id ?? 0) ||
      news.leader !== (page.leader?.id ?? null) ||
      news.asks.join() !== page.asks.map((user) => user.id).join();
    if (told) await this.load();
    else if (!this.leads && this.following) await this.lay(news.line, news.n);
  }

  /** Show a moment of a line. */
  async lay(line: number, n: number): Promise<void> {
    const view = this.#view;
    if (!view) return;
    const turn = ++this.#laid;
    try {
      const frames =
        line === 0
          ? this.#record
          : whole((await get<ReplayFrames>(`${this.path}/lines/${line}/steps`)).rows as Parameters<typeof whole>[0]);
      if (turn === this.#laid) view.lay(line, frames, n);
    } catch (wrong) {
      refuse(asRefusal(wrong));
    }
  }

  #step(line: number, n: number): void {
    const now = `${line} ${n}`;
    if (now === this.#sent) return;
    if (!this.#sent && line === this.page?.line && n === this.page.n) {
      this.#sent = now;
      return;
    }
    this.#sent = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void post(`${this.path}/step`, { line, n }).catch((wrong) => refuse(asRefusal(wrong))), STEP_MS);
  }

  /** Elsewhere nobody is asked what they were asked before. */
  #moved(): void {
    if (!this.trying) return;
    this.trying = null;
    this.#view?.invite(null);
  }

  /** Let me move for whoever may, where I look. */
  async attempt(): Promise<void> {
    const view = this.#view;
    if (!view) return;
    try {
      const { rows } = await get<OpenSeats>(`${this.path}/lines/${view.line}/open?n=${view.frame.done}`);
      this.trying = rows;
      const first = rows.find((row) => row.seat === view.viewpoint) ?? rows[0];
      if (first) view.invite(first as never);
    } catch (wrong) {
      refuse(asRefusal(wrong));
    }
  }

  end(): void {
    this.trying = null;
    this.#view?.invite(null);
  }

  async move(action: Json): Promise<Refusal | null> {
    const view = this.#view;
    const seat = view?.seat;
    if (!view || seat === null || seat === undefined || !this.trying) return null;
    this.busy = true;
    // The same try again, where its answer was lost, is not another move.
    const tried = JSON.stringify([view.line, view.frame.done, seat, action]);
    if (tried !== this.#tried) [this.#tried, this.#cid] = [tried, randomText()];
    try {
      const body = { line: view.line, n: view.frame.done, seat, action, cid: this.#cid };
      const { line, n } = await post<Tried>(`${this.path}/moves`, body);
      this.#tried = "";
      this.trying = null;
      view.invite(null);
      this.#sent = `${line} ${n}`;
      await this.lay(line, n);
      await this.load();
      return null;
    } catch (wrong) {
      return asRefusal(wrong);
    } finally {
      this.busy = false;
    }
  }

  /** Show all who follow a game that somebody has gone on with from the record. */
  async showBranch(game: string): Promise<void> {
    this.busy = true;
    try {
      const { line, n } = await post<Tried>(`${this.path}/branches`, { game });
      this.#sent = `${line} ${n}`;
      await this.load();
      await this.lay(line, n);
    } catch (wrong) {
      refuse(asRefusal(wrong));
    } finally {
      this.busy = false;
    }
  }

  /** Do something and see what has come of it. */
  async does(path: string, body: Json): Promise<boolean> {
    this.busy = true;
    try {
      await post(`${this.path}/${path}`, body);
      await this.load();
      return true;
    } catch (wrong) {
      refuse(asRefusal(wrong));
      return false;
    } finally {
      this.busy = false;
    }
  }
}
