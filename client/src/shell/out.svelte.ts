// Signing out, from wherever it is offered. Who is in the middle of a game reads first what it costs (P-26).
import { asRefusal } from "../net/http";
import type { Refusal } from "../net/protocol";
import { session } from "../net/session.svelte";
import { router } from "../router.svelte";
import { refuse } from "./toasts.svelte";

class Leaving {
  /** The price, while it is asked whether to pay it. */
  refusal: Refusal | null = $state.raw(null);
  everywhere = false;
}
export const leaving = new Leaving();

export async function out(everywhere = false, confirm = false): Promise<void> {
  leaving.refusal = null;
  try {
    await session.signOut(confirm, everywhere);
    router.go("/");
  } catch (wrong) {
    const refusal = asRefusal(wrong);
    if (refusal.code !== "CONFIRM_QUIT") refuse(refusal);
    else {
      leaving.everywhere = everywhere;
      leaving.refusal = refusal;
    }
  }
}
