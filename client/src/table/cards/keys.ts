// The single keys of DESIGN 11 that all games of cards share.
import { NOTHING } from "../../kit/hand/pick";
import type { HandModel } from "./handModel.svelte";

/** Use a key; own: what the game has besides, by letter. Whatever is left goes to the hand. */
export function cardKey(model: HandModel<any, any, any>, event: KeyboardEvent, own: Record<string, () => unknown> = {}): boolean {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const mine = own[key];
  if (mine) {
    mine();
    return true;
  }
  switch (key) {
    case "Enter":
      if ((event.target as Element | null)?.closest("button, a")) return false;
      if (model.ready) void model.play();
      else model.prepareCards();
      return true;
    case "Escape":
      if (model.prepared && model.prepares) void model.prepare(null);
      else if (!model.size) return false;
      model.pick(NOTHING);
      return true;
    case "p":
      if (model.prepares) model.preparePass();
      else model.letGo?.run();
      return true;
    case "h":
      model.nextHint();
      return true;
    case "s":
      model.nextSort();
      return true;
    case "l":
      model.again = !model.again;
      return true;
    default:
      return model.handKey(event);
  }
}

/** The lines of the `?` page for them: the columns of a stacked hand, then what may be done. */
export const CARD_KEYS: [string, string][] = [
  ["← →", "cards.key_column"],
  ["↑ ↓", "cards.key_more"],
  ["1–9", "cards.key_exactly"],
  ["A", "cards.key_all"],
  ["↵", "cards.key_play"],
  ["P", "cards.key_pass"],
  ["H", "cards.key_hint"],
  ["S", "cards.key_sort"],
  ["L", "cards.key_last"],
  ["Esc", "cards.key_down"],
];
