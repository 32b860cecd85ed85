// The finger, the mouse and the keys on a hand of cards (DESIGN 6): a tap, a lift (up), a lowering (down), a sweep
// (sideways), one finger at a time. Where cards lie and what they look like is the hand's own.
import { allOrNone, exactly, fewer, type Picked } from "./pick";

/** What a finger asks of the hand under it. */
export interface Touched {
  readonly root: HTMLElement;
  readonly cards: readonly string[]; // different ones, from the left
  readonly held: ReadonlyMap<string, number>;
  readonly picked: Picked;
  readonly off: ReadonlySet<string>; // cards that may not be played
  readonly glow: ReadonlySet<string> | null; // cards that a sweep may raise; null: all
  readonly still: boolean; // nothing may be raised
  readonly rise: number; // px up that begin a lift
  readonly lowers?: boolean; // a drag down puts cards back
  readonly doubles?: boolean; // a double tap raises all of a card
  /** The card under a pointer. */
  under(e: PointerEvent): string | null;
  /** The card that a press means, when not the one under it. */
  meant?(e: PointerEvent): string | null;
  /** What a tap makes of the choice. */
  tapped(card: string, held: number): Picked;
  pick(next: Picked, card: string): void;
  refused(card: string): void;
}

interface Touch {
  id: number;
  x: number;
  y: number;
  card: string;
  base: Picked; // the choice before
  mode: "" | "lift" | "lower" | "sweep";
  seen: Set<string>;
}

const STEP = 18; // px of dragging up for one more card
const ASIDE = 12; // px that begin a lowering or a sweep
const DOUBLE = 240; // ms between the taps of a double tap

export class Finger {
  cursor = $state(0);
  ring = $state(false); // the keyboard is at work: show where it stands
  sweeping = $state(false);
  bubble = $state<{ card: string; k: number } | null>(null);
  private touch: Touch | null = null;
  private last = { card: "", at: 0, doubled: false };

  constructor(private readonly hand: Touched) {}

  /** Where the keyboard stands. */
  get at(): number {
    return Math.min(this.cursor, this.hand.cards.length - 1);
  }

  /** Change the choice by a card, unless it may not be played. */
  use(card: string, next: Picked): void {
    if (this.hand.off.has(card)) this.hand.refused(card);
    else this.pick(next, card);
  }
  private pick(next: Picked, card: string): void {
    if (!this.hand.still) this.hand.pick(next, card);
  }

  readonly down = (e: PointerEvent): void => {
    const { hand } = this;
    this.ring = false;
    if (hand.still || this.touch) return;
    const card = hand.meant ? hand.meant(e) : hand.under(e);
    const n = card === null ? undefined : hand.held.get(card);
    if (card === null || n === undefined) return;
    this.cursor = hand.cards.indexOf(card);
    if (e.button === 2) return this.use(card, fewer(hand.picked, card, n));
    if (e.button !== 0) return;
    hand.root.setPointerCapture(e.pointerId);
    this.touch = { id: e.pointerId, x: e.clientX, y: e.clientY, card, base: hand.picked, mode: "", seen: new Set([card]) };
  };
  readonly moved = (e: PointerEvent): void => {
    const { hand, touch } = this;
    if (!touch || e.pointerId !== touch.id) return;
    const { card } = touch;
    const dx = e.clientX - touch.x;
    const up = touch.y - e.clientY;
    if (touch.mode === "") {
      if (up > hand.rise && up > Math.abs(dx)) touch.mode = "lift";
      else if (hand.lowers && up < -ASIDE && -up > Math.abs(dx)) touch.mode = "lower";
      else if (Math.abs(dx) > ASIDE && hand.under(e) !== card) touch.mode = "sweep";
      else return;
      this.sweeping = touch.mode === "sweep";
      if (touch.mode !== "sweep" && hand.off.has(card)) {
        hand.refused(card);
        this.touch = null;
        return;
      }
    }
    const n = hand.held.get(card) ?? 0;
    if (touch.mode === "lift") {
      const k = Math.max(1, Math.min(n, Math.ceil((up - 6) / STEP)));
      this.bubble = { card, k };
      this.pick(exactly(touch.base, card, k, n), card);
    } else if (touch.mode === "lower") {
      const k = (touch.base[card] ?? 0) - Math.max(1, Math.floor(-up / (2 * STEP)));
      this.pick(exactly(touch.base, card, k, n), card);
    } else {
      const here = hand.under(e);
      if (here !== null && hand.held.has(here)) touch.seen.add(here);
      let next = touch.base;
      for (const one of touch.seen) {
        const all = hand.held.get(one) ?? 0;
        if (!hand.off.has(one) && (!hand.glow || hand.glow.has(one))) next = exactly(next, one, all, all);
      }
      this.pick(next, here ?? card);
    }
  };
  readonly up = (e: PointerEvent): void => {
    const { hand, touch, last } = this;
    if (!touch || e.pointerId !== touch.id) return;
    const { card, mode } = touch;
    this.done();
    const n = hand.held.get(card);
    if (mode !== "" || !n) return;
    const now = e.timeStamp;
    const quick = !!hand.doubles && last.card === card && now - last.at < DOUBLE;
    if (quick && last.doubled) return void (last.at = now); // a third quick tap changes nothing
    this.use(card, quick ? exactly(hand.picked, card, n, n) : hand.tapped(card, n));
    this.last = { card, at: now, doubled: quick };
  };
  readonly cancel = (): void => {
    if (this.touch?.mode) this.pick(this.touch.base, this.touch.card);
    this.done();
  };
  private done(): void {
    this.touch = null;
    this.bubble = null;
    this.sweeping = false;
  }

  /** Use a key; false when it is none of the hand's. */
  press(e: KeyboardEvent): boolean {
    const { cards, held, picked, still, tapped } = this.hand;
    const card = cards[this.at];
    if (e.ctrlKey || e.metaKey || e.altKey || card === undefined) return false;
    const n = held.get(card) ?? 0;
    if (e.key === "ArrowLeft") this.cursor = Math.max(0, this.at - 1);
    else if (e.key === "ArrowRight") this.cursor = Math.min(cards.length - 1, this.at + 1);
    else if (e.key === "Home") this.cursor = 0;
    else if (e.key === "End") this.cursor = cards.length - 1;
    else if (still) return false;
    else if (e.key === "ArrowUp") this.use(card, exactly(picked, card, (picked[card] ?? 0) + 1, n));
    else if (e.key === "ArrowDown") this.use(card, fewer(picked, card, n));
    else if (/^[1-9]$/.test(e.key)) this.use(card, exactly(picked, card, Number(e.key), n));
    else if (e.key === "a" || e.key === "A") this.all(card);
    else if (e.key === " ") this.use(card, tapped(card, n));
    else return false;
    this.ring = true;
    e.preventDefault();
    return true;
  }
  readonly key = (e: KeyboardEvent): void => {
    if (this.press(e)) e.stopPropagation();
  };

  /** Raise all of a card, or none. */
  all(card: string): void {
    this.use(card, allOrNone(this.hand.picked, card, this.hand.held.get(card) ?? 0));
  }
  readonly focus = (): void => {
    this.ring = this.hand.root.matches(":focus-visible");
  };
  readonly blur = (): void => {
    this.ring = false;
  };
}
