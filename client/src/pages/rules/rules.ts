// The rules of a game as its language file tells them.
import { halves, has, lang, say } from "../../lang.svelte";
import type { Term } from "./markup";

/** The chapters in order: those the file names in `rules.order`, then whatever it forgot. */
export function chapters(game: string): string[] {
  const all = Object.keys(lang.words)
    .filter((key) => key.startsWith(`${game}.rules.`) && key.endsWith(".title"))
    .map((key) => key.slice(game.length + 7, -6));
  const order = has(`${game}.rules.order`) ? say(`${game}.rules.order`).split(/\s+/) : [];
  return [...order.filter((one) => all.includes(one)), ...all.filter((one) => !order.includes(one))];
}

export const title = (game: string, chapter: string): string => say(`${game}.rules.${chapter}.title`);

/** The glossary of a game: its own, else those of its terms that are explained: "接风：最后一套牌没人要时……". */
export function glossary(game: string): Term[] {
  const start = `${game}.glossary.`;
  const own = Object.keys(lang.words)
    .filter((key) => key.startsWith(start) && key.endsWith(".name"))
    .map((key) => ({ name: say(key), text: say(`${key.slice(0, -5)}.text`) }));
  if (own.length) return own;
  return Object.keys(lang.words)
    .filter((key) => key.startsWith(`${game}.term.`))
    .map((key) => halves(say(key)))
    .flatMap(([name, text]) => (name ? [{ name, text: text.charAt(0).toUpperCase() + text.slice(1) }] : []));
}

/** The chapter that explains a refusal: the one named under `see`, else the one that lists it, else the first. */
export function chapterOf(game: string, code: string): string | null {
  if (code === code.toUpperCase()) return null; // the hall's
  const key = `${game}.see.${code}`;
  if (has(key)) return say(key);
  const lists = (one: string): string => `${game}.rules.${one}.codes`;
  const all = chapters(game);
  return all.find((one) => has(lists(one)) && say(lists(one)).split(/\s+/).includes(code)) ?? all[0] ?? null;
}
