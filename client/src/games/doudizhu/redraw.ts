// P-92: the deck of doudizhu 3, shuffled once for each time the cards were dealt; luck says who calls first where nobody
// is known to.
import type { Proof, Stream } from "../../net/fair";
import type { Json } from "../../net/protocol";
import { type Deck, faceOf, handsOf } from "../../table/cards/deck";
import { ORDER } from "./view";

const DECK: Deck = { cards: ORDER.map((card) => [card, "xX".includes(card) ? 1 : 4] as const) };
const PACK = 54;
const BOTTOM = 3;

export function redraw(stream: Stream, _proof: Proof, record: Json): { drawn: string[]; same: boolean } {
  const rows = (record.rows ?? []) as [number, Json][];
  const deals = rows.filter(([seat, action]) => seat === -1 && action?.a === "deal").map(([, action]) => action);
  let known = typeof record.carry?.first === "number";
  let drawn: string[] = [];
  let same = deals.length > 0;
  for (const dealt of deals) {
    const order = stream.shuffle(PACK);
    const hands = handsOf(DECK, order.slice(0, PACK - BOTTOM), 0, 3);
    const [bottom] = handsOf(DECK, order.slice(PACK - BOTTOM), 0, 1);
    same &&= hands.every((hand, seat) => hand === dealt.hands[seat]) && bottom === dealt.bottom;
    if (!known) same = stream.below(3) === dealt.first && same;
    known = true;
    if (!drawn.length) drawn = order.slice(0, 10).map((i) => faceOf(DECK, i));
  }
  return { drawn, same };
}
