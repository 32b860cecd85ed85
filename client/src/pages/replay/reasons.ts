// Why this card? What a search saw at a bot's choice, in sentences, each with the facts that an analysis found.
import { has, say } from "../../lang.svelte";
import type { Analysis, Verdict, Weighed } from "../../net/protocol.gen";
import { amount, signed, spoken } from "./spoken";

const DOUBT = 2; // standard errors within which two choices are as good as each other
const MOVES = 6; // of a line that is told
const SEARCHES = "strong"; // the level that looks as far as an analysis does

const percent = (share: number) => Math.round(share * 100);

/** What is said of one choice. row: the verdict on it; undefined: nothing was weighed there. */
export function reasons(of: Analysis, row: Verdict | undefined, game: string, bot: { name: string; level: string }): string[] {
  const told: string[] = [];
  const { level } = bot;
  if (has(`level_is.${level}`))
    told.push(say("reasons.level", { name: bot.name, level: say(`level.${level}`), is: say(`level_is.${level}`) }));
  if (!row) return [...told, say("reasons.rule")];
  if (has(`level_is.${level}`) && level !== SEARCHES) told.push(say("reasons.afterwards"));
  if (of.deals && row.weighed) told.push(say("reasons.tried", { deals: of.deals, n: row.weighed }));
  else if (row.weighed > 1) told.push(say("reasons.compared", { n: row.weighed }));
  if (of.unit === "win") told.push(...ofMoves(row, game));
  else told.push(...ofWorths(of, row, game));
  if (row.chances) {
    const [win, double, lost] = row.chances;
    told.push(say("reasons.chances", { win: percent(win), double: percent(double), lost: percent(lost) }));
  }
  return told;
}

/** Of a game in which all is seen: the chance to win, and how the search thought that it would go on. */
function ofMoves(row: Verdict, game: string): string[] {
  const said = spoken(game, row.said);
  const win = amount("win", row.worth);
  const line = row.said_line.slice(0, MOVES).map((one) => spoken(game, one));
  if (row.said !== row.best && amount("win", row.loss) === amount("win", 0))
    return [say("reasons.win", { said, win }), say("reasons.alike", { best: spoken(game, row.best) })];
  if (row.said !== row.best)
    return [
      say("reasons.win_less", { said, win: amount("win", row.worth - row.loss), best: spoken(game, row.best), most: win }),
      ...(line.length ? [say("reasons.line_better", { line: line.join(" ") })] : []),
    ];
  return [say("reasons.win", { said, win }), ...(line.length > 1 ? [say("reasons.line", { line: line.join(" ") })] : [])];
}

/** Of choices that were compared: what each brought, by how much another was worse or better, how often each was the best. */
function ofWorths(of: Analysis, row: Verdict, game: string): string[] {
  const told: string[] = [];
  const unit = say(`analysis.unit_${of.unit}`);
  const name = (one: Weighed) => spoken(game, one.said);
  // A link that leaves tiles and no pair is worth less than nothing; the pairs it leaves are none.
  const number = (n: number) => (of.unit === "pairs" ? amount(of.unit, Math.max(0, n), game) : signed(of.unit, n, game));
  const worth = (one: Weighed) => number(one.worth) + (one.error ? ` ± ${amount(of.unit, one.error, game)}` : "");
  const own = row.tried.find((one) => one.said === row.said);
  const isBest = row.said === row.best;
  const other = row.tried.find((one) => one.said !== row.said && (isBest || one.said === row.best));
  if (own) told.push(say(own.error ? "reasons.worth" : "reasons.exact", { said: name(own), worth: worth(own), unit }));
  if (!isBest) {
    const loss = amount(of.unit, row.loss, game) + (row.error ? ` ± ${amount(of.unit, row.error, game)}` : "");
    const isSure = row.loss > DOUBT * (row.error ?? 0);
    if (row.loss <= 0) told.push(say("reasons.alike", { best: spoken(game, row.best) }));
    else told.push(say(isSure ? "reasons.better" : "reasons.better_open", { best: spoken(game, row.best), loss }));
  } else if (own && other) {
    const isNear = own.worth - other.worth <= DOUBT * Math.hypot(own.error, other.error);
    told.push(say(isNear ? "reasons.near" : "reasons.ahead", { other: name(other), worth: worth(other) }));
  }
  if (own && own.tops !== null && of.deals) {
    told.push(say("reasons.tops", { said: name(own), n: own.tops, deals: of.deals }));
    if (other && other.tops !== null) told.push(say("reasons.tops_other", { other: name(other), n: other.tops }));
  }
  return told;
}
