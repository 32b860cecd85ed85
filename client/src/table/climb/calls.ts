// What is called in every climbing game.
import type { Call } from "../../shell/sound";
import type { ClimbView } from "./handModel.svelte";

/** 出牌: it is for me to lead. */
export const leads = (one: { leader: number | null }, { seat }: { seat: number | null }): Call | null =>
  seat !== null && one.leader === seat ? "lead" : null;

/** Has a seat, by this set, no more than n cards left? Only where the viewer sees how many it holds. */
export function few(one: { seat: number; cards: string }, { view }: { view: ClimbView | null }, n: number): boolean {
  const left = view?.counts[one.seat] ?? 0;
  return left > 0 && left <= n && left + [...one.cards].length > n;
}
