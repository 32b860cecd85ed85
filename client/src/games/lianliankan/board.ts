// Where things lie in the drawing of a board: cells, and the lane around it in which a link may run.

export type Cell = readonly [row: number, col: number];

export interface Plan {
  /** Drawn with rows for columns, on a screen that is held upright. */
  turned: boolean;
  across: number;
  down: number;
  /** Size of a cell, and of the lane around the board, px. */
  cw: number;
  ch: number;
  lane: number;
  width: number;
  height: number;
}

const MOST = { cw: 66, ch: 70 };

/** How a board of so many rows and columns is drawn in a box; flat: never turned. */
export function planned(rows: number, cols: number, width: number, height: number, flat = false): Plan {
  const large = Math.max(1, Math.min(width / 1100, height / 700)); // in a large window tiles grow
  const plans = [false, true].map((turned) => {
    const [across, down] = turned ? [rows, cols] : [cols, rows];
    const lane = Math.min(width, height) < 330 ? 9 : 14;
    let cw = Math.min(MOST.cw * large, (width - 2 * lane) / across);
    let ch = Math.min(MOST.ch * large, (height - 2 * lane) / down);
    cw = Math.max(8, Math.min(cw, ch * 1.12));
    ch = Math.max(8, Math.min(ch, cw * 1.12));
    return { turned, across, down, cw, ch, lane, width: cw * across + 2 * lane, height: ch * down + 2 * lane };
  });
  const [level, upright] = plans as [Plan, Plan];
  return !flat && upright.cw * upright.ch > level.cw * level.ch * 1.05 ? upright : level;
}

const along = (i: number, n: number, size: number, lane: number): number =>
  i < 0 ? lane / 2 : i >= n ? lane * 1.5 + n * size : lane + (i + 0.5) * size;

/** The middle of a cell, or of a point of the ring. */
export function middle(plan: Plan, cell: Cell): { x: number; y: number } {
  const [r, c] = cell;
  const [i, j] = plan.turned ? [r, c] : [c, r];
  return { x: along(i, plan.across, plan.cw, plan.lane), y: along(j, plan.down, plan.ch, plan.lane) };
}

/** The cell under a point; the nearest one where it lies just beside the board. */
export function cellAt(plan: Plan, x: number, y: number): Cell | null {
  const i = Math.floor((x - plan.lane) / plan.cw);
  const j = Math.floor((y - plan.lane) / plan.ch);
  if (i < -1 || j < -1 || i > plan.across || j > plan.down) return null;
  const a = Math.min(plan.across - 1, Math.max(0, i));
  const b = Math.min(plan.down - 1, Math.max(0, j));
  return plan.turned ? [a, b] : [b, a];
}

export const same = (a: Cell | null, b: Cell | null): boolean => a !== null && b !== null && a[0] === b[0] && a[1] === b[1];
