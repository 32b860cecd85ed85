// The live region: one queue of sentences for those who listen (DESIGN 11).
class Live {
  polite = $state("");
  urgent = $state("");
}
export const live = new Live();

let queue: [string, boolean][] = [];
let busy = false;
let round = 0; // what was announced before the last silence is not said after it

/** Say a sentence to screen readers; urgent: my turn, alerts. */
export function announce(sentence: string, urgent = false): void {
  if (!sentence) return;
  queue.push([sentence, urgent]);
  if (queue.length > 12) queue.splice(0, queue.length - 12);
  if (!busy) next();
}

/** Take back what is said and what was to be said: its table is left. */
export function silence(): void {
  round++;
  queue = [];
  busy = false;
  live.polite = live.urgent = "";
}

function next(): void {
  const head = queue.shift();
  busy = head !== undefined;
  if (!head) return;
  const [sentence, urgent] = head;
  // The same sentence twice is said twice: empty the region first.
  if (urgent) live.urgent = "";
  else live.polite = "";
  const mine = round;
  setTimeout(() => {
    if (mine !== round) return;
    if (urgent) live.urgent = sentence;
    else live.polite = sentence;
    setTimeout(() => mine === round && next(), 300);
  }, 30);
}
