// The tree of a finished deal's branches as it is drawn: one lane each, under the one that it leaves.
import type { WhatIfRow, WhatIfTree } from "../../net/protocol.gen";

/** A branch with its lane (the record has lane 0), the lane that it leaves, and how far in it stands. */
export interface Lane {
  row: WhatIfRow;
  lane: number;
  from: number;
  deep: number;
}

/** The branches in the order in which they are drawn: each under what it leaves, the earliest moment last. */
export function lanes(tree: WhatIfTree): Lane[] {
  const found: Lane[] = [];
  const under = (parent: string, from: number, deep: number): void => {
    const own = tree.rows.filter((row) => row.parent === parent);
    // Later moments first: so no line crosses another that leaves the same game.
    for (const row of own.sort((a, b) => b.n - a.n || a.at - b.at)) {
      found.push({ row, lane: found.length + 1, from, deep });
      under(row.id, found.length, deep + 1);
    }
  };
  under(tree.root, 0, 0);
  return found;
}

/** The path of a branch: down from the lane that it leaves, then along its own. */
export function path(x: number, from: number, to: number, end: number, round: number): string {
  const r = Math.min(round, Math.max(0, end - x), Math.abs(to - from));
  return `M${x} ${from}V${to - r}Q${x} ${to} ${x + r} ${to}H${end}`;
}

/** Points as they are said: with their sign. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : String(points).replace("-", "−"));
