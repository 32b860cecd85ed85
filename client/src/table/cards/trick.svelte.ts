// The sets of a trick on the cloth: where each lies, how it comes, how the trick goes to its winner.
import { untrack } from "svelte";
import { extent } from "../../kit/Run.svelte";
import { prefs } from "../../shell/prefs.svelte";
import { sound } from "../../shell/sound";
import type { Ground } from "./ground.svelte";
import { deal, gather, lay, slideBack, type Way } from "./motion";
import { type Box, centre, FOOT, middle, type Point, spot } from "./places";

/** A set that lies on the table. */
export interface Lain { readonly seat: number; readonly cards: string }

/** A set and where it lies. */
export interface Lying extends Lain {
  key: string;
  top: boolean; // the one to beat
  old: boolean; // drawn as one that counts no more
  box: Box;
  cw: number;
  most: number;
  place: number;
  pushed: boolean; // put back by the top one (gouji: burned)
}

/** What a trick asks of its game. All of it is read again whenever the picture changes. */
export interface TrickOf {
  /** The sets of the trick now, in order, and those of the one before. */
  now: () => readonly Lain[];
  last: () => readonly Lain[];
  /** The trick before is shown again; shown: take that back. */
  again: () => boolean;
  shown: () => void;
  /** Which of the sets is the one to beat; the last when absent. Trick taking: the one that wins so far. */
  best?: (sets: readonly Lain[]) => number;
  /** All sets count the same: none is drawn as an older one. */
  even?: boolean;
  /** Of sets that count the same, those that do not win are drawn as older ones all the same. */
  fades?: boolean;
  /** The top set pushes the one before it back. */
  pushes?: () => boolean;
}

/** One a cloth, made by the component that draws it. */
export class Trick {
  readonly ground: Ground;
  readonly of: TrickOf;
  /** Tricks led while we looked: sets of one trick keep their elements. */
  epoch = $state(0);
  // A trick that is over stays a moment before it goes to its winner.
  #ghost: readonly Lain[] | null = $state.raw(null);
  #stopDeal = (): void => undefined;

  constructor(ground: Ground, of: TrickOf) {
    this.ground = ground;
    this.of = of;
  }

  readonly sets: Lying[] = $derived.by(() => {
    const { of } = this;
    if (!this.ground.W) return [];
    if (of.again() && of.last().length) return this.#lying(of.last(), "last");
    return this.#lying(of.now().length ? of.now() : (this.#ghost ?? []), String(this.epoch));
  });
  /** The set to beat; null between two tricks. */
  readonly top: Lying | null = $derived.by(() =>
    this.of.now().length && !this.of.again() ? (this.sets.find((one) => one.top) ?? null) : null,
  );
  /** The middle of the cloth, clear of the top set. */
  readonly mid: Point = $derived.by(() => {
    const { W, H, shape, placed } = this.ground;
    return middle(W, H, shape, placed, this.top?.place ?? null, this.top?.box ?? null);
  });

  /** The newest set of each seat, laid beside its plate. */
  #lying(trick: readonly Lain[], tag: string): Lying[] {
    const { W, H, shape, placed } = this.ground;
    const { even = false, best, fades = !even, pushes } = this.of;
    const newest = new Map<number, number>();
    trick.forEach((one, i) => newest.set(one.seat, i));
    const winner = best && trick.length ? best(trick) : trick.length - 1;
    return [...newest.values()].sort((a, b) => a - b).map((i) => {
      const one = trick[i]!;
      const place = this.ground.placeOf(one.seat);
      const top = i === winner;
      const at = spot(place, placed, W, H, shape, even ? "even" : top ? "top" : "old");
      const size = extent(one.cards, at.cw, at.most);
      const x = at.hang === "left" ? at.x : at.hang === "right" ? at.x - size.w : at.x - size.w / 2;
      // Its caption hangs below it; nothing lies under the bar with what I may do.
      const cap = shape === "wide" ? (top ? 26 : 24) : shape === "tall" && top && W > 330 ? 24 : 8;
      const foot = H - FOOT[shape] - size.h - cap;
      const y = place === 0 ? foot : Math.min(at.y, foot);
      return {
        ...one, key: `${tag}.${i}`, top, old: fades && !top, box: { x, y, w: size.w, h: size.h + cap }, cw: at.cw, most: at.most, place,
        pushed: i === trick.length - 2 && (pushes?.() ?? false),
      };
    });
  }

  /** Whose the trick before was. */
  get won(): number | null {
    const last = this.of.last();
    return (this.of.best && last.length ? last[this.of.best(last)] : last.at(-1))?.seat ?? null;
  }

  /** A set was put down; lead: it begins a trick. */
  played(lead: boolean): void {
    this.#ghost = null;
    this.of.shown();
    if (lead) this.epoch++;
  }

  /** The trick is over: it stays a moment, then goes to its winner. The view has put it aside already. */
  taken(leader: number): void {
    const mine = this.of.last();
    if (this.ground.face.mode === "replay" || !mine.length) return;
    this.#ghost = mine;
    setTimeout(() => {
      const root = this.ground.node;
      if (this.#ghost !== mine || !root) return;
      const here = root.getBoundingClientRect();
      const to = centre(this.ground.boxOf(leader));
      const gone = [...root.querySelectorAll("[data-set]")].map((set): [Element, Way] => {
        const box = set.getBoundingClientRect();
        return [set, { dx: to.x - (box.left - here.left + box.width / 2), dy: to.y - (box.top - here.top + box.height / 2) }];
      });
      void gather(gone).then(() => {
        if (this.#ghost === mine) this.#ghost = null;
      });
    }, prefs.calm ? 300 : prefs.pace(500));
  }

  /** Packets fly from the middle to all seats; a tap ends it. */
  dealt(rounds = 6): void {
    const { ground } = this;
    const root = ground.node;
    if (!root) return;
    this.#stopDeal();
    const stop = deal(root, { x: ground.W / 2, y: ground.H / 2 }, ground.targets, packet, rounds);
    this.#stopDeal = stop;
    addEventListener("pointerdown", stop, { once: true, capture: true });
    for (let i = 0; i < rounds; i++) setTimeout(() => sound("flick"), prefs.pace(110) * i);
  }

  /** A set comes from its seat: an attachment of the element it is drawn in. */
  arriving(one: Lying) {
    return (node: HTMLElement): void =>
      untrack(() => {
        // Where all count the same, each comes; else only the newest moves.
        if (!(one.top || this.of.even) || this.of.again()) return;
        const from = centre(this.ground.boxOf(one.seat));
        const to = centre(one.box);
        lay([...node.querySelectorAll(".slot")], { dx: from.x - to.x, dy: from.y - to.y });
        const its = this.sets.find((set) => set.pushed);
        const victim = its && this.ground.node?.querySelector<HTMLElement>("[data-pushed]");
        if (!its || !victim) return;
        const home = centre(this.ground.boxOf(its.seat));
        slideBack(victim, { dx: home.x - its.box.x, dy: home.y - its.box.y });
      });
  }
}

/** The back of a packet of cards that flies; `CardCloth` says how it looks. */
export function packet(): HTMLElement {
  const back = document.createElement("div");
  back.className = "packet";
  return back;
}
