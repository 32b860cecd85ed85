// How much room there is (DESIGN 3): the names of the breakpoints.
import { MediaQuery } from "svelte/reactivity";
import { innerHeight, innerWidth } from "svelte/reactivity/window";
import { besideOf, plateOf, scaleOf, textOf } from "./geometry";

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
  /** How much larger cards and tiles are than in a window of 1440 × 900. */
  get scale(): number {
    return scaleOf(innerWidth.current ?? 1440, innerHeight.current ?? 900);
  },
  /** How much larger words and buttons are. */
  get text(): number {
    return textOf(this.scale);
  },
  /** The same beside a board, which has its room first. */
  get beside(): number {
    return besideOf(innerWidth.current ?? 1440, innerHeight.current ?? 900);
  },
  /** How much larger name plates are. */
  get plate(): number {
    return plateOf(this.scale);
  },
};
