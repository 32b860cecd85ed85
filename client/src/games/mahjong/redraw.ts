// P-92: the hand drawn again in the browser: the dice of a first hand, then the wall in the canonical order of tiles.
import type { Proof, Stream } from "../../net/fair";
import type { Json } from "../../net/protocol";
import { SUITS } from "../../kit/tiles/tiles";

/** The tile of a canonical index: four copies of each kind, 1m … 9m 1p … 9p 1s … 9s. */
const tileOf = (i: number): string => {
  const kind = Math.floor(i / 4);
  return `${(kind % 9) + 1}${SUITS[Math.floor(kind / 9)]}`;
};

/** A wall as the wire writes it: runs of a suit closed by its letter. */
export const compact = (list: readonly string[]): string => list.map((tile, i) => (list[i + 1]?.[1] === tile[1] ? tile[0] : tile)).join("");

export function redraw(stream: Stream, _proof: Proof, record: Json): { drawn: string[]; same: boolean } {
  const rows = (record.rows ?? []) as [number, Json][];
  const dice = rows.find(([seat, action]) => seat === -1 && action?.a === "dice")?.[1]?.d as number[] | undefined;
  const thrown = dice ? [stream.below(6) + 1, stream.below(6) + 1] : [];
  const wall = stream.shuffle(108).map(tileOf);
  const die = rows.find(([seat, action]) => seat === -1 && action?.a === "die")?.[1]?.d as number | undefined;
  const swap = die === undefined ? undefined : stream.below(6) + 1;
  const dealt = rows.find(([seat, action]) => seat === -1 && action?.a === "deal")?.[1]?.wall as string | undefined;
  const same = compact(wall) === dealt && String(dice ?? "") === String(thrown) && swap === die;
  return { drawn: [...thrown.map(String), ...wall.slice(0, 10)], same };
}
