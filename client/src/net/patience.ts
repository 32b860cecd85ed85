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

/**
 * Fetch a part of the client that comes when it is wanted: its code with its style sheets. Who fetched it before in vain
 * keeps the failed sheets in mind as if they were here, so they are looked after by ourselves.
 */
export async function part<T>(load: () => Promise<T>, enough?: () => boolean): Promise<T> {
  const whole = async (): Promise<T> => {
    const found = await load();
    await Promise.all([...lost].map(sheet));
    return found;
  };
  try {
    return await whole();
  } catch (wrong) {
    if (enough?.()) throw wrong;
    return again(whole, enough);
  }
}

// Those of the page itself have come, or not, before any module runs.
const lost = new Set([...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(empty));
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") lost.add(target);
  },
  true,
);

function empty({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules.length;
  } catch {
    return true; // nobody's: what has not come has no origin
  }
}

function sheet(link: HTMLLinkElement): Promise<unknown> {
  lost.delete(link);
  const fresh = link.cloneNode() as HTMLLinkElement;
  return new Promise((done, fail) => {
    fresh.onload = done;
    fresh.onerror = fail; // it is among the lost now
    link.replaceWith(fresh);
  });
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
