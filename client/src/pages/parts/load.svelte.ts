// What a page shows comes from one call: on its way, here, or refused; lists come fifty rows at a time.
import { asRefusal, get } from "../../net/http";
import type { Json, Refusal } from "../../net/protocol";
import { session } from "../../net/session.svelte";

type Rows = { rows: Json[]; next: string | null };

export class Loaded<T> {
  value: T | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  busy = $state(false);
  #path = "";

  /** Fetch; what is shown stays until the answer is there, unless it is of another address. */
  async load(path: string): Promise<void> {
    if (path !== this.#path) this.value = null;
    this.#path = path;
    await this.#fetch(path, (found) => (this.value = found as T));
  }

  again(): void {
    this.refusal = null;
    if (this.#path) void this.load(this.#path);
  }

  /** The rows after the last one shown. */
  async more(): Promise<void> {
    const have = this.value as Rows | null;
    if (!have?.next || this.busy) return;
    const path = `${this.#path}${this.#path.includes("?") ? "&" : "?"}after=${encodeURIComponent(have.next)}`;
    await this.#fetch(path, (found) => (this.value = { ...found, rows: [...have.rows, ...found.rows] } as T));
  }

  async #fetch(path: string, take: (found: Json) => void): Promise<void> {
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

/** Has the hall said yet who I am? */
export const greeted = (): boolean => session.server !== "";
export const isUser = (): boolean => session.user?.kind === "user";
export const isModerator = (): boolean => session.moderates;
export const isAdmin = (): boolean => session.me?.role === "admin";
/** Does this hall have coins? Who is not signed in as a user cannot know, and need not. */
export const hasCoins = (): boolean => typeof session.me?.coins === "number" && isUser();
