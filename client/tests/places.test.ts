import { describe, expect, test } from "vitest";
import { fit, guess as guessed, layout, pitch, shapeOf } from "../src/games/mahjong/places";
import { type Cloth, settle } from "../src/table/cards/fit";
import { arrow, type Box, centre, edge, FOOT, guess, middle, type Shape, spot } from "../src/table/geometry";

const CLOTHS: [Shape, number, number][] = [
  ["wide", 1100, 640],
  ["low", 800, 330],
  ["tall", 390, 560],
];
const crossing = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const plates = (n: number, W: number, H: number, shape: Shape): Box[] =>
  Array.from({ length: n }, (_, place) => guess(place, n, W, H, shape));

describe.each(CLOTHS)("a %s cloth of cards", (shape, W, H) => {
  test.each([3, 4, 5, 6])("has the plates of %i seats on it, none upon another", (n) => {
    const all = plates(n, W, H, shape);
    for (const one of all) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + one.w).toBeLessThanOrEqual(W);
      expect(one.y).toBeGreaterThanOrEqual(0);
    }
    for (const [i, one] of all.entries()) for (const other of all.slice(i + 1)) expect(crossing(one, other)).toBe(false);
  });

  test("hangs sets to the side at which their seat sits", () => {
    const all = plates(6, W, H, shape);
    expect(spot(0, all, W, H, shape, "top")).toMatchObject({ x: W / 2, y: H - FOOT[shape], hang: "centre" });
    expect([1, 2, 4, 5].map((place) => spot(place, all, W, H, shape, "top").hang)).toEqual(["right", "right", "left", "left"]);
    expect(spot(3, all, W, H, shape, "top").y).toBeGreaterThanOrEqual(all[3]!.y + all[3]!.h);
  });

  test("draws the set to beat larger than an older one", () => {
    const all = plates(6, W, H, shape);
    for (const place of [0, 1, 3, 5])
      expect(spot(place, all, W, H, shape, "top").cw).toBeGreaterThan(spot(place, all, W, H, shape, "old").cw);
  });

  test("has its middle over the bar", () => {
    const at = middle(W, H, shape, plates(6, W, H, shape), null, null);
    expect(at.x).toBe(W / 2);
    expect(at.y).toBeGreaterThan(0);
    expect(at.y).toBeLessThan(H - FOOT[shape]);
  });

  test("finds room for one set of every seat", () => {
    const n = 6;
    const cloth: Cloth = { W, H, shape, scale: 1, plates: plates(n, W, H, shape), foot: FOOT[shape], stands: [], words: [] };
    const pieces = Array.from(
      { length: n },
      (_, place) => ({ place, cards: "999", look: place === 1 ? "top" : "old", caption: 0 }) as const,
    );
    const { sets } = settle(pieces, cloth, { x: W / 2, y: H / 2 }, null);
    expect(sets).toHaveLength(n);
    for (const [i, one] of sets.entries()) {
      expect(one.y + one.h).toBeLessThanOrEqual(H - FOOT[shape] + 1);
      for (const other of [...cloth.plates, ...sets.slice(i + 1)]) expect(crossing(one, other)).toBe(false);
    }
  });

  test("is not laid anew while nothing on it changes", () => {
    const cloth = (): Cloth => ({ W, H, shape, scale: 1, plates: plates(3, W, H, shape), foot: FOOT[shape], stands: [], words: [] });
    const piece = (cards: string) => ({ place: 1, cards, look: "top", caption: 0 }) as const;
    const lain = (cards: string) => settle([piece(cards)], cloth(), { x: W / 2, y: H / 2 }, null);
    const first = lain("999");
    expect(lain("999")).toBe(first);
    expect(lain("9999").sets[0]!.w).toBeGreaterThan(first.sets[0]!.w);
    expect(lain("999")).toBe(first);
  });
});

test("an arrow begins and ends outside its boxes, on the line between them", () => {
  const [from, to] = [
    { x: 0, y: 0, w: 20, h: 10 },
    { x: 100, y: 0, w: 20, h: 10 },
  ];
  expect(centre(from)).toEqual({ x: 10, y: 5 });
  expect(edge(from, centre(to), 8)).toEqual({ x: 28, y: 5 });
  expect(edge(from, centre(from), 8)).toEqual({ x: 10, y: 5 });
  expect(arrow(from, to).d).toBe("M28.0 5.0L86.0 5.0");
});

describe("a cloth of tiles", () => {
  test.each<[number, number, Shape]>([
    [1000, 600, "wide"],
    [800, 330, "low"],
    [390, 560, "tall"],
    [880, 470, "tall"],
  ])("of %i × %i is %s–%s", (w, h, shape) => {
    expect(shapeOf(w, h)).toBe(shape);
  });

  test.each([0, 1, 6, 18, 30])("fits %i tiles into their box", (n) => {
    const box = { x: 0, y: 0, w: 240, h: 160 };
    const { tw, per, rows } = fit(n, box, 36, 6);
    expect(per * rows).toBeGreaterThanOrEqual(n);
    expect(per * (tw + 2) - 2).toBeLessThanOrEqual(box.w);
    expect(rows * pitch(tw)).toBeLessThanOrEqual(box.h + 2);
  });

  test("does not shrink its tiles with each one that is thrown", () => {
    const box = { x: 0, y: 0, w: 240, h: 160 };
    expect(new Set([1, 2, 3, 4, 5, 6].map((n) => fit(n, box, 36, 6).tw)).size).toBe(1);
  });

  test.each(CLOTHS)("%s: rivers and the middle lie apart", (shape, W, H) => {
    const set = [0, 1, 2, 3].map((place) => guessed(place, W, H));
    const { rivers, mid } = layout(W, H, shape, set, [6, 6, 6, 6], [false, false, false, false], false);
    expect(rivers).toHaveLength(4);
    const boxes = rivers.map(({ x, y, tw, per, rows }) => ({ x, y, w: per * (tw + 2) - 2, h: rows * pitch(tw) - 2 }));
    for (const one of boxes) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + one.w).toBeLessThanOrEqual(W + 0.01);
      expect(crossing(one, mid)).toBe(false);
    }
  });
});
