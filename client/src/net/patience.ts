// What could not be fetched is tried again by itself: a line that was bad for a moment leaves nothing missing for good.
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 8_000;

/**
 * Do something again until it works, after half a second, then after longer and longer; at once when the network is
 * back. enough: no more tries, the last failure is thrown.
 */
export async function again<T>(run: () => Promise<T>, enough: () => boolean = () => false): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MOST_WAIT_MS)) {
    await pause(wait);
    try {
      return await run();
    } catch (wrong) {
      if (enough()) throw wrong;
    }
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      done();
    };
    const timer = setTimeout(go, ms);
    addEventListener("online", go);
  });
