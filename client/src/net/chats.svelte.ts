// A chat room as received on the socket: first the lines in view, then each as it is said (13.1 `hear`, `talk`, `chat`).
import type { Chat, Refusal, ServerMessage } from "./protocol";
import { session } from "./session.svelte";

const MOST = 200;

export class ChatRoom {
  readonly to: string;
  lines: Chat[] = $state.raw([]);
  slow = $state(0);
  people = $state(0);
  /** Whether the lines in view have come. */
  here = $state(false);
  refused: Refusal | null = $state.raw(null);
  #stop: () => void;

  constructor(to: string) {
    this.to = to;
    this.#stop = session.listen((message) => this.#take(message));
    session.socket.hear(to, true);
  }

  close(): void {
    this.#stop();
    session.socket.hear(this.to, false);
  }

  #take(message: ServerMessage): void {
    if (message.t === "talk" && message.to === this.to) {
      this.slow = message.slow;
      this.people = message.people;
      if (message.chat) {
        this.lines = message.chat;
        this.here = true;
        this.refused = null;
      }
    } else if (message.t === "chat" && message.to === this.to) {
      const others = this.lines.filter((line) => line.id !== message.id);
      this.lines = message.removed ? others : [...others, message].slice(-MOST);
    } else if (message.t === "err" && message.cid === null && message.re === "hear") {
      this.refused = { code: message.code, facts: message.facts ?? {} };
    }
  }
}
