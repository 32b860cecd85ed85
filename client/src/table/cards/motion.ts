// The choreography of DESIGN 12 for cards: transforms and opacity only, WAAPI; a new view finishes what still moves.
import { prefs } from "../../shell/prefs.svelte";

const OUT = "cubic-bezier(.2, .8, .2, 1)";
const INOUT = "cubic-bezier(.5, 0, .2, 1)";

/** Where a card comes from or goes to, px relative to where it lies. */
export interface Way {
  dx: number;
  dy: number;
  scale?: number;
}

/** A card, or a few, on the way from one place to another over the cloth, gone when they are there. */
export function fly(
  root: Element,
  from: { x: number; y: number },
  to: { x: number; y: number },
  packet: () => Element,
  ms = 140,
): () => void {
  if (prefs.calm || !prefs.pace(1)) return () => undefined;
  const back = packet();
  root.append(back);
  const flight = back.animate(
    [
      { transform: `translate(${from.x}px, ${from.y}px)`, opacity: 1 },
      { transform: `translate(${to.x}px, ${to.y}px)`, opacity: 0.3 },
    ],
    { duration: prefs.pace(ms), easing: OUT, fill: "both" },
  );
  flight.finished.then(
    () => back.remove(),
    () => back.remove(),
  );
  return () => back.remove();
}

/** A set put down: its cards come from the plate or the hand, one after the other. */
export function lay(cards: readonly Element[], from: Way): void {
  const ms = prefs.pace(180);
  if (prefs.calm || !ms) return fadeIn(cards);
  cards.forEach((card, i) =>
    card.animate(
      [
        { transform: way(from), opacity: 0.2 },
        { transform: "none", opacity: 1 },
      ],
      {
        duration: ms,
        delay: i * 12,
        easing: INOUT,
        fill: "backwards",
      },
    ),
  );
}

/** A trick won: its sets gather at the winner. Resolves when they have gone. */
export async function gather(sets: readonly [Element, Way][]): Promise<void> {
  const ms = prefs.pace(260);
  const done = sets.map(([set, to]) =>
    set
      .animate(
        prefs.calm
          ? [{ opacity: 1 }, { opacity: 0 }]
          : [
              { transform: "none", opacity: 1 },
              { transform: way({ ...to, scale: 0.4 }), opacity: 0 },
            ],
        { duration: prefs.calm ? 120 : ms, easing: INOUT, fill: "forwards" },
      )
      .finished.catch(() => undefined),
  );
  await Promise.all(done);
}

/** A burned set slides back. */
export function slideBack(set: Element, to: Way): void {
  if (prefs.calm) return;
  const dist = Math.hypot(to.dx, to.dy) || 1;
  const back = { dx: (to.dx / dist) * 24, dy: (to.dy / dist) * 24 };
  set.animate([{ transform: "none" }, { transform: way(back) }, { transform: "none" }], { duration: prefs.pace(360), easing: INOUT });
}

/** The deal: packets from the middle to all seats, round by round; six rounds are gone after about 900 ms. */
export function deal(
  root: Element,
  from: { x: number; y: number },
  to: readonly { x: number; y: number }[],
  packet: () => Element,
  rounds = 6,
): () => void {
  if (prefs.calm || !prefs.pace(1)) return () => undefined;
  const round = prefs.pace(110);
  const flights: Element[] = [];
  for (let r = 0; r < rounds; r++) {
    to.forEach((seat, i) => {
      const back = packet();
      root.append(back);
      flights.push(back);
      const flight = back.animate(
        [
          { transform: `translate(${from.x}px, ${from.y}px) rotate(0deg)`, opacity: 1 },
          { transform: `translate(${seat.x}px, ${seat.y}px) rotate(${i % 2 ? -24 : 24}deg)`, opacity: 0.3 },
        ],
        { duration: prefs.pace(220), delay: r * round + i * 10, easing: OUT, fill: "both" },
      );
      flight.finished.then(
        () => back.remove(),
        () => back.remove(),
      );
    });
  }
  return () => flights.forEach((one) => one.remove());
}

/** Columns slide from the own seat to their places; returns how to end it. */
export function unfold(columns: readonly Element[], from: number): () => void {
  if (prefs.calm || !prefs.pace(1)) {
    fadeIn(columns);
    return () => undefined;
  }
  const running = columns.map((column, i) => {
    const at = getComputedStyle(column).transform;
    const here = new DOMMatrix(at === "none" ? undefined : at);
    return column.animate(
      [
        { transform: `translate(${from}px, ${here.f}px)`, opacity: 0 },
        { transform: at, opacity: 1 },
      ],
      {
        duration: prefs.pace(260),
        delay: prefs.pace(500) + i * 8,
        easing: OUT,
        fill: "backwards",
      },
    );
  });
  return () => running.forEach((one) => one.finish());
}

export function fadeIn(elements: readonly Element[]): void {
  for (const one of elements) one.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
}

const way = ({ dx, dy, scale }: Way): string => `translate(${dx}px, ${dy}px)${scale ? ` scale(${scale})` : ""}`;
