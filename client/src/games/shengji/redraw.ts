// P-92: the deal drawn again in the browser: who draws first in an opening deal, then the packs one after the other, in
// each the ranks 2 to A with suits S H C D, then the jokers.
import type { Proof, Stream } from "../../net/fair";
import type { Json } from "../../net/protocol";
import { LEVELS } from "./view";

const PACK: readonly string[] = [...LEVELS.flatMap((rank) => [..."SHCD"].map((suit) => rank + suit)), "x", "X"];

export function redraw(stream: Stream, _proof: Proof, record: Json): { drawn: string[]; same: boolean } {
  const rows = (record.rows ?? []) as [number, Json][];
  const dealt = rows.find(([seat, action]) => seat === -1 && action?.a === "next_deal")?.[1];
  const opening = typeof dealt?.starter === "number";
  const starter = opening ? stream.below(4) : null;
  const deck = stream.shuffle(dealt?.deck?.length ?? PACK.length).map((i) => PACK[i % PACK.length]!);
  const same = !!dealt && (!opening || dealt.starter === starter) && deck.join(" ") === (dealt.deck as string[]).join(" ");
  return { drawn: deck.slice(0, 10), same };
}
