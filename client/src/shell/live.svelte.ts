// What is said to those who listen (DESIGN 11): the course of things line by line in a log, so that nothing is lost and
// the order is kept however fast it comes; what stops the listener's hand in a region of its own, which may interrupt.
const MOST = 16; // lines that stand there at most
const STAND_MS = 5000; // a reader has taken up a line long before
const EMPTY_MS = 30;

class Live {
  lines: readonly { readonly n: number; readonly text: string }[] = $state.raw([]);
  urgent = $state("");
}
export const live = new Live();

let said = 0;
let timer = 0;

/** Say a sentence to screen readers; urgent: a refusal, an answer to what was asked. */
export function announce(sentence: string, urgent = false): void {
  if (!sentence) return;
  if (!urgent) {
    const n = ++said;
    live.lines = [...live.lines, { n, text: sentence }].slice(-MOST);
    setTimeout(() => (live.lines = live.lines.filter((line) => line.n !== n)), STAND_MS);
    return;
  }
  // The same sentence twice is said twice: the region is emptied first.
  live.urgent = "";
  clearTimeout(timer);
  timer = window.setTimeout(() => (live.urgent = sentence), EMPTY_MS);
}

/** Take back what stands there: its table is left. */
export function silence(): void {
  clearTimeout(timer);
  live.lines = [];
  live.urgent = "";
}
