// The client seeds this device has given (P-91): one for each deal, kept so that the list can be checked later.
import { randomText } from "./socket";

const KEY = "qipai.seeds";
const KEPT = 200;

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** My seed for a deal: made when first asked for, the same ever after. */
export function mine(gameId: string): string {
  const seeds = all();
  const known = seeds[gameId];
  if (known !== undefined) return known;
  const fresh = randomText(22);
  const kept = Object.entries(seeds).slice(-KEPT + 1);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [gameId, fresh]])));
  } catch {
    // It cannot be checked later, then.
  }
  return fresh;
}

/** The seed I gave for a deal, when this device gave one. */
export const given = (gameId: string): string | undefined => all()[gameId];
