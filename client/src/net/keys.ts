// The keys of private tables this device has been given (P-89), so that a reload finds back in.
const KEY = "qipai.keys";

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

export const keyOf = (table: number): string | undefined => all()[table];

export function keepKey(table: number, key: string): void {
  const kept = Object.entries(all())
    .filter(([id]) => id !== String(table))
    .slice(-30);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [table, key]])));
  } catch {
    // Then the link is needed again.
  }
}

/** The address that leads others here. */
export function linkTo(table: number, key: string | undefined): string {
  return `${location.origin}${key ? `/t/${key}` : `/tables/${table}`}`;
}

/** Whether an address leads to the machine it is read on, and nobody else's. */
export const homebound = (link: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link, location.href).hostname);
