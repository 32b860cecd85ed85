// The tables where I sit, with what the lobby shows of them.
import { get } from "./http";
import { keyOf } from "./keys";
import type { Json, Snapshot } from "./protocol";
import { session } from "./session.svelte";

export interface Mine { table: number; snapshot: Snapshot | null; seat: number; turn: boolean; left: number | null }

export async function myTables(ids: readonly number[]): Promise<Mine[]> {
  const found = await Promise.all(
    ids.map(async (table): Promise<Mine> => {
      try {
        const key = keyOf(table);
        const snapshot = await get<Snapshot>(`/tables/${table}${key ? `?key=${key}` : ""}`);
        const seat = snapshot.seats.findIndex((one: Json) => one.user?.id === session.user?.id);
        const turn = snapshot.clocks?.run.includes(seat) ?? false;
        return { table, snapshot, seat, turn, left: snapshot.clocks?.left[seat] ?? null };
      } catch {
        return { table, snapshot: null, seat: -1, turn: false, left: null };
      }
    }),
  );
  // The most urgent first.
  return found.sort((a, b) => Number(b.turn) - Number(a.turn) || (a.left ?? Infinity) - (b.left ?? Infinity));
}
