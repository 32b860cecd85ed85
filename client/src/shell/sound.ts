// The sounds of the table and its spoken calls. What makes them is loaded when the first is to be heard.
import type words from "./calls/words.json";
import { prefs } from "./prefs.svelte";

/**
 * Paper: `flick` a card, `riffle` a deal, `sweep` a trick gathered. Tile: `tap` lifted, `clack` put down, `meld` a set of
 * them, `wash` mixed. Wood: `knock` a piece, `take` a piece taken, `checker`. `rattle` dice, `coin` what is paid.
 */
export type Sound =
  | ("flick" | "riffle" | "sweep")
  | ("tap" | "clack" | "meld" | "wash")
  | ("knock" | "take" | "checker")
  | ("rattle" | "coin" | "pluck" | "stamp" | "turn" | "tick" | "won" | "soft");
/** A call that can be spoken. */
export type Call = keyof typeof words;

// Browsers let a page sound only after its first touch; before it there is nothing to hear anyway.
const audible = (): boolean =>
  prefs.all.sound && prefs.all.volume > 0 && typeof AudioContext !== "undefined" && !!navigator.userActivation?.hasBeenActive;

// One promise for all: what is asked for first is heard first.
let loading: Promise<typeof import("./synth")> | null = null;
function withSynth(run: (synth: typeof import("./synth")) => void): void {
  if (!audible()) return;
  loading ??= import("./synth");
  loading.then(run, () => (loading = null)); // without a line it is silent; the next sound tries again
}

/** step: how many links in a row, for the rising pluck. */
export function sound(which: Sound, step = 0): void {
  withSynth(({ play, recipe }) => play(recipe(which, step), prefs.all.volume));
}

/** A plucked string of so many hertz, after so many ms. */
export function pluck(hz: number, ms: number, delay: number): void {
  withSynth(({ play, plucked }) => play(plucked(hz, ms, delay), prefs.all.volume));
}

/** Speak a call, when that is switched on. */
export function call(which: Call): void {
  if (prefs.all.voice && audible()) void import("./calls").then(({ speak }) => speak(which, prefs.all.volume));
}

/** A short buzz on phones that allow it, when it is my turn; none for who wants it calm. */
export function buzz(): void {
  if (prefs.all.buzz && !prefs.calm && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(20);
}
