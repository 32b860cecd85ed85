// Turn-based games (P-24): where it is my turn next, and the call to play on at once.
import { say } from "../lang.svelte";
import { router } from "../router.svelte";
import { refuse, toasts } from "../shell/toasts.svelte";
import { asRefusal, get, post, Refused } from "./http";
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

/** Ask the other of a turn-based game to play on now, and go to the board: with both there it is played live (P-77). */
export async function playNow(table: number): Promise<void> {
  try {
    const { here } = await post<Called>(`/tables/${table}/live`);
    toasts.add(say(here ? "ui.slow.has_heard" : "ui.slow.is_away"));
    router.go(`/tables/${table}`);
  } catch (wrong) {
    refuse(asRefusal(wrong));
    if (asRefusal(wrong).code === "RATE_LIMIT") router.go(`/tables/${table}`);
  }
}
