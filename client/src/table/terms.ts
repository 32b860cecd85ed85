// Clocks, options and terms in words.
import { has, say } from "../lang.svelte";
import { kindOf, pageOf } from "./contests";
import type { Clock, Info, Json } from "../net/protocol";

/** Minutes where they are whole, else seconds: "60 分", "90 秒". */
export function span(seconds: number): string {
  return seconds % 60 === 0 && seconds >= 60 ? say("ui.minutes", { n: seconds / 60 }) : say("ui.seconds", { n: seconds });
}

/** A clock in a few words: "60 分 30 着 + 10 分 10 着". */
export function clockWords(clock: Clock | null | undefined): string {
  if (!clock) return "";
  switch (clock.type) {
    case "none":
      return say("clock.none");
    case "move":
      return say("clock.move", { s: clock.s }) + (clock.bank ? ` + ${say("ui.clock_bank", { time: span(clock.bank) })}` : "");
    case "fischer":
      return say("ui.clock_fischer", { base: span(clock.base), inc: span(clock.inc) });
    case "byoyomi":
      return say("ui.clock_byoyomi", { base: span(clock.base), n: clock.periods, period: span(clock.period) });
    case "days":
      return say("clock.days", { days: clock.days });
    case "stages": {
      const stages = clock.stages.map(({ s, moves }) => (moves ? say("ui.clock_stage", { time: span(s), moves }) : span(s)));
      const extra = [
        clock.inc ? say("ui.clock_inc", { time: span(clock.inc) }) : "",
        clock.per_move ? say("ui.clock_per_move", { time: span(clock.per_move) }) : "",
      ].filter(Boolean);
      return [stages.join(" + "), ...extra].join(" · ");
    }
  }
}

/** A game's option and its value: "重复局面：亚洲棋规". */
export function optionWords(game: string, name: string, value: Json): string {
  const key = `${game}.option.${name}`;
  // An option is a word, or a table with its name and the words of its values.
  const label = has(key) ? say(key) : has(`${key}.name`) ? say(`${key}.name`) : name;
  return say("ui.option_is", { name: label, value: optionValue(game, name, value) });
}

export function optionName(game: string, name: string): string {
  const key = `${game}.option.${name}`;
  return has(key) ? say(key) : has(`${key}.name`) ? say(`${key}.name`) : name;
}

export function optionValue(game: string, name: string, value: Json): string {
  const key = `${game}.option.${name}.${value}`;
  if (has(key)) return say(key);
  if (has(`${game}.option.${name}_${value}`)) return say(`${game}.option.${name}_${value}`);
  if (typeof value === "number" && has(`${game}.option_unit.${name}`)) return say(`${game}.option_unit.${name}`, { n: value });
  if (value === true) return say("ui.yes");
  if (value === false) return say("ui.no");
  if (value === null || value === "") return say("ui.none");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What stands before and behind a number while it is written: ["", " 秒"]. */
export function optionUnit(game: string, name: string, value: Json): [string, string] {
  const key = `${game}.option_unit.${name}`;
  if (!has(key)) return ["", ""];
  const [before = "", behind = ""] = say(key, { n: typeof value === "number" ? value : 2 }).split(
    String(typeof value === "number" ? value : 2),
  );
  return [before.trim(), behind.trim()];
}

/** A number of which every value has a word of its own: a seat. */
export function optionNamed(
  game: string,
  one: { name: string; kind: string; least?: number | null; most?: number | null },
): number[] | null {
  if (one.kind !== "number" || one.least == null || one.most == null || one.most - one.least > 12) return null;
  const all = Array.from({ length: one.most - one.least + 1 }, (_, i) => one.least! + i);
  return all.every((n) => has(`${game}.option.${one.name}.${n}`)) ? all : null;
}

/** What is agreed of a table itself, in words (P-16); nothing of what is as usual. */
export function termsWords(terms: Record<string, Json>): string[] {
  const found: string[] = [];
  for (const name of [
    "min_score",
    "max_score",
    "min_grade",
    "min_rating",
    "max_rating",
    "min_win_rate",
    "min_credibility",
    "min_coins",
    "min_games",
  ]) {
    const n = terms[name];
    if (typeof n === "number") found.push(say(`ui.terms.is_${name}`, { n, grade: name === "min_grade" ? say(`grade.${n}`) : "" }));
  }
  for (const name of ["friends", "group", "group_watch", "password", "private"]) if (terms[name]) found.push(say(`ui.terms.is_${name}`));
  if (terms.watchers === false) found.push(say("ui.terms.is_watchers"));
  if (terms.table_chat && terms.table_chat !== "open") found.push(say(`ui.terms.is_table_chat_${terms.table_chat}`));
  if (terms.pauses) found.push(say(`ui.terms.is_pauses_${terms.pauses}`));
  return found;
}

/** Options as one may give them to a new table: the game's, and among them the table's own. */
export const optionsWords = (game: string, options: Record<string, Json>): string[] => [
  ...Object.entries(options)
    .filter(([name]) => !has(`ui.terms.${name}`))
    .map(([name, value]) => optionWords(game, name, value)),
  ...termsWords(options),
];

/** The house rules of this table that differ from the seed's. */
export function differing(info: Info): string[] {
  const options = info.options as Record<string, Json>;
  return Object.entries(options ?? {}).map(([name, value]) => optionWords(info.game, name, value));
}

/** Of which contest a game is played here, in a word, and its page: by kind and number, of stairs by the game, of duplicates by the day. */
export function contestOf(info: Info): { word: string; to: string } | null {
  if (!info.contest) return null;
  const [kind = "", number = ""] = info.contest.contest.split(":");
  const [day = ""] = info.contest.game.split(".");
  const days = info.clock?.type === "days" ? "-days" : "";
  return {
    word: kindOf(kind),
    to:
      kind === "stairs"
        ? `/stairs/${info.game}${info.variant ? `-${info.variant}` : ""}${days}`
        : kind === "duplicate"
          ? `/duplicates/${info.game}/${day}`
          : pageOf(kind, number),
  };
}

/** Where this table is: "象棋 · 对弈室 12 桌". */
export function placeWords(info: Info, room: string | null): string {
  const game = gameName(info.game);
  // A table of its own has no number in a room.
  if (!info.no) return say("ui.place_private", { game });
  return room ? say("ui.place_room", { game, room, no: info.no }) : say("ui.place_table", { game, no: info.no });
}

export const gameName = (game: string): string => (has(`${game}.name`) ? say(`${game}.name`) : say(`${game}.ui.name`));
