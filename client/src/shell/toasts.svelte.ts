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
}

class Toasts {
  list: Toast[] = $state([]);
  #next = 1;

  add(text: string, how: { action?: Toast["action"]; stays?: boolean; about?: string } = {}): number {
    const id = this.#next++;
    this.list = [...this.list.filter((one) => one.text !== text), { id, text, action: how.action, stays: how.stays ?? false, about: how.about }].slice(-2);
    if (!how.stays) setTimeout(() => this.drop(id), 4000);
    announce(text);
    return id;
  }

  drop(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  /** What a page shows need not be told any more: a word about it can come before the page does. */
  arrive(page: string): void {
    if (this.list.some((one) => one.about === page)) this.list = this.list.filter((one) => one.about !== page);
  }
}

export const toasts = new Toasts();

/** Say why the hall refused, with a way to try again where there is one. */
export function refuse(refusal: Refusal | null, game?: string, again?: { label: string; run: () => void }): boolean {
  if (!refusal) return false;
  sound("soft");
  toasts.add(why(refusal, game), { action: again, stays: true });
  return true;
}
