// The tables of card games in all rooms as the socket tells of them (P-72): first all, then the rows that change.
import type { CardTable } from "./protocol.gen";
import { session } from "./session.svelte";

export class CardTables {
  /** By number; null: the hall has not told yet. */
  rows: CardTable[] | null = $state.raw(null);
  #stop: () => void;

  constructor() {
    this.#stop = session.listen((message) => {
      if (message.t !== "list" || message.list !== "cards") return;
      const known = new Map(message.whole ? [] : (this.rows ?? []).map((one) => [one.table, one]));
      for (const id of message.gone) known.delete(id);
      for (const one of message.rows as CardTable[]) known.set(one.table, one);
      this.rows = [...known.values()].sort((a, b) => a.table - b.table);
    });
    session.socket.follow("cards", true);
  }

  close(): void {
    this.#stop();
    session.socket.follow("cards", false);
  }
}
