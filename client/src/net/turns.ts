// Turn-based games (P-24): where it is my turn next, and the call to play on at once.
import { get, post, Refused } from "./http";
import type { Called, Home } from "./protocol.gen";

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

/** Ask the other of a turn-based game to play on now; true: he is here and has heard it. */
export const callOther = async (table: number): Promise<boolean> => (await post<Called>(`/tables/${table}/live`)).here;
