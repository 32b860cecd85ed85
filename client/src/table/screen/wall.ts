// How many tables a wall shows at once, and which: numbers in, numbers out.

/** A table is drawn no smaller than this, in px and px², and no more of them at once. */
const LEAST = { width: 620, height: 400, area: 330_000 };
const MOST = 12;

export interface Grid {
  columns: number;
  rows: number;
}

/** The columns and rows in which so many tables are largest; fewer than that where they would be too small. */
export function gridOf(count: number, width: number, height: number): Grid {
  const most = Math.max(1, Math.min(count, MOST));
  let best: Grid = { columns: 1, rows: 1 };
  let [shown, size] = [1, 0];
  for (let columns = 1; columns <= most; columns++) {
    for (let rows = 1; rows <= Math.ceil(most / columns); rows++) {
      const [w, h] = [width / columns, height / rows];
      const fits = w >= LEAST.width && h >= LEAST.height && w * h >= LEAST.area;
      if (!fits && columns * rows > 1) continue;
      const [n, large] = [Math.min(most, columns * rows), Math.min(w / 1.5, h)];
      if (n > shown || (n === shown && large > size)) [best, shown, size] = [{ columns, rows }, n, large];
    }
  }
  return best;
}

/** The tables of one turn of the wall, which begins anew after the last. */
export function turnOf<T>(tables: readonly T[], { columns, rows }: Grid, turn: number): readonly T[] {
  const each = columns * rows;
  const turns = Math.max(1, Math.ceil(tables.length / each));
  const at = (((turn % turns) + turns) % turns) * each;
  return tables.slice(at, at + each);
}

/** The tables where something is played that a page of a contest names, in its order. */
export function tablesIn(page: unknown): number[] {
  if (Array.isArray(page)) return page.flatMap(tablesIn);
  if (page === null || typeof page !== "object") return [];
  const { table, score, ...rest } = page as Record<string, unknown>;
  const below = Object.values(rest).flatMap(tablesIn);
  return [...new Set(typeof table === "number" && score == null ? [table, ...below] : [...tablesIn(table), ...below])];
}
