// How much room there is (DESIGN 3): the names of the breakpoints.
import { MediaQuery } from "svelte/reactivity";
import { innerHeight, innerWidth } from "svelte/reactivity/window";
import { besideOf, farPlateOf, farScaleOf, farTextOf, plateOf, scaleOf, textOf } from "./geometry";

const low = new MediaQuery("(max-height: 499px) and (orientation: landscape)");

/** What tables are drawn into on a big screen, seen from across a room; null: the window, on a desk or in a hand. */
let far: { width: number; height: number } | null = $state.raw(null);
/** Draw tables for those who look from afar, all of this size; null: for who sits before the window. */
export const seenFromAfar = (room: { width: number; height: number } | null): void => void (far = room);

const width = (): number => far?.width ?? innerWidth.current ?? 1440;
const height = (): number => far?.height ?? innerHeight.current ?? 900;

export const size = {
  /** Little height: a hand and its buttons lie flat. */
  get low(): boolean {
    return far ? this.flat : low.current;
  },
  /** A phone held upright. */
  get phone(): boolean {
    return width() < 600;
  },
  /** A phone on its side: the table only. */
  get flat(): boolean {
    return height() < (far ? 400 : 500) && !this.phone;
  },
  /** A phone on its side that is a small one, or a window whose page is zoomed. */
  get slight(): boolean {
    return this.flat && width() < 720;
  },
  /** The sidebar stands beside the cloth. */
  get docked(): boolean {
    return width() >= 1024 && !this.flat;
  },
  /** How much larger cards and tiles are than in a window of 1440 × 900. */
  get scale(): number {
    return far ? farScaleOf(far.width, far.height) : scaleOf(width(), height());
  },
  /** How much larger words and buttons are. */
  get text(): number {
    return far ? farTextOf(far.width, far.height) : textOf(this.scale);
  },
  /** The same beside a board, which has its room first. */
  get beside(): number {
    return besideOf(width(), height());
  },
  /** How much larger name plates are. */
  get plate(): number {
    return far ? farPlateOf(far.width, far.height) : plateOf(this.scale);
  },
};
