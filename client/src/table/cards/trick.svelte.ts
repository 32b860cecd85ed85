// The sets of a trick on the cloth: where each lies, how it comes, how the trick goes to its winner.
import { untrack } from "svelte";
import { prefs } from "../../shell/prefs.svelte";
import { sound } from "../../shell/sound";
import { size as room } from "../size.svelte";
import { type Fitted, settle } from "./fit";
import type { Ground } from "./ground.svelte";
import { deal, fly, gather, lay, slideBack, type Way } from "./motion";
import { type Box, centre, type Look, middle, type Point, wordsOf } from "../geometry";

/** A set that lies on the table. */
export interface Lain {
  readonly seat: number;
  readonly cards: string;
  /** What it is, where the cards by themselves do not say so. */
  readonly words?: string;
}

/** A set and where it lies. */
export interface Lying extends Lain {
  key: string;
  top: boolean; // the one to beat
  old: boolean; // drawn as one that counts no more
  box: Box;
  cw: number;
  most: number;
  place: number;
  hang: Fitted["hang"]; // where in its box the cards lie
  captioned: boolean; // what it is stands under it
  heap: boolean; // the number of equal cards hangs at its foot
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
  /** Hands that lie open beside their plates, smaller than sets. */
  open?: () => readonly Lain[];
  /** Cards in words, as they stand under a set that brings none. */
  words?: (cards: string) => string;
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

  /** How large what stands in the middle is; null: nothing does. */
  middle: { w: number; h: number } | null = $state.raw(null);

  /** What lies there: the newest set of each seat, then the hands that lie open. */
  readonly #shown = $derived.by(() => {
    const { of } = this;
    const again = of.again() && of.last().length > 0;
    const trick = again ? of.last() : of.now().length ? of.now() : (this.#ghost ?? []);
    const newest = new Map<number, number>();
    trick.forEach((one, i) => newest.set(one.seat, i));
    const best = of.best && trick.length ? of.best(trick) : trick.length - 1;
    const { shape, W } = this.ground;
    const sets = [...newest.values()]
      .sort((a, b) => a - b)
      .map((i) => {
        const look: Look = of.even ? "even" : i === best ? "top" : "old";
        const told = shape === "wide" || (i === best && shape === "tall" && W > 330);
        return { ...trick[i]!, i, top: i === best, look, told };
      });
    const open = (of.open?.() ?? []).filter((one) => one.cards && this.ground.placeOf(one.seat) !== 0 && !newest.has(one.seat));
    return { trick, sets, open, tag: again ? "last" : String(this.epoch) };
  });
  readonly #settled = $derived.by(() => {
    const { W, H, shape, placed, stands, foot } = this.ground;
    const { sets, open } = this.#shown;
    if (!W) return null;
    const say = this.of.words;
    const pieces = [
      ...sets.map(({ seat, cards, words, look, told, top }) => ({
        place: this.ground.placeOf(seat),
        cards,
        look,
        caption: told && say ? wide(words ?? say(cards), (top ? 14 : 12) * (shape === "wide" ? room.text : 1)) : 0,
      })),
      ...open.map(({ seat, cards }) => ({ place: this.ground.placeOf(seat), cards, look: "old" as const, caption: 0 })),
    ];
    const scale = shape === "wide" ? room.scale : 1;
    const words = placed.flatMap((_, place) => wordsOf(place, placed, H, shape, scale) ?? []);
    const cloth = { W, H, shape, scale, plates: placed, stands, words, foot };
    const owner = sets.find((one) => one.top);
    // Where the middle would be, did nothing lie in its way.
    const wanted = (top: Fitted | undefined) =>
      middle(W, H, shape, placed, owner && top ? this.ground.placeOf(owner.seat) : null, top ?? null, foot);
    const topAt = sets.findIndex((one) => one.top);
    const first = settle(pieces, cloth, wanted(undefined), null);
    return settle(pieces, cloth, wanted(first.sets[topAt]), this.middle);
  });

  readonly sets: Lying[] = $derived.by(() => {
    const found = this.#settled;
    if (!found) return [];
    const { trick, sets, tag } = this.#shown;
    const { even = false, fades = !even, pushes } = this.of;
    return sets.map((one, k) => {
      const { x, y, w, h, cw, most, captioned, heap, hang } = found.sets[k]!;
      return {
        seat: one.seat,
        cards: one.cards,
        ...(one.words === undefined ? {} : { words: one.words }),
        key: `${tag}.${one.i}`,
        top: one.top,
        old: fades && !one.top,
        box: { x, y, w, h },
        cw,
        most,
        captioned,
        heap,
        hang,
        place: this.ground.placeOf(one.seat),
        pushed: one.i === trick.length - 2 && (pushes?.() ?? false),
      };
    });
  });
  /** The hands that lie open, where they lie. */
  readonly open: { seat: number; cards: string; box: Box; cw: number; most: number }[] = $derived.by(() => {
    const found = this.#settled;
    const { sets, open } = this.#shown;
    return found ? open.map((one, k) => ({ ...one, ...at(found.sets[sets.length + k]!) })) : [];
  });
  /** The set to beat; null between two tricks. */
  readonly top: Lying | null = $derived.by(() =>
    this.of.now().length && !this.of.again() ? (this.sets.find((one) => one.top) ?? null) : null,
  );
  /** The middle of the cloth, clear of the sets. */
  readonly mid: Point = $derived.by(() => this.#settled?.mid ?? { x: this.ground.W / 2, y: this.ground.H / 2 });

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
    if (this.ground.tableView.mode === "replay" || !mine.length) return;
    this.#ghost = mine;
    setTimeout(
      () => {
        const root = this.ground.node;
        if (this.#ghost !== mine || !root) return;
        const here = root.getBoundingClientRect();
        const to = centre(this.ground.boxOf(leader));
        const gone = [...root.querySelectorAll("[data-set]")].map((set): [Element, Way] => {
          const box = set.getBoundingClientRect();
          return [set, { dx: to.x - (box.left - here.left + box.width / 2), dy: to.y - (box.top - here.top + box.height / 2) }];
        });
        sound("sweep");
        void gather(gone).then(() => {
          if (this.#ghost === mine) this.#ghost = null;
        });
      },
      prefs.calm ? 300 : prefs.pace(500),
    );
  }

  /** The deal is over: coins go from each who has lost to each who has won. */
  paid(scores: readonly number[]): void {
    const { node: root, targets, tableView } = this.ground;
    if (!root || tableView.mode === "replay") return;
    const seats = [...scores.keys()];
    const [lost, won] = [seats.filter((seat) => scores[seat]! < 0), seats.filter((seat) => scores[seat]! > 0)];
    if (won.length && lost.every((seat) => seat !== tableView.seat)) sound("coin");
    for (const from of lost) for (const to of won) if (targets[from] && targets[to]) fly(root, targets[from], targets[to], coin, 620);
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
    for (let i = 0; i < rounds; i += 2) setTimeout(() => sound("riffle"), prefs.pace(110) * i);
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

const at = ({ x, y, w, h, cw, most }: Fitted) => ({ box: { x, y, w, h }, cw, most });

/** About how wide a line of this size is. */
const wide = (text: string, px: number): number => [...text].reduce((sum, c) => sum + (c > "⺀" ? 1 : 0.58) * px, 0);

/** A coin that is paid; `CardCloth` says how it looks. */
function coin(): HTMLElement {
  const one = document.createElement("div");
  one.className = "coin";
  return one;
}

/** The back of a packet of cards that flies; `CardCloth` says how it looks. */
export function packet(): HTMLElement {
  const back = document.createElement("div");
  back.className = "packet";
  return back;
}
