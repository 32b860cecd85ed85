// Short words at the lower edge (DESIGN 4): four seconds, two at most; what the hall refuses stays until it is closed.
import { why } from "../lang.svelte";
import type { Refusal } from "../net/protocol";
import { announce } from "./live.svelte";
import { sound } from "./sound";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
  stays: boolean;
  about?: string; // the page where this is seen anyway
  no?: number; // when it was refused: on the next page it is of no use
}

class Toasts {
  list: Toast[] = $state([]);
  #next = 1;

  add(text: string, how: { action?: Toast["action"]; stays?: boolean; about?: string; no?: number } = {}): number {
    const id = this.#next++;
    this.list = [
      ...this.list.filter((one) => one.text !== text),
      { id, text, action: how.action, stays: how.stays ?? false, about: how.about, no: how.no },
    ].slice(-2);
    if (!how.stays) setTimeout(() => this.drop(id), 4000);
    announce(text);
    return id;
  }

  drop(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  /** What a page shows need not be told any more: a word about it can come before the page does. Old refusals go, too. */
  arrive(page: string): void {
    const gone = (one: Toast) => one.about === page || (one.no !== undefined && Date.now() - one.no > 2000);
    if (this.list.some(gone)) this.list = this.list.filter((one) => !gone(one));
  }

  /** The moment is over: refusals of before are of no use any more. turned: nor is what was said of the window. */
  pass(turned = false): void {
    const gone = (one: Toast) => (one.no === undefined ? turned && !one.stays && !one.action : Date.now() - one.no > 2000);
    if (this.list.some(gone)) this.list = this.list.filter((one) => !gone(one));
  }
}

export const toasts = new Toasts();

/** Say why the hall refused, with a way to try again where there is one. */
export function refuse(refusal: Refusal | null, game?: string, again?: { label: string; run: () => void }): boolean {
  if (!refusal) return false;
  sound("soft");
  // Haste is over by itself, and a lost line has a strip of its own.
  const passes = refusal.facts?.wait_ms || refusal.code === "ui.offline";
  toasts.add(why(refusal, game), { action: again, stays: !passes, no: Date.now() });
  return true;
}
