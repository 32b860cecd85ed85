// A pulse that browsers do not slow down while the page is hidden, as they do its own timers: a line that is silent
// for 40 s is dropped by the hall, and the seat with it (13.1).
const BEAT_MS = 15_000;
setInterval(() => postMessage(null), BEAT_MS);
