// What is raised in a hand: how many of each card. Pure: every function returns a new choice.

export type Picked = Readonly<Record<string, number>>;

export const NOTHING: Picked = {};

/** Raise exactly k of a card, within 0 .. held. */
export function exactly(picked: Picked, card: string, k: number, held: number): Picked {
  const next = { ...picked };
  const kept = Math.max(0, Math.min(k, held));
  if (kept) next[card] = kept;
  else delete next[card];
  return next;
}

/** Raise one more; after the last comes none. */
export function more(picked: Picked, card: string, held: number): Picked {
  const now = picked[card] ?? 0;
  return exactly(picked, card, now >= held ? 0 : now + 1, held);
}

/** Raise one fewer. */
export const fewer = (picked: Picked, card: string, held: number): Picked => exactly(picked, card, (picked[card] ?? 0) - 1, held);

/** Raise all of a card, or none when all are raised already. */
export const allOrNone = (picked: Picked, card: string, held: number): Picked =>
  exactly(picked, card, (picked[card] ?? 0) >= held ? 0 : held, held);

/** Keep of a choice what a new hand still holds. */
export function within(picked: Picked, held: ReadonlyMap<string, number>): Picked {
  let next = picked;
  for (const [card, k] of Object.entries(picked)) {
    const most = held.get(card) ?? 0;
    if (k > most) next = exactly(next, card, most, most);
  }
  return next;
}

/** The cards of a choice, in the order of the ranks given. */
export const chosen = (picked: Picked, order: readonly string[]): string[] =>
  order.flatMap((card) => Array<string>(picked[card] ?? 0).fill(card));

/** The choice that a list of cards stands for. */
export function pickedOf(list: readonly string[]): Picked {
  const picked: Record<string, number> = {};
  for (const card of list) picked[card] = (picked[card] ?? 0) + 1;
  return picked;
}

export const size = (picked: Picked): number => Object.values(picked).reduce((sum, k) => sum + k, 0);

/** Are two choices the same? */
export const same = (a: Picked, b: Picked): boolean => size(a) === size(b) && Object.entries(a).every(([card, k]) => b[card] === k);
