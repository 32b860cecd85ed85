// A room as received on the socket: first all of it, then the rows that change (13.1 `room`, `room_ev`).
import type { Chat, Person, Refusal, RoomInfo, RoomTable, ServerMessage } from "./protocol";
import { session } from "./session.svelte";

/** How many pages use a room: a page that closes must not leave the room while the next one opens. */
const lookers = new Map<number, number>();

export class Room {
  readonly id: number;
  info: RoomInfo | null = $state.raw(null);
  tables: RoomTable[] = $state.raw([]);
  people: Person[] = $state.raw([]);
  chat: Chat[] = $state.raw([]);
  /** Seconds between two lines of one person, 0: no such rule. */
  slow = $state(0);
  refused: Refusal | null = $state.raw(null);
  /** A song begins. */
  onsong?: (line: Chat) => void;
  #stop: () => void;

  constructor(id: number) {
    this.id = id;
    this.#stop = session.listen((message) => this.#take(message));
    lookers.set(id, (lookers.get(id) ?? 0) + 1);
    session.socket.enter(id);
  }

  /** Enter again. */
  again(): void {
    this.refused = null;
    session.socket.enter(this.id);
  }

  close(): void {
    this.#stop();
    const left = (lookers.get(this.id) ?? 1) - 1;
    lookers.set(this.id, left);
    if (left <= 0) session.socket.exit(this.id);
  }

  #take(message: ServerMessage): void {
    if (message.t === "room" && message.room === this.id) {
      this.info = message.info;
      this.tables = [...message.tables].sort((a, b) => a.no - b.no);
      this.people = message.people;
      this.chat = message.chat;
      this.slow = message.slow;
      this.refused = null;
    } else if (message.t === "room_ev" && message.room === this.id) {
      if (message.info) this.info = message.info;
      if (message.tables || message.gone) {
        const fresh = new Map(this.tables.map((one) => [one.table, one]));
        for (const id of message.gone?.tables ?? []) fresh.delete(id);
        for (const one of message.tables ?? []) fresh.set(one.table, one);
        this.tables = [...fresh.values()].sort((a, b) => a.no - b.no);
      }
      if (message.people || message.gone) {
        const fresh = new Map(this.people.map((one) => [one.user.id, one]));
        for (const id of message.gone?.people ?? []) fresh.delete(id);
        for (const one of message.people ?? []) fresh.set(one.user.id, one);
        this.people = [...fresh.values()];
      }
    } else if (message.t === "talk" && message.to === `room:${this.id}`) {
      this.slow = message.slow;
    } else if (message.t === "chat" && message.to === `room:${this.id}`) {
      if (message.removed) {
        this.chat = this.chat.filter((line) => line.id !== message.id);
        return;
      }
      // What the hall says by itself has no number.
      this.chat = [...this.chat.filter((line) => line.id !== message.id || line.id === 0), message].slice(-200);
      if (message.code === "song") this.onsong?.(message);
    } else if (message.t === "err" && message.cid === null && message.re === "enter") {
      this.refused = { code: message.code, facts: message.facts ?? {} };
    }
  }
}
