// P-92: a deal drawn again in the browser. A deck has its cards in canonical order, ranks ascending, equal cards together.
import type { Proof, Stream } from "../../net/fair";
import type { Json } from "../../net/protocol";

const SUITS = "SHCD";

/** A deck whose suits do not count: so many of each rank, a quarter in each suit, the jokers behind. */
export interface Deck {
  /** [card, how many], ascending. */
  cards: readonly (readonly [card: string, n: number])[];
  /** How many of a card each suit has, where it is not a quarter. */
  suits?: Readonly<Record<string, readonly number[]>>;
}

/** The cards of a deck by canonical index. */
export const listed = (deck: Deck): string[] => deck.cards.flatMap(([card, n]) => Array<string>(n).fill(card));

/** The hands that an order of the deck deals, sorted: card k goes to seat (first + k) mod seats. */
export function handsOf(deck: Deck, order: readonly number[], first: number, seats: number): string[] {
  const cards = listed(deck);
  const held: number[][] = Array.from({ length: seats }, () => []);
  order.forEach((i, k) => held[(first + k) % seats]!.push(i));
  return held.map((hand) =>
    hand
      .sort((a, b) => a - b)
      .map((i) => cards[i])
      .join(""),
  );
}

/** The face that a canonical index shows to whoever compares: with its suit, where it has one. */
export function faceOf(deck: Deck, index: number): string {
  let left = index;
  for (const [card, n] of deck.cards) {
    if (left >= n) {
      left -= n;
      continue;
    }
    if (/^[xX]/.test(card)) return card;
    const suits = deck.suits?.[card] ?? [n / 4, n / 4, n / 4, n / 4];
    let suit = 0;
    while (left >= suits[suit]!) left -= suits[suit++]!;
    return card + SUITS[suit];
  }
  return "";
}

/** `GameModule.redraw` of a game that deals its whole deck out one card at a time; `first`: who is dealt the first card. */
export function redealer(deck: Deck, seats: number, first: (record: Json) => number) {
  const size = deck.cards.reduce((sum, [, n]) => sum + n, 0);
  return (stream: Stream, _proof: Proof, record: Json): { drawn: string[]; same: boolean } => {
    const order = stream.shuffle(size);
    const dealt = record.rows?.find((row: Json) => row[0] === -1 && row[1]?.a === "deal")?.[1]?.hands as string[] | undefined;
    const again = handsOf(deck, order, first(record), seats);
    return {
      drawn: order.slice(0, 10).map((i) => faceOf(deck, i)),
      same: !!dealt && again.length === dealt.length && again.every((hand, seat) => hand === dealt[seat]),
    };
  };
}
