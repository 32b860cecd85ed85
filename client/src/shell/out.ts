// Signing out, from wherever it is offered.
import { asRefusal } from "../net/http";
import { session } from "../net/session.svelte";
import { router } from "../router.svelte";
import { refuse } from "./toasts.svelte";

export async function out(): Promise<void> {
  try {
    await session.signOut();
    router.go("/");
  } catch (wrong) {
    refuse(asRefusal(wrong));
  }
}
