// The text of a position in its parts, and how each game's parts are laid on a page. What a position may be is for the
// hall to say: here texts are only cut and put together.

export interface Parts {
  place: string;
  named: Record<string, string>;
  flags: string[];
  moves: string[];
}

/** A word of a position that a form sets. seats: several; one of `choices`; a flag stands there or does not. */
export interface Field {
  name: string;
  kind: "seat" | "seats" | "choice" | "number" | "text" | "flag";
  choices?: readonly string[];
  /** A seat that may be nobody's. */
  none?: boolean;
}

export interface Shape {
  /** With what it is set up. */
  by: "men" | "grid" | "hands" | "checkers";
  seats: number;
  /** An empty table to begin with. */
  empty: string;
  fields: readonly Field[];
  /** What lies in hands, as the palette offers it; `cut` finds it in a text. */
  palette?: readonly string[];
  cut?: RegExp;
  looks?: "card" | "tile";
  /** Words that hold cards as a hand does, whole or by seat. */
  piles?: readonly string[];
  bySeat?: readonly string[];
}

const SUITS = ["S", "H", "C", "D"];
const RANKS = [..."23456789TJQKA"];
const seat = (name: string, none = false): Field => ({ name, kind: "seat", none });

export const SHAPES: Readonly<Record<string, Shape>> = {
  xiangqi: { by: "men", seats: 2, empty: "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", fields: [] },
  backgammon: {
    by: "checkers",
    seats: 2,
    empty: "off:15 / off:15 on:0",
    fields: [
      seat("on"),
      { name: "dice", kind: "text" },
      { name: "cube", kind: "choice", choices: ["", "2", "4", "8", "16", "32", "64"] },
      seat("owner", true),
      { name: "score", kind: "text" },
    ],
  },
  gouji: {
    by: "hands",
    seats: 6,
    empty: "-/-/-/-/-/- lead:0",
    fields: [
      seat("lead"),
      { name: "out", kind: "seats" },
      { name: "fell", kind: "seats" },
      { name: "after", kind: "text" },
      { name: "duty", kind: "text" },
    ],
    palette: [..."3456789TJQKA2xX"],
    cut: /./g,
    looks: "card",
  },
  baohuang: {
    by: "hands",
    seats: 5,
    empty: "-/-/-/-/- mode:pair lead:0",
    fields: [
      { name: "mode", kind: "choice", choices: ["", "pair", "solo_open", "solo_hidden"] },
      seat("emperor", true),
      seat("guard", true),
      seat("lead", true),
      { name: "out", kind: "seats" },
      { name: "opened", kind: "flag" },
      { name: "kicked", kind: "flag" },
      { name: "shown", kind: "flag" },
    ],
    palette: [..."6789TJQKA2", "x", "x*", "X", "X*"],
    cut: /[xX]\*|./g,
    looks: "card",
  },
  shengji: {
    by: "hands",
    seats: 4,
    empty: "-/-/-/- trump:N levels:2-2 dealer:0 lead:0",
    fields: [
      { name: "trump", kind: "choice", choices: ["S", "H", "C", "D", "N"] },
      { name: "levels", kind: "text" },
      seat("dealer"),
      seat("lead"),
      { name: "points", kind: "number" },
      { name: "bury", kind: "flag" },
    ],
    palette: [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), "x", "X"],
    cut: /[2-9TJQKA][SHCD]|[xX]/g,
    looks: "card",
    piles: ["kitty"],
  },
  mahjong: {
    by: "hands",
    seats: 4,
    empty: "-/-/-/- turn:0 dealer:0",
    fields: [
      seat("turn"),
      { name: "drawn", kind: "text" },
      seat("dealer"),
      { name: "void", kind: "text" },
      { name: "won", kind: "seats" },
      { name: "fresh", kind: "flag" },
      { name: "swap", kind: "flag" },
      { name: "voiding", kind: "flag" },
    ],
    palette: ["m", "p", "s"].flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}${suit}`)),
    looks: "tile",
    piles: ["wall"],
    bySeat: ["river"],
  },
  lianliankan: {
    by: "grid",
    seats: 1,
    empty: "0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0",
    fields: [
      { name: "hints", kind: "number" },
      { name: "shuffles", kind: "number" },
      { name: "seed", kind: "text" },
    ],
  },
};

/** The flags that a game's texts have, those without a field too. */
const FLAGS = new Set(["opened", "kicked", "shown", "bury", "declare", "fresh", "swap", "voiding", "opening", "first", "crawford_done"]);
const OF_BOARD = /^(?:\/|(?:bar|res|hand|off|\d+):\d+p?)$/;

/** The parts of a text. */
export function parse(game: string, text: string): Parts {
  const found: Parts = { place: "", named: {}, flags: [], moves: [] };
  const place: string[] = [];
  if (game === "xiangqi") return { ...found, place: text.trim() };
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const named = /^([a-z_]+):(.*)$/.exec(word);
    if (game === "backgammon" && OF_BOARD.test(word)) place.push(word);
    else if (/^\d:./.test(word)) found.moves.push(word);
    else if (named) found.named[named[1]!] = named[2]!;
    else if (FLAGS.has(word)) found.flags.push(word);
    else place.push(word);
  }
  found.place = place.join(" ");
  return found;
}

/** The text of parts. */
export function written({ place, named, flags, moves }: Parts): string {
  const said = Object.entries(named)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}:${value}`);
  return [place, ...said, ...flags, ...moves].join(" ");
}

/** What lies in a pile of tiles, melds whole at the end: "13m5p(444s<2)". */
export function tilesIn(text: string): string[] {
  const found: string[] = [];
  let ranks: string[] = [];
  for (const piece of text.match(/\([^)]*\)|./g) ?? []) {
    if (piece.startsWith("(")) found.push(piece);
    else if ("mps".includes(piece)) {
      found.push(...ranks.map((rank) => rank + piece));
      ranks = [];
    } else ranks.push(piece);
  }
  return found;
}

/** The text of such a pile; a hand is put in order, a wall or a river stays as it lies. */
export function tilesAs(tiles: readonly string[], sorted: boolean): string {
  const plain = tiles.filter((tile) => !tile.startsWith("("));
  if (sorted) plain.sort((a, b) => (a[1]! + a[0]!).localeCompare(b[1]! + b[0]!));
  let text = "";
  plain.forEach((tile, i) => {
    text += tile[0]!;
    if (plain[i + 1]?.[1] !== tile[1]) text += tile[1]!;
  });
  return text + tiles.filter((tile) => tile.startsWith("(")).join("");
}

/** What lies in a pile. */
export const pileOf = (shape: Shape, text: string): string[] =>
  text === "-" || !text ? [] : shape.looks === "tile" ? tilesIn(text) : (text.match(shape.cut ?? /./g) ?? []);

/** The text of a pile. */
export function pileAs(shape: Shape, pile: readonly string[], sorted = true): string {
  if (shape.looks === "tile") return tilesAs(pile, sorted);
  const order = shape.palette ?? [];
  return [...pile].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join("");
}

/** The address of a position: its text is all there is. */
export function address(game: string, text: string, variant: string | null, options: Record<string, unknown>): string {
  const query = new URLSearchParams({ p: text });
  if (variant) query.set("v", variant);
  if (Object.keys(options).length) query.set("o", JSON.stringify(options));
  return `/editor/${game}?${query}`;
}
