// What a page shows comes from one call: on its way, here, or refused; lists come a page of rows at a time (P-5).
import { asRefusal, get } from "../../net/http";
import type { Json, Refusal } from "../../net/protocol";
import { session } from "../../net/session.svelte";
import { prefs } from "../../shell/prefs.svelte";

type Rows = { rows: readonly Json[]; next?: string | null };
const MOST = 200; // rows in one answer (platform 13.2)

export class Loaded<T> {
  value: T | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  busy = $state(false);
  #path = "";

  /** Fetch; what is shown stays until the answer is there, unless it is of another address. */
  async load(path: string): Promise<void> {
    if (path !== this.#path) this.value = null;
    this.#path = path;
    await this.fetch(this.first(path), (found) => (this.value = found as T));
  }

  again(): void {
    this.refusal = null;
    if (this.#path) void this.load(this.#path);
  }

  /** The address that is asked first for this one. */
  protected first(path: string): string {
    return path;
  }

  protected get path(): string {
    return this.#path;
  }

  protected async fetch(path: string, take: (found: Json) => void): Promise<void> {
    const of = this.#path;
    this.busy = true;
    try {
      const found = await get(path);
      if (of !== this.#path) return;
      take(found);
      this.refusal = null;
    } catch (wrong) {
      if (of === this.#path) this.refusal = asRefusal(wrong);
    } finally {
      if (of === this.#path) this.busy = false;
    }
  }
}

/** A list: so many rows at first as one has chosen to see on a page, then as many more each time. */
export class Listed<T extends Rows> extends Loaded<T> {
  readonly #head: number;
  #pages = 0;

  /** head: where the list is only one part of a page it begins with no more rows than these. */
  constructor(head = MOST) {
    super();
    this.#head = head;
  }

  override async load(path: string): Promise<void> {
    if (path !== this.path) this.#pages = 0;
    await super.load(path);
  }

  /** The rows after the last one shown. */
  async more(): Promise<void> {
    const have = this.value;
    if (!have?.next || this.busy) return;
    const path = `${asking(this.path, prefs.all.rows)}&after=${encodeURIComponent(have.next)}`;
    await this.fetch(path, (found) => {
      this.value = { ...found, rows: [...have.rows, ...found.rows] };
      this.#pages += 1;
    });
  }

  /** What is asked again brings as many pages as are shown. */
  protected override first(path: string): string {
    const { rows } = prefs.all;
    return asking(path, Math.min(MOST, Math.min(this.#head, rows) + this.#pages * rows));
  }
}

const asking = (path: string, rows: number): string => `${path}${path.includes("?") ? "&" : "?"}limit=${rows}`;

/** Has the hall said yet who I am? */
export const greeted = (): boolean => session.server !== "";
export const isUser = (): boolean => session.user?.kind === "user";
/** Of the whole hall or of a room. */
export const isModerator = (): boolean => session.moderates || session.ownRooms.length > 0;
export const isAdmin = (): boolean => session.me?.role === "admin";
/** Does this hall have coins? Who is not signed in as a user cannot know, and need not. */
export const hasCoins = (): boolean => typeof session.me?.coins === "number" && isUser();
