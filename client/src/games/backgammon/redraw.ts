// P-92: every throw of a match drawn again: two dice, each a number below six and one more, the first die first.
import type { Proof, Stream } from "../../net/fair";
import type { Json } from "../../net/protocol";

const SHOWN = 10;

export function redraw(stream: Stream, _proof: Proof, record: Json): { drawn: string[]; same: boolean } {
  const thrown = ((record.rows ?? []) as [number, Json][])
    .filter(([seat, action]) => seat === -1 && (action?.a === "opening" || action?.a === "dice"))
    .map(([, action]) => (action.d as number[]).join("-"));
  const again = thrown.map(() => [stream.below(6) + 1, stream.below(6) + 1].join("-"));
  return { drawn: again.slice(0, SHOWN), same: again.every((one, i) => one === thrown[i]) };
}
