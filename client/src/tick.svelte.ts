// Time for what counts down on the screen; runs only while something reads it.
import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 200);
  return () => clearInterval(timer);
});

/** My own clock in ms since 1970, renewed five times a second for whoever reads it in a template or an effect. */
export function tick(): number {
  subscribe();
  return Date.now();
}
