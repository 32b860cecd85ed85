// What one finds on coming in (P-64): my tables, whose turn, friends who are here. Asked anew when something is told.
import { get, Refused } from "./http";
import type { Home } from "./protocol.gen";
import { session } from "./session.svelte";

const EVERY_MS = 15_000;

class Mine {
  value: Home | null = $state.raw(null);
  /** The hall's clock less mine, ms, when it was last asked. */
  skew = 0;

  #busy = false;
  #again = false;

  /** Ask the hall; who asks while an answer is on its way gets the one after it. */
  async load(): Promise<void> {
    if (!session.user) {
      this.value = null;
      return;
    }
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      do {
        this.#again = false;
        await this.#ask(session.user?.id);
      } while (this.#again && session.user);
    } finally {
      this.#busy = false;
    }
  }

  async #ask(user: number | undefined): Promise<void> {
    try {
      const found = await get<Home>("/home");
      if (session.user?.id !== user) return;
      this.skew = found.now - Date.now();
      this.value = found;
      session.invitations = found.waiting;
      const turns = found.tables.filter((one) => one.turn).length;
      if (session.counts.turns !== turns) session.counts = { ...session.counts, turns };
    } catch (wrong) {
      if (!(wrong instanceof Refused)) throw wrong;
    }
  }

  /** Keep it fresh while a page shows it: at every note, when I sit down or get up, and now and then; the answer ends it. */
  watch(): () => void {
    const stop = session.listen((message) => {
      if (message.t === "note") void this.load();
    });
    const timer = setInterval(() => {
      if (!document.hidden && session.tables.length) void this.load();
    }, EVERY_MS);
    void this.load();
    return () => {
      stop();
      clearInterval(timer);
    };
  }
}

export const home = new Mine();
