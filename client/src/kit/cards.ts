// Cards as the wire writes them: a rank, for marked cards a star behind it ("x*"), where suits count a suit ("TH").

export type Suit = "s" | "h" | "c" | "d";

export interface Face {
  rank: string; // as it is drawn: "10", not "T"; "" for a joker
  joker: "small" | "big" | null;
  mark: "crown" | "sword" | null; // baohuang: the emperor's card, the guard's
  suit: Suit; // where suits do not count, the one it is drawn with
}

const SUITS: readonly Suit[] = ["s", "h", "c", "d"];

/** Cut a string of cards into single cards. */
export function cards(text: string | null | undefined): string[] {
  return text?.match(/[0-9TJQKAxX][SHCD]?\*?/g) ?? [];
}

/** Join cards into the string that the wire wants; the server sorts. */
export const joined = (list: readonly string[]): string => list.join("");

/** Count cards by name, in the order in which they first appear. */
export function counted(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const card of list) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

/** The face of a card. nth: which of its equals it is, so that equal cards of a game without suits still differ. */
export function face(card: string, nth = 0): Face {
  const rank = card[0] ?? "";
  const marked = card.endsWith("*");
  const told = "SHCD".indexOf(card[1] ?? " ");
  const joker = rank === "X" ? "big" : rank === "x" ? "small" : null;
  return {
    rank: joker ? "" : rank === "T" ? "10" : rank,
    joker,
    mark: joker && marked ? (joker === "big" ? "crown" : "sword") : null,
    suit: SUITS[told >= 0 ? told : (nth + rank.charCodeAt(0)) % 4]!,
  };
}
