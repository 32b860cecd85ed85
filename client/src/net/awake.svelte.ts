// The screen stays on while I sit at the table that I look at (P-98): a hand of cards is looked at longer than a phone
// waits. Who has touched nothing for ten minutes is no longer there.
import { router } from "../router.svelte";
import { session } from "./session.svelte";

const STILL_MS = 600_000;
let lock: WakeLockSentinel | null = null;
let wanted = false;
/** A big screen is looked at and never touched: it stays on as long as it shows a table. */
let always = false;
let timer = 0;

/** Begin to look after it. */
export function stayAwake(): void {
  $effect.root(() => {
    $effect(() => {
      always = /^\/(screen|shoulder)(\/|$)/.test(router.path);
      wanted = always || session.tables.some((one) => router.path === `/tables/${one}`);
      hold();
    });
  });
  // A browser takes the lock away with the window; it is asked for again when the window comes back.
  for (const name of ["visibilitychange", "pointerdown", "keydown"]) document.addEventListener(name, hold, { passive: true });
}

function hold(): void {
  clearTimeout(timer);
  const on = wanted && !document.hidden;
  if (on && always) timer = 0;
  else if (on) timer = window.setTimeout(release, STILL_MS);
  else release();
  if (!on || (lock && !lock.released)) return;
  // Old browsers know no such thing; one that saves its battery says no.
  void navigator.wakeLock?.request("screen").then(
    (one) => {
      void lock?.release();
      lock = one;
      if (!wanted || document.hidden) release();
    },
    () => undefined,
  );
}

function release(): void {
  void lock?.release();
  lock = null;
}
