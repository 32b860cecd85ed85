// What I take the others for: a note of mine to each seat of a deal, in this tab alone. The hall hears nothing of it.
const KEY = "qipai.marks";

interface Kept {
  game: string;
  seats: Record<number, string>;
}

let kept: Kept = $state.raw(read());

/** The mark I have put on a seat of this deal; null: none. */
export const marked = (game: string, seat: number): string | null => (kept.game === game ? (kept.seats[seat] ?? null) : null);

/** Put the next mark of these on a seat, after the last none; return it. */
export function markNext(game: string, seat: number, ids: readonly string[]): string | null {
  const now = marked(game, seat);
  const next = ids[now === null ? 0 : ids.indexOf(now) + 1] ?? null;
  const seats = kept.game === game ? { ...kept.seats } : {};
  if (next === null) delete seats[seat];
  else seats[seat] = next;
  kept = { game, seats };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Then a reload forgets it.
  }
  return next;
}

function read(): Kept {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null) ?? { game: "", seats: {} };
  } catch {
    return { game: "", seats: {} };
  }
}
