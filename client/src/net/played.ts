// The games this device has seen end, newest first, so that a replay is found again.
const KEY = "qipai.played";
const KEPT = 60;

export interface Played {
  id: string;
  table?: number;
  game: string;
  at: number;
  names: string[];
  seat: number | null;
  points: number[];
}

export function played(): Played[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Played[];
  } catch {
    return [];
  }
}

export function remember(one: Played): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([one, ...played().filter((old) => old.id !== one.id)].slice(0, KEPT)));
  } catch {
    // Then only the link at the table leads to it.
  }
}
