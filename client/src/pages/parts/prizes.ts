// How a pool of entry fees is split 脑奖 (P-79): each prize rounded down, the rest to the house. The hall does the same.

export interface Split {
  pool: number;
  prizes: number[];
  house: number;
  /** The first prize is at least twice the fee: so it may begin. */ begins: boolean;
}

export function split(fee: number, players: number, percents: readonly number[]): Split {
  const pool = fee * players;
  const prizes = percents.map((percent) => Math.floor((pool * percent) / 100));
  const house = pool - prizes.reduce((sum, one) => sum + one, 0);
  return { pool, prizes, house, begins: prizes.length > 0 && (prizes[0] ?? 0) >= 2 * fee };
}

/** With how many players the first prize is large enough. */
export const enough = (first: number): number => Math.ceil(200 / first);

/** Percents as one writes them: "50 30 20", null where they cannot be read. */
export function percentsOf(text: string): number[] | null {
  const found = text.trim().split(/[\s,，、]+/);
  return found.every((one) => /^\d{1,3}$/.test(one)) ? found.map(Number) : null;
}
