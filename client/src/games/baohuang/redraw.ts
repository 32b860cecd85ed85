// P-92: the deck of baohuang 3: thirteen sixes, sixteen of each rank to 2, the jokers and the two marked ones.
import { redealer } from "../../table/cards/deck";
import { ORDER } from "./view";

const copies = (card: string): number => (card === "6" ? 13 : card.endsWith("*") ? 1 : "xX".includes(card) ? 3 : 16);

export const redraw = redealer(
  { cards: ORDER.map((card) => [card, copies(card)] as const), suits: { "6": [4, 3, 3, 3] } },
  5,
  (record) => record.carry?.first_card ?? 0,
);
