// The points of the deals that were played at a table, deal by deal. The hall shows each deal's result when it is over;
// what this browser has seen of them it keeps for as long as its tab lives.
import type { TableView } from "../game";

/** The points of one deal, by column: a column a side or a seat, as the game counts. */
export interface Row {
  deal: number;
  points: readonly number[];
}

interface Kept {
  table: string;
  games: Record<string, Row>;
}

/** What a ledger reads of a view. `scores` are points by seat once the deal is over. */
interface Scored {
  deal: number;
  scores?: readonly number[] | null;
  result?: { scores: readonly number[] } | null;
}

/**
 * The deals of a table view's table, in order; the one that has just ended among them.
 * `columns`: which seats head the columns, [0, 1] for two sides that sit by turns, absent for all seats.
 */
export function deals<V extends Scored>(tableView: TableView<V>, columns?: readonly number[]): Row[] {
  if (tableView.mode === "replay" || tableView.mode === "lesson") return [];
  const key = `qipai.${tableView.info.game}.points`;
  const table = `${tableView.info.room}.${tableView.info.no}`;
  const kept = read(key);
  let games = kept.table === table ? kept.games : {};
  const { game, view } = tableView;
  // A match that starts again starts a new sheet.
  if (game?.deal === 1 && !(game.game_id in games)) games = {};
  // The hall leaves the last result lying until the next: only a view that is over speaks of the deal now named.
  const scores = view?.scores ?? view?.result?.scores;
  if (game && view && scores && view.deal === game.deal) {
    games = { ...games, [game.game_id]: { deal: game.deal, points: columns ? columns.map((seat) => scores[seat] ?? 0) : scores } };
    try {
      sessionStorage.setItem(key, JSON.stringify({ table, games } satisfies Kept));
    } catch {
      // Then the sheet begins anew at the next reload.
    }
  }
  return Object.values(games).sort((a, b) => a.deal - b.deal);
}

/** The sums of the columns; null before the first deal is over. */
export function sums(rows: readonly Row[]): number[] | null {
  const first = rows[0];
  if (!first) return null;
  return first.points.map((_, column) => rows.reduce((sum, row) => sum + (row.points[column] ?? 0), 0));
}

function read(key: string): Kept {
  const none = { table: "", games: {} };
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as Kept | null;
    // What an older client kept was written otherwise.
    return kept && Object.values(kept.games).every((row) => Array.isArray(row.points)) ? kept : none;
  } catch {
    return none;
  }
}
