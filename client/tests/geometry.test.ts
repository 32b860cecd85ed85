import { describe, expect, test } from "vitest";
import { legible } from "../src/kit/Run.svelte";
import { captionOf, type Fitted, settle } from "../src/table/cards/fit";
import {
  besideOf,
  type Box,
  cardOf,
  footOf,
  guess,
  type Look,
  middle,
  plateOf,
  scaleOf,
  type Shape,
  shapeOf,
  sidebarOf,
  stacksOf,
  textOf,
  tileOf,
  wordsOf,
} from "../src/table/geometry";

const WINDOWS: [number, number][] = [
  [320, 640],
  [390, 844],
  [667, 375],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
  [3440, 1440],
  [3840, 2160],
];
const GROWING = WINDOWS.filter(([w, h]) => w >= 1280 && w < 2 * h);
const LONG = ["TTTTTTTTx", "33333333x", "88888888", "999999xxX", "JJJJJJJXX", "QQQQQQQQQ"];
const SMALLEST = 12; // px of a word
const FINGER = 44;

/** The cloth over a hand of stacks in a window, and its plates. */
function cloth(width: number, height: number, n: number) {
  const flat = height < 500 && width >= 600;
  const W = width - sidebarOf(width, height) - (flat ? 100 : width < 600 ? 24 : 40);
  const scale = scaleOf(width, height);
  const shape: Shape = shapeOf(W, flat ? 300 : 999, flat);
  const rows = shape === "tall" ? 2 : 1;
  const hand = stacksOf(shape, scale, W).high * rows + (shape === "tall" ? 64 : 14);
  const H = height - (flat ? 6 : width < 600 ? 54 : 52 * textOf(scale) + 14) - hand;
  const plates = Array.from({ length: n }, (_, place): Box => {
    const one = guess(place, n, W, H, shape, scale);
    return { ...one, w: Math.min(one.w, W / 2 - 8) };
  });
  return { W, H, scale, shape, plates, foot: footOf(shape, scale) };
}
const meet = (a: Box, b: Box): boolean => a.x < b.x + b.w - 1 && b.x < a.x + a.w - 1 && a.y < b.y + b.h - 1 && b.y < a.y + a.h - 1;
const inside = (one: Box, W: number, H: number): void => {
  expect(one.x).toBeGreaterThanOrEqual(-0.01);
  expect(one.y).toBeGreaterThanOrEqual(-0.01);
  expect(one.x + one.w).toBeLessThanOrEqual(W + 0.01);
  expect(one.y + one.h).toBeLessThanOrEqual(H + 1);
};

describe("what grows with the window", () => {
  test("is as the design names it in a window of 1440 × 900, and never smaller", () => {
    expect([scaleOf(1440, 900), textOf(1), plateOf(1)]).toEqual([1, 1, 1]);
    for (const [w, h] of WINDOWS) expect(scaleOf(w, h)).toBeGreaterThanOrEqual(1);
  });

  test("grows up to a comfortable size: cards more than plates, plates more than words", () => {
    const scales = GROWING.map(([w, h]) => scaleOf(w, h));
    expect(scales).toEqual([...scales].sort((a, b) => a - b));
    expect(scaleOf(10_000, 10_000)).toBe(3);
    const big = scaleOf(3840, 2160);
    expect(big).toBeGreaterThan(plateOf(big));
    expect(plateOf(big)).toBeGreaterThan(textOf(big));
  });

  test.each(WINDOWS)("has no word under 12 px and no target under 44 in %i × %i", (width, height) => {
    expect(12 * textOf(scaleOf(width, height))).toBeGreaterThanOrEqual(SMALLEST);
    expect(FINGER * besideOf(width, height)).toBeGreaterThanOrEqual(FINGER);
    const { W, shape, scale } = cloth(width, height, 4);
    // Tiles, and columns of cards, of my own hand: as wide as a finger wherever fourteen fit, their whole height else.
    const tile = tileOf(shape, W, scale);
    expect(tile * 1.4).toBeGreaterThanOrEqual(FINGER);
    if (width >= 768) expect(tile).toBeGreaterThanOrEqual(FINGER);
    expect(stacksOf(shape, scale, W).high).toBeGreaterThanOrEqual(FINGER);
  });

  test.each(WINDOWS)("leaves the cloth most of %i × %i", (width, height) => {
    const { W, H } = cloth(width, height, 6);
    expect(W).toBeGreaterThan(0.6 * width);
    expect(H).toBeGreaterThan(0.4 * height);
  });

  test("leaves a board the height it can fill, whatever stands beside it", () => {
    for (const [w, h] of GROWING) expect(w - 660 * besideOf(w, h)).toBeGreaterThanOrEqual(Math.min(w - 660, 1.35 * (h - 52)) - 1);
  });
});

describe.each(WINDOWS)("in a window of %i × %i", (width, height) => {
  describe.each([3, 4, 5, 6])("%i seats", (n) => {
    const { W, H, shape, scale, plates, foot } = cloth(width, height, n);
    const words = plates.flatMap((_, place) => wordsOf(place, plates, H, shape, scale) ?? []);
    const play = (sets: readonly string[], beaten: number, look: Look = "old") => {
      const pieces = sets.map((cards, place) => ({
        place,
        cards,
        look: place === beaten && look === "old" ? ("top" as const) : look,
        caption: shape === "wide" || (shape === "tall" && place === beaten && W > 330) ? 90 * textOf(scale) : 0,
      }));
      const table = { W, H, shape, scale: shape === "wide" ? scale : 1, plates, foot, stands: [], words };
      const badge = shape === "wide" ? { w: 130 * textOf(scale), h: 70 * textOf(scale) } : { w: 130, h: 30 };
      const first = settle(pieces, table, middle(W, H, shape, plates, null, null, foot), null);
      const found = settle(pieces, table, middle(W, H, shape, plates, beaten, first.sets[beaten]!, foot), badge);
      return { ...found, badge: { x: found.mid.x - badge.w / 2, y: found.mid.y - badge.h / 2, ...badge } };
    };
    const apart = ({ sets, badge }: { sets: Fitted[]; badge: Box }): void => {
      for (const [i, one] of sets.entries()) {
        inside(one, W, H - foot);
        for (const other of [...plates, ...(W < 900 ? [] : words), badge, ...sets.slice(i + 1)])
          expect(meet(one, other), JSON.stringify([one, other])).toBe(false);
      }
      inside(badge, W, H - foot);
    };

    test("have their plates on the cloth, none upon another or over what is said", () => {
      for (const one of [...plates, ...words]) inside(one, W, H);
      for (const [i, one] of plates.entries()) for (const other of [...plates.slice(i + 1), ...words]) expect(meet(one, other)).toBe(false);
    });

    test("have room for a set of five each, the one to beat the largest, each index in sight", () => {
      for (const beaten of n > 4 ? [0, 1, 3] : [0, 1]) {
        const sets = Array.from({ length: n }, () => "99xxX");
        const found = play(sets, beaten);
        apart(found);
        for (const [i, one] of found.sets.entries()) {
          expect(legible(sets[i]!, one.cw, one.most)).toBe(true);
          if (shape !== "tall") expect(one.cw).toBeLessThanOrEqual(found.sets[beaten]!.cw);
          expect(one.captioned ? one.h - captionOf(shape, scale, one.heap) : one.h).toBeGreaterThanOrEqual(1.4 * one.cw - 0.01);
        }
      }
    });

    test("have room for one card each about the middle, nearer to it than to the edge where the cloth is wide", () => {
      const { sets } = play(
        Array.from({ length: n }, () => "9"),
        1,
        "even",
      );
      if (shape !== "wide" || W < 900) return;
      const right = sets[1]!;
      expect(right.x + right.w / 2 - W / 2).toBeLessThan(W / 4);
      expect(right.cw).toBeGreaterThan(0.8 * cardOf(shape, "even", scale, W));
    });

    test.runIf(width >= 390)("have room for nine cards each, each heap or card of which can be read", () => {
      const sets = LONG.slice(0, n);
      const found = play(sets, Math.min(3, n - 1));
      apart(found);
      for (const [i, one] of found.sets.entries()) expect(legible(sets[i]!, one.cw, one.most)).toBe(true);
    });
  });
});
