// The three ways a stacked hand may be sorted (DESIGN 6).

export type Sort = "rising" | "falling" | "count";
export const SORTS: readonly Sort[] = ["rising", "falling", "count"];

/** Columns of a hand: its different cards, sorted. `order` is low to high, marked cards in places of their own. */
export function columns(held: ReadonlyMap<string, number>, order: readonly string[], sort: Sort): string[] {
  const present = order.filter((card) => (held.get(card) ?? 0) > 0);
  if (sort === "falling") return present.reverse();
  if (sort === "count") return present.sort((a, b) => held.get(b)! - held.get(a)! || order.indexOf(a) - order.indexOf(b));
  return present;
}
