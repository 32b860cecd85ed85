import { describe, expect, it } from "vitest";
import { gridOf, tablesIn, turnOf } from "../src/table/screen/wall";

describe("the wall of several tables", () => {
  it("shows one as large as it can, and all where they can be read", () => {
    expect(gridOf(1, 1920, 1020)).toEqual({ columns: 1, rows: 1 });
    expect(gridOf(2, 1920, 1020)).toEqual({ columns: 2, rows: 1 });
    expect(gridOf(4, 1920, 1020)).toEqual({ columns: 2, rows: 2 });
    expect(gridOf(9, 1920, 1020)).toEqual({ columns: 2, rows: 2 });
    expect(gridOf(9, 390, 780)).toEqual({ columns: 1, rows: 1 });
    for (const [width, height] of [
      [1280, 672],
      [2560, 1392],
      [3840, 2112],
      [1080, 1872],
    ] as const)
      for (let n = 1; n < 20; n++) {
        const { columns, rows } = gridOf(n, width, height);
        expect(columns * rows).toBeLessThanOrEqual(15);
        if (columns * rows > 1) expect(Math.min(width / columns / 620, height / rows / 400)).toBeGreaterThanOrEqual(1);
      }
  });

  it("takes turns, and begins anew after the last", () => {
    const grid = { columns: 2, rows: 1 };
    const tables = [1, 2, 3, 4, 5];
    expect([0, 1, 2, 3, -1].map((turn) => turnOf(tables, grid, turn))).toEqual([[1, 2], [3, 4], [5], [1, 2], [5]]);
    expect(turnOf([], grid, 3)).toEqual([]);
  });

  it("finds the tables of a contest where something is played", () => {
    const page = {
      stages: [{ sections: [{ meetings: [{ table: 7 }, { table: 8, score: [1, 0] }, { table: null }], table: [{ table: 9 }] }] }],
    };
    expect(tablesIn(page).sort()).toEqual([7, 9]);
    expect(tablesIn(null)).toEqual([]);
  });
});
