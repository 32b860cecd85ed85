// Squares and drawing measures of the board. A square is its name, file a–i from red's left, rank 0–9: "h2".
export const CELL = 88;
export const EDGE = 79.2;
export const WIDE = 862;
export const HIGH = 950;

export const fileOf = (square: string): number => square.charCodeAt(0) - 97;
export const rankOf = (square: string): number => Number(square[1]);
export const squareAt = (file: number, rank: number): string => String.fromCharCode(97 + file) + rank;

/** Where a square is drawn. `flip`: black sits below. */
export function spot(square: string, flip: boolean): { x: number; y: number } {
  const file = fileOf(square);
  const rank = rankOf(square);
  return { x: EDGE + CELL * (flip ? 8 - file : file), y: EDGE + CELL * (flip ? rank : 9 - rank) };
}

/** The square within `reach` cells of a point of the drawing; null where there is none. */
export function squareNear(x: number, y: number, flip: boolean, reach = 0.6): string | null {
  const column = Math.round((x - EDGE) / CELL);
  const row = Math.round((y - EDGE) / CELL);
  if (column < 0 || column > 8 || row < 0 || row > 9) return null;
  if (Math.hypot(x - EDGE - column * CELL, y - EDGE - row * CELL) > reach * CELL) return null;
  return flip ? squareAt(8 - column, row) : squareAt(column, 9 - row);
}

/** The men of a FEN: square to letter. A space or a slash ends nothing but its row or field. */
export function men(fen: string): Map<string, string> {
  const found = new Map<string, string>();
  (fen.split(" ")[0] ?? "").split("/").forEach((row, i) => {
    let file = 0;
    for (const sign of row) {
      if (sign >= "1" && sign <= "9") file += Number(sign);
      else found.set(squareAt(file++, 9 - i), sign);
    }
  });
  return found;
}

/** The men after some of the moves that were made from a position, as the first field of a FEN. */
export function after(start: string, moves: readonly string[]): string {
  const at = men(start);
  for (const move of moves) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    const letter = at.get(from);
    if (letter) at.set(to, letter);
    at.delete(from);
  }
  const rows = Array.from({ length: 10 }, (_, row) =>
    Array.from({ length: 9 }, (_, file) => at.get(squareAt(file, 9 - row)) ?? "1")
      .join("")
      .replace(/1+/g, (gap) => String(gap.length)),
  );
  return rows.join("/");
}

export const isRed = (letter: string): boolean => letter === letter.toUpperCase();
export const sideOf = (letter: string): number => (isRed(letter) ? 0 : 1);
export const MEN = { k: "general", a: "advisor", b: "elephant", n: "horse", r: "chariot", c: "cannon", p: "soldier" } as const;
export type Man = (typeof MEN)[keyof typeof MEN];
export const manOf = (letter: string): Man => MEN[letter.toLowerCase() as keyof typeof MEN];

/** What stands on a man; pictures of the two sets of characters, not words. */
export const FACES: Record<"traditional" | "simplified", Record<string, string>> = {
  traditional: {
    K: "帥",
    A: "仕",
    B: "相",
    N: "馬",
    R: "車",
    C: "炮",
    P: "兵",
    k: "將",
    a: "士",
    b: "象",
    n: "馬",
    r: "車",
    c: "砲",
    p: "卒",
  },
  simplified: {
    K: "帅",
    A: "仕",
    B: "相",
    N: "马",
    R: "车",
    C: "炮",
    P: "兵",
    k: "将",
    a: "士",
    b: "象",
    n: "马",
    r: "车",
    c: "炮",
    p: "卒",
  },
};

const NUMERALS = ["一二三四五六七八九", "123456789"] as const;

/**
 * A move that is not played yet, as it is written: 马八进七, H8+7. Null where men alike stand on one file: then the hall
 * alone knows its name.
 */
export function called(at: ReadonlyMap<string, string>, move: string, how: "zh" | "wxf"): string | null {
  const [from, to] = [move.slice(0, 2), move.slice(2)];
  const letter = at.get(from);
  if (!letter || [...at].some(([square, one]) => square !== from && one === letter && fileOf(square) === fileOf(from))) return null;
  const red = isRed(letter);
  const file = (square: string): number => (red ? 9 - fileOf(square) : fileOf(square) + 1);
  const rise = (rankOf(to) - rankOf(from)) * (red ? 1 : -1);
  const n = rise === 0 || "nab".includes(letter.toLowerCase()) ? file(to) : Math.abs(rise);
  const sign = 1 - Math.sign(rise);
  if (how === "wxf") return `${LATIN[manOf(letter)]}${file(from)}${"+=-"[sign]}${n}`;
  const digits = NUMERALS[red ? 0 : 1];
  return `${FACES.simplified[letter]}${digits[file(from) - 1]}${"进平退"[sign]}${digits[n - 1]}`;
}

/** For who reads no Chinese: the letters that moves are written with, under the pictures. */
export const LATIN: Record<Man, string> = {
  general: "K",
  advisor: "A",
  elephant: "E",
  horse: "H",
  chariot: "R",
  cannon: "C",
  soldier: "P",
};

/** The pictorial set: one drawing a kind, in a square of 40 round the middle. */
export const PICTURES: Record<Man, string> = {
  general: "M-13 11h26M-12 7l-4-16 9 7 7-12 7 12 9-7-4 16z",
  advisor: "M-8 -1a8 8 0 0116 0v3h-16zM-18 2h10M8 2h10M-12 6h24l3 7h-30z",
  elephant: "M-15 12v-12a13 12 0 0122-8 9 9 0 018 9v8a3 3 0 01-6 0v-5a3 3 0 00-4 3v5h-5v-6h-8v6z",
  horse: "M-10 13h20c1-13-2-23-11-26l-2 5-11 9 3 6 9-3c-3 4-6 5-8 9z",
  chariot: "M-12 0a12 12 0 1024 0 12 12 0 10-24 0M0-12v24M-12 0h24M-8.500-8.500l17 17M8.500-8.500l-17 17",
  cannon: "M-16-1l22-12 5 8-22 12zM-8 8a6 6 0 1012 0 6 6 0 10-12 0",
  soldier: "M-11 13h22c0-7-4-9-6-12a7 7 0 10-10 0c-2 3-6 5-6 12z",
};

/** All lines of the board as one path: files, ranks, palaces. */
export function lines(): string {
  const x = (file: number) => EDGE + CELL * file;
  const y = (row: number) => EDGE + CELL * row;
  const parts: string[] = [];
  for (let row = 0; row < 10; row++) parts.push(`M${x(0)} ${y(row)}H${x(8)}`);
  for (let file = 0; file < 9; file++) {
    if (file === 0 || file === 8) parts.push(`M${x(file)} ${y(0)}V${y(9)}`);
    else parts.push(`M${x(file)} ${y(0)}V${y(4)}M${x(file)} ${y(5)}V${y(9)}`);
  }
  for (const row of [0, 7]) parts.push(`M${x(3)} ${y(row)}L${x(5)} ${y(row + 2)}M${x(5)} ${y(row)}L${x(3)} ${y(row + 2)}`);
  return parts.join("");
}

/** The little corners at the starting points of cannons and soldiers. */
export function corners(): string {
  const gap = 7;
  const leg = 14;
  const parts: string[] = [];
  const at = (file: number, row: number) => {
    for (const sx of [-1, 1]) {
      if ((file === 0 && sx < 0) || (file === 8 && sx > 0)) continue;
      for (const sy of [-1, 1]) {
        const px = EDGE + CELL * file + sx * gap;
        const py = EDGE + CELL * row + sy * gap;
        parts.push(`M${px + sx * leg} ${py}H${px}V${py + sy * leg}`);
      }
    }
  };
  for (const row of [2, 7]) for (const file of [1, 7]) at(file, row);
  for (const row of [3, 6]) for (const file of [0, 2, 4, 6, 8]) at(file, row);
  return parts.join("");
}

/** Four corners round a point, for the last move. */
export function marks(x: number, y: number, half: number, leg: number): string {
  return [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ]
    .map(([sx = 1, sy = 1]) => `M${x + sx * half} ${y + sy * (half - leg)}V${y + sy * half}H${x + sx * (half - leg)}`)
    .join("");
}

export interface Placed {
  id: number;
  letter: string;
  square: string;
  gone?: boolean;
}

let made = 0;
/**
 * Follow the men from one position to the next: who stayed keeps his place, a man of the same letter that vanished
 * here and appeared there has moved, the rest are taken (`gone`, for one fade) or put on the board.
 */
export function followed(old: readonly Placed[], fen: string): Placed[] {
  const next = men(fen);
  const here = old.filter((one) => !one.gone);
  const kept: Placed[] = [];
  const left: Placed[] = [];
  for (const one of here) {
    if (next.get(one.square) === one.letter) {
      kept.push(one);
      next.delete(one.square);
    } else left.push(one);
  }
  for (const [square, letter] of next) {
    const i = left.findIndex((one) => one.letter === letter);
    const mover = i < 0 ? undefined : left.splice(i, 1)[0];
    kept.push({ id: mover?.id ?? ++made, letter, square });
  }
  return [...kept, ...left.map((one) => ({ ...one, gone: true }))];
}
