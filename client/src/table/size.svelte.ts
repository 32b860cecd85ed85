// How much room there is (DESIGN 3): the names of the breakpoints.
import { MediaQuery } from "svelte/reactivity";
import { innerHeight, innerWidth } from "svelte/reactivity/window";

const low = new MediaQuery("(max-height: 499px) and (orientation: landscape)");

export const size = {
  /** Little height: a hand and its buttons lie flat. */
  get low(): boolean {
    return low.current;
  },
  /** A phone held upright. */
  get phone(): boolean {
    return (innerWidth.current ?? 1440) < 600;
  },
  /** A phone on its side: the table only. */
  get flat(): boolean {
    return (innerHeight.current ?? 900) < 500 && !this.phone;
  },
  /** The sidebar stands beside the cloth. */
  get docked(): boolean {
    return (innerWidth.current ?? 1440) >= 1024 && !this.flat;
  },
  /** How much larger cards, tiles and plates are than on a window of 1440 × 900. */
  get scale(): number {
    const high = ((innerHeight.current ?? 900) - 52) / 848;
    const broad = ((innerWidth.current ?? 1440) - 344) / 1096;
    return Math.min(2, Math.max(1, Math.min(broad, high ** 1.5)));
  },
};

/** The anchors of 5.1 in % of the cloth above the hand: left, top, and from which edge the plate hangs. */
export interface Anchor {
  x: number;
  y: number;
  from: "left" | "right" | "middle";
}

/**
 * k: how far behind me in order of play, 1 … seats − 1. Order runs counter-clockwise, so 1 is at my right hand.
 * small: on a phone, where two find no room beside each other at the upper edge.
 */
export function anchor(seats: number, k: number, clockwise = false, small = false): Anchor {
  const at = clockwise ? seats - k : k;
  const right = (y: number): Anchor => ({ x: 100, y, from: "right" });
  const left = (y: number): Anchor => ({ x: 0, y, from: "left" });
  const top = (x: number): Anchor => ({ x, y: 0, from: "middle" });
  const plans: Record<number, Anchor[]> = {
    2: [top(50)],
    3: [right(36), left(36)],
    4: [right(36), top(50), left(36)],
    5: small ? [right(52), right(20), left(20), left(52)] : [right(52), top(74), top(26), left(52)],
    6: [right(60), right(24), top(50), left(24), left(60)],
  };
  return plans[seats]?.[at - 1] ?? top((100 / seats) * at);
}
