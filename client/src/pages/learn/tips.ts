// Whether the first questions of a first deal come with a tip: for a game whose lesson has just been done in this tab.
const KEY = "qipai.tips";

/** The next table of this game has tips. */
export function accompany(game: string): void {
  try {
    sessionStorage.setItem(KEY, game);
  } catch {
    // Then there are none.
  }
}

export function accompanied(game: string | undefined): boolean {
  try {
    return game !== undefined && sessionStorage.getItem(KEY) === game;
  } catch {
    return false;
  }
}

export function alone(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There were none.
  }
}
