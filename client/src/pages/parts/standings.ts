// What the tables of contests are made of: who stands where, and by which numbers.
import type { User } from "../../net/protocol";
import { say } from "../../lang.svelte";

/** A line of a table. users: one person, or a team; numbers: by column, the score first; href: of its own page. */
export interface Standing {
  key: number;
  place: number;
  name: string;
  users?: readonly User[];
  mine?: boolean;
  numbers: readonly number[];
  played?: number;
  out?: boolean;
}

/** A number by which a table is in order: its short word, and in a sentence what it is. */
export interface Column {
  word: string;
  is: string;
}

/** Columns by their names: "score", "sb", "buchholz_cut_1", … */
export const columnsOf = (names: readonly string[]): Column[] =>
  names.map((name) => ({ word: say(`ui.standings.${name}`), is: say(`ui.standings.${name}_is`) }));

/** A cell of a cross table. got: by meeting; due: a word where the two have yet to meet; href: the game, or its table. */
export interface Cell {
  got: readonly number[];
  due?: string;
  now?: boolean;
  href?: string | null;
}
