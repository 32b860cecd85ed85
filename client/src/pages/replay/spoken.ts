// The choices of an analysis as people say them: verbs in their language, suits and jokers as on the cards.
import { has, say } from "../../lang.svelte";

const SUITS: Record<string, string> = { S: "♠", H: "♥", C: "♣", D: "♦" };
const CARDS = new Set(["gouji", "baohuang", "shengji", "doudizhu"]);
const card = (sign: string): string =>
  sign === "x" ? say("analysis.said.small") : sign === "X" ? say("analysis.said.big") : sign === "T" ? "10" : sign;

/** One choice; "" is no choice at all, as a throw that nothing can be played with. */
export function spoken(game: string, said: string): string {
  if (!said) return "–";
  const key = `analysis.said.${said}`;
  if (has(key)) return say(key);
  if (game === "mahjong") {
    const words = said.split(" ").map((word) => {
      if (has(`analysis.said.${word}`)) return say(`analysis.said.${word}`);
      return word.replace(/[mps]/g, (suit) => say(`analysis.said.suit_${suit}`));
    });
    return words.join(" ");
  }
  if (!CARDS.has(game)) return said;
  if (game === "shengji") return said.replace(/\S+/g, (one) => (one.length > 1 ? `${SUITS[one[1]!] ?? one[1]}` : "") + card(one[0]!));
  return [...said].map(card).join("");
}

/** A number of an analysis in its unit. */
export const amount = (unit: string, n: number): string =>
  n.toFixed(unit === "win" ? 1 : unit === "pairs" ? 0 : unit === "points" || unit === "match" ? 3 : 2);
export const signed = (unit: string, n: number): string => (n > 0 ? "+" : "") + amount(unit, n);
