// P-92: the deck of gouji 3: ranks ascending, sixteen each, four a suit; the jokers, four of each.
import { redealer } from "../../table/cards/deck";
import { ORDER } from "./view";

export const redraw = redealer(
  { cards: ORDER.map((card) => [card, "xX".includes(card) ? 4 : 16] as const) },
  6,
  (record) => record.carry?.leader ?? 0,
);
