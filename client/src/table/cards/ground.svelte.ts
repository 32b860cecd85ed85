// The cloth under the cards: how large it is, where the frame has put the name plates, which place a seat has.
import type { TableView } from "../game";
import { size } from "../size.svelte";
import { type Box, centre, footOf, guess, type Point, type Shape, shapeOf } from "../geometry";

const PLATES = ".plate[data-seat]";
/** What else stands on a cloth and does not make way for cards. */
const STANDS = "[data-stands]";

/**
 * Made by the component that draws a cloth, while it begins. Its root gets `{@attach ground.root}` and binds its
 * size: `bind:clientWidth={ground.W} bind:clientHeight={ground.H}`.
 */
export class Ground {
  readonly tableView: TableView;
  W = $state(0);
  H = $state(0);
  #plates: Box[] = $state.raw([]); // by seat
  #stands: Box[] = $state.raw([]);
  #root: HTMLElement | null = null;
  #sizes = new ResizeObserver(() => this.#measure());
  #own: (width: number) => void;

  /** own: told the width of my own plate, beside which the reading bar stands. */
  constructor(tableView: TableView, own: (width: number) => void = () => undefined) {
    this.tableView = tableView;
    this.#own = own;
    $effect(() => () => this.#sizes.disconnect());
    $effect(() => {
      void [this.W, this.H, tableView.viewpoint, tableView.seats, tableView.view, tableView.clockwise];
      const frame = requestAnimationFrame(() => this.#measure());
      return () => cancelAnimationFrame(frame);
    });
  }

  readonly root = (node: HTMLElement): (() => void) => {
    this.#root = node;
    return () => (this.#root = null);
  };
  get node(): HTMLElement | null {
    return this.#root;
  }

  /** How many sit at the table. */
  get n(): number {
    return this.tableView.seats.length;
  }
  /** The three rooms of DESIGN 3: a wide cloth, a phone held sideways, a phone held upright. */
  get shape(): Shape {
    return shapeOf(this.W, this.H, size.low);
  }
  /** How much of the lower edge the bar takes. */
  get foot(): number {
    return footOf(this.shape, size.scale, this.tableView.mode === "replay");
  }
  /** Where a seat sits as it is drawn: 0 below, on to the right. */
  placeOf(seat: number): number {
    const { n, tableView } = this;
    return ((tableView.clockwise ? tableView.viewpoint - seat : seat - tableView.viewpoint) + n) % n;
  }
  /** The seat at a place. */
  seatAt(place: number): number {
    const { n, tableView } = this;
    return ((tableView.clockwise ? tableView.viewpoint - place : tableView.viewpoint + place) + n) % n;
  }
  /** The plates by place. */
  get placed(): Box[] {
    const { n, W, H, shape } = this;
    return Array.from({ length: n }, (_, place) => this.#plates[this.seatAt(place)] ?? guess(place, n, W, H, shape));
  }
  /** What stands on the cloth beside the plates. */
  get stands(): readonly Box[] {
    return this.#stands;
  }
  /** From where a seat's cards come, and whereto they go: its plate; my own: the hand under the cloth. */
  boxOf(seat: number): Box {
    const place = this.placeOf(seat);
    if (place === 0 && this.tableView.seat !== null) return { x: this.W / 2 - 30, y: this.H - this.foot - 2, w: 60, h: 4 };
    return this.placed[place]!;
  }
  /** The middles of all plates by seat, my own at the foot: where a deal flies. */
  get targets(): Point[] {
    return Array.from({ length: this.n }, (_, seat) =>
      seat === this.tableView.viewpoint ? { x: this.W / 2, y: this.H } : centre(this.placed[this.placeOf(seat)]!),
    );
  }

  #measure(): void {
    const root = this.#root;
    if (!root) return;
    const box = root.getBoundingClientRect();
    const drawn = [...(root.closest(".table") ?? root.ownerDocument).querySelectorAll<HTMLElement>(PLATES)];
    const found: Box[] = [];
    for (let seat = 0; seat < this.n; seat++) {
      const its = drawn.find((one) => Number(one.dataset.seat) === seat)?.getBoundingClientRect();
      found[seat] = its?.width
        ? { x: its.left - box.left, y: its.top - box.top, w: its.width, h: its.height }
        : guess(this.placeOf(seat), this.n, box.width, box.height, this.shape);
    }
    if (JSON.stringify(found) !== JSON.stringify(this.#plates)) this.#plates = found;
    const standing = [...(root.closest(".table") ?? root).querySelectorAll<HTMLElement>(STANDS)];
    const stands = standing.flatMap((one): Box[] => {
      const its = one.getBoundingClientRect();
      return its.width
        ? [{ x: Math.round(its.left - box.left), y: Math.round(its.top - box.top), w: Math.round(its.width), h: Math.round(its.height) }]
        : [];
    });
    if (JSON.stringify(stands) !== JSON.stringify(this.#stands)) this.#stands = stands;
    this.#own(Math.round(found[this.tableView.viewpoint]?.w ?? 0));
    for (const one of [...drawn, ...standing]) this.#sizes.observe(one);
  }
}
