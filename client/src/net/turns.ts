// Turn-based games (P-24): where it is my turn next.
import { get, Refused } from "./http";
import type { Home } from "./protocol.gen";

/** The turn-based table where I am to move, least time first, but for the one where I am; null: there is none. */
export async function nextTurn(here: number): Promise<number | null> {
  try {
    const found = await get<Home>("/home");
    return found.tables.find((one) => one.turn_based && one.turn && one.table !== here)?.table ?? null;
  } catch (wrong) {
    if (wrong instanceof Refused) return null;
    throw wrong;
  }
}
