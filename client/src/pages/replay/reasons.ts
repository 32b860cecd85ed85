// Why this card? What a search saw at a bot's choice, in sentences, each with the facts that an analysis found.
import { has, say } from "../../lang.svelte";
import type { Analysis, Verdict, Weighed } from "../../net/protocol.gen";
import { spaced } from "../../table/cards/words";
import { amount, signed } from "./spoken";

const DOUBT = 2; // standard errors within which two choices are as good as each other
const MOVES = 6; // of a line that is told
const SEARCHES = "strong"; // the level that looks as far as an analysis does

type Word = (said: string) => string;

/** A part of a whole in percent. What is not quite all is not all, and what may yet be is not nothing. */
const percent = (part: number): string =>
  part > 0 && part < 0.005 ? "<1" : part < 1 && part >= 0.995 ? ">99" : String(Math.round(part * 100));

/** What is said of the choice of a row. word: a choice in words. */
export function reasons(of: Analysis, n: number, game: string, bot: { name: string; level: string }, word: Word): string[] {
  const row = of.rows.findLast((one) => one.n === n);
  const told = ofChoice(of, row, n, game, bot, word);
  return of.unit === "win" ? told : told.map((one) => spaced(one, say("cards.you"))); // 炮2平5 is one word
}

function ofChoice(
  of: Analysis,
  row: Verdict | undefined,
  n: number,
  game: string,
  bot: { name: string; level: string },
  word: Word,
): string[] {
  const { level } = bot;
  const known = has(`level_is.${level}`);
  const found = known ? [say("reasons.level", { name: bot.name, level: say(`level.${level}`), is: say(`level_is.${level}`) })] : [];
  if (!of.rows.length) return [...found, say("ui.film.nothing_judged")];
  if (!row) {
    const why = of.unweighed.find((one) => one.n === n)?.why;
    return [...found, say(why ? `reasons.not_${why}` : "reasons.rule")];
  }
  if (row.kind === "book") found.push(say("reasons.book"));
  if (known && level !== SEARCHES) found.push(say("reasons.afterwards"));
  if (row.weighed === 1) found.push(say(row.said ? "reasons.not_only" : "reasons.no_play"));
  else if (of.deals && row.weighed) found.push(say("reasons.tried", { deals: of.deals, n: row.weighed }));
  else if (row.weighed && of.unit !== "win") found.push(say("reasons.compared", { n: row.weighed }));
  if (of.unit === "win") found.push(...ofMoves(row, word));
  else if (of.unit === "pairs") found.push(...ofPairs(row, word));
  else if (row.said) found.push(...ofWorths(of, row, game, word));
  if (row.chances) {
    const [win, double, lost] = row.chances;
    found.push(say("reasons.chances", { win: percent(win) }));
    if (double || lost) found.push(say("reasons.doubles", { double: percent(double), lost: percent(lost) }));
  }
  return found;
}

/** The chance to win, and what is more than a chance. */
const chance = (win: number): string =>
  win >= 100 ? say("reasons.is_won") : win <= 0 ? say("reasons.is_lost") : say("reasons.chance", { win: amount("win", win) });

/** Of a game in which all is seen: the chance to win, and how the search thought that it would go on. */
function ofMoves(row: Verdict, word: Word): string[] {
  const said = word(row.said);
  const line = row.said_line.slice(0, MOVES).map(word);
  const most = chance(row.worth);
  if (row.said !== row.best && amount("win", row.loss) === amount("win", 0))
    return [say("reasons.win", { said, chance: most }), say("reasons.alike", { best: word(row.best) })];
  if (row.said !== row.best)
    return [
      say("reasons.win_less", { said, chance: chance(row.worth - row.loss), best: word(row.best), most }),
      ...(line.length > 1 ? [say("reasons.line_better", { line: line.join(" ") })] : []),
    ];
  return [say("reasons.win", { said, chance: most }), ...(line.length > 1 ? [say("reasons.line", { line: line.join(" ") })] : [])];
}

/** Of pairs on a board: how many can be linked when they are gone. */
function ofPairs(row: Verdict, word: Word): string[] {
  const leaves = (one: Weighed): string => say("reasons.leaves", { said: word(one.said), n: Math.max(0, one.worth) });
  const own = row.tried.find((one) => one.said === row.said);
  const other = row.tried.find((one) => one.said === row.best && one !== own) ?? row.tried.find((one) => one !== own);
  if (!own) return [];
  if (!other) return [leaves(own)];
  return [leaves(own), own.worth === other.worth ? say("reasons.alike", { best: word(other.said) }) : leaves(other)];
}

/** Of choices that were compared: what each brought, by how much another was worse or better, how often each was the best. */
function ofWorths(of: Analysis, row: Verdict, game: string, word: Word): string[] {
  const found: string[] = [];
  const match = of.unit === "match"; // a chance is told in percent
  const number = (n: number) => (match ? amount("win", 100 * n) : signed(of.unit, n, game));
  const size = (n: number) => (match ? amount("win", 100 * n) : amount(of.unit, n, game));
  const worth = (one: Weighed) => number(one.worth) + (one.error ? ` ± ${size(one.error)}` : "");
  const own = row.tried.find((one) => one.said === row.said);
  const isBest = row.said === row.best;
  const other = row.tried.find((one) => one.said !== row.said && (isBest || one.said === row.best));
  const exact = !of.deals;
  if (own)
    found.push(
      say(exact ? "reasons.exact" : "reasons.worth", { said: word(own.said), worth: worth(own), unit: say(`reasons.unit_${of.unit}`) }),
    );
  if (!isBest) {
    const loss = size(row.loss) + (row.error ? ` ± ${size(row.error)}` : "");
    const isSure = row.loss > DOUBT * (row.error ?? 0);
    if (row.loss < -DOUBT * (row.error ?? 0)) found.push(say("reasons.worse_then", { best: word(row.best), loss: loss.replace("−", "") }));
    else if (row.loss <= 0 || size(row.loss) === size(0)) found.push(say("reasons.alike", { best: word(row.best) }));
    else found.push(say(isSure ? "reasons.better" : "reasons.better_open", { best: word(row.best), loss }));
  } else if (own && other && exact) {
    const isEqual = size(own.worth - other.worth) === size(0);
    found.push(
      isEqual ? say("reasons.alike", { best: word(other.said) }) : say("reasons.next", { other: word(other.said), worth: worth(other) }),
    );
  } else if (own && other) {
    const isNear = own.worth - other.worth <= DOUBT * Math.hypot(own.error, other.error);
    found.push(say(isNear ? "reasons.near" : "reasons.ahead", { other: word(other.said), worth: worth(other) }));
  }
  if (own && own.tops !== null && of.deals) {
    found.push(say("reasons.tops", { said: word(own.said), n: own.tops, deals: of.deals }));
    if (other && other.tops !== null) found.push(say("reasons.tops_other", { other: word(other.said), n: other.tops }));
  }
  return found;
}
