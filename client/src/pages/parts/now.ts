// The call to play a turn-based game live (P-77).
import { say } from "../../lang.svelte";
import { asRefusal, post } from "../../net/http";
import type { Called } from "../../net/protocol.gen";
import { router } from "../../router.svelte";
import { refuse, toasts } from "../../shell/toasts.svelte";

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
