// The choices of an analysis as people say them: verbs in their language, suits and jokers as on the cards.
import { has, notation, say, spelt } from "../../lang.svelte";
import { spaced } from "../../table/cards/words";
import type { GameModule } from "../../table/game";
import { saying } from "../../table/still.svelte";

const MEN: Record<string, string> = {};
for (const [men, letter] of [
  ["车", "R"],
  ["马", "H"],
  ["炮", "C"],
  ["相象", "E"],
  ["仕士", "A"],
  ["帅将", "K"],
  ["兵卒", "P"],
] as const)
  for (const man of men) MEN[man] = letter;
const SIGN: Record<string, string> = { 进: "+", 退: "-", 平: "=", 前: "+", 后: "-" };
const NUMERALS = "一二三四五六七八九";
const MOVE = /^(?:([前后])(\p{Script=Han})|(\p{Script=Han})([一二三四五六七八九1-9]))([进退平])([一二三四五六七八九1-9])$/u;

/** A move of xiangqi by letters: 炮二平五 is C2=5. One of three men in a file stays as it is. */
function byLetters(said: string): string {
  const [, mark, marked, man, file, sign, to] = MOVE.exec(said) ?? [];
  const letter = MEN[marked ?? man ?? ""];
  if (!letter) return said;
  const number = (one = "") => (NUMERALS.includes(one) ? String(NUMERALS.indexOf(one) + 1) : one);
  return letter + (mark ? SIGN[mark] : number(file)) + SIGN[sign!] + number(to);
}

/** One choice; "" is no choice at all, as a throw that nothing can be played with. module: of the game, once it is there. */
export function spoken(game: string, said: string, module: GameModule | null): string {
  if (!said) return "–";
  for (const key of [`${game}.said.${said}`, `analysis.said.${said}`]) if (has(key)) return say(key);
  if (game === "xiangqi" && notation() !== "zh") return byLetters(said);
  if (!module?.choice) return spelt(said);
  return spaced(
    module.choice(said, (key, facts) => saying(game, key, facts)),
    say("cards.you"),
  );
}

const DIGITS: Record<string, number> = { win: 1, pairs: 0, match: 3 };
/** A number of an analysis in its unit; equity in backgammon is told in thousandths. */
export const amount = (unit: string, n: number, game = ""): string =>
  n.toFixed(DIGITS[unit] ?? (game === "backgammon" ? 3 : 2)).replace("-", "−");
export const signed = (unit: string, n: number, game = ""): string => (n > 0 ? "+" : "") + amount(unit, n, game);
