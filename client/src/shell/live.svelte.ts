// What is said to those who listen (DESIGN 11): the course of things line by line in a log, so that nothing is lost and
// the order is kept however fast it comes; what stops the listener's hand in a region of its own, which may interrupt.
const MOST = 16; // lines that stand there at most
const STAND_MS = 5000; // a reader has taken up a line long before
const EMPTY_MS = 30;

interface Line {
  readonly n: number;
  readonly text: string;
  readonly by: number; // when a reader of the usual pace has come to its end
}
class Live {
  lines: readonly Line[] = $state.raw([]);
  urgent = $state("");
}
export const live = new Live();

let said = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let quiet = 0; // when all is read that stands there

/** How long a reader takes for a sentence: three times as long for a Chinese character as for a Latin letter. */
const readMs = (text: string): number => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 200 : 65), 0);
/** Sentences as one. */
const joined = (all: readonly string[]): string =>
  all.map((one) => one.replace(/[.。]$/, "")).join(document.documentElement.lang.startsWith("zh") ? "。" : ". ");

/**
 * Say a sentence to screen readers; urgent: a refusal, an answer to what was asked. "turn": it is the listener's turn. That
 * interrupts, too, so what they can hardly have heard yet is said with it: the move that made it their turn comes first.
 */
export function announce(sentence: string, urgent: boolean | "turn" = false): void {
  if (!sentence) return;
  const now = Date.now();
  if (!urgent) {
    const n = ++said;
    quiet = Math.max(now, quiet) + readMs(sentence);
    live.lines = [...live.lines, { n, text: sentence, by: quiet }].slice(-MOST);
    setTimeout(() => (live.lines = live.lines.filter((line) => line.n !== n)), STAND_MS);
    return;
  }
  const all = urgent === "turn" ? joined([...live.lines.filter((line) => line.by > now).map((line) => line.text), sentence]) : sentence;
  quiet = now + readMs(all);
  // The same sentence twice is said twice: the region is emptied first.
  live.urgent = "";
  clearTimeout(timer);
  timer = setTimeout(() => (live.urgent = all), EMPTY_MS);
}

/** Take back what stands there: its table is left. */
export function silence(): void {
  clearTimeout(timer);
  quiet = 0;
  live.lines = [];
  live.urgent = "";
}
