// Tiles, wins and payments in words. Every sentence stands in the game's language files.
import type { Say } from "../../lang.svelte";
import { rankOf, suitOf } from "../../kit/tiles/tiles";
import type { Facts } from "../../net/protocol";
import { atHead, spaced } from "../../table/cards/words";
import type { MahjongTableView, Meld, Payment, View, Win } from "./view";

export { atHead };

/** The words of mahjong, spaced as the language wants it. */
export const speaker =
  (tableView: { say: Say }): Say =>
  (key, facts) =>
    spaced(tableView.say(key, facts), tableView.say("ui.you"));

/** "五筒", "five dots". */
export const tileWord = (say: Say, tile: string): string =>
  rankOf(tile) === 1
    ? say(`ui.one_${suitOf(tile)}`)
    : say("ui.tile", { rank: say(`ui.rank_${rankOf(tile)}`), suit: say(`ui.suit_${suitOf(tile)}`) });

export const tileWords = (say: Say, list: readonly string[]): string => list.map((tile) => tileWord(say, tile)).join(say("ui.list"));

/** A choice as an analysis writes it: "5p", "5p sing", "pong", "kong 5p". */
export function choiceWords(said: string, say: Say): string {
  const [first = "", ...rest] = said.split(" ");
  if (/^\d/.test(first)) return rest[0] ? say(`said.with_${rest[0]}`, { t: tileWord(say, first) }) : tileWord(say, first);
  return say(`said.${first}_of`, { t: tileWords(say, rest) });
}

/** The three tiles of a line: "二·五·八筒", "2·5·8 dots". */
export const lineWord = (say: Say, line: string): string => {
  const suit = /[mps]/.exec(line)?.[0] ?? "m";
  const ranks = [...line.replace(/\D/g, "")].map((rank) => say(`ui.short_${rank}`));
  return say("ui.line", { ranks: ranks.join(say("ui.dot")), suit: say(`ui.suit_${suit}`) });
};

/** +3, −3, 0. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** "清一色 + 根 ×2" of what a win consists of; 平胡 when it is worth nothing. */
export function itemWords(say: Say, items: Record<string, number>): string {
  const names = Object.entries(items)
    .filter(([, fan]) => fan > 0)
    .map(([item, fan]) => say("ui.item", { item: say(`ui.item_${item}`), fan }));
  return names.length ? names.join(say("ui.plus")) : say("ui.item_ping_hu");
}

/** The names alone: "对对胡 · 根". */
export function patternWords(say: Say, items: Record<string, number>): string {
  const names = Object.entries(items)
    .filter(([, fan]) => fan > 0)
    .map(([item]) => say(`ui.item_${item}`));
  return names.length ? names.join(say("ui.dots")) : say("ui.item_ping_hu");
}

export const meldWord = (say: Say, meld: Meld): string =>
  say(meld.k === "pong" ? "ui.meld_pong" : `ui.meld_${meld.kind ?? "direct"}`, { tile: tileWord(say, meld.t) });

/** "自摸", "点炮", "抢杠" of a win. */
export const byWord = (say: Say, win: Pick<Win, "by">): string => say(`ui.by_${win.by}`);

/** What a payment is for, as a chip: 胡 下雨 转移 花猪 查叫 退税. */
export const kindWord = (say: Say, kind: string): string => say(`ui.kind_${kind}`);

export const youOr = (tableView: MahjongTableView, seat: number): string =>
  seat === tableView.seat ? tableView.say("ui.you") : tableView.nameOf(seat);

/** The facts of a refusal as a sentence wants them: seats and tiles come as the wire writes them. */
export function factWords(tableView: MahjongTableView, given: Facts): Facts {
  const say = speaker(tableView);
  const facts: Facts = { ...given };
  for (const [key, value] of Object.entries(facts)) {
    if (Array.isArray(value) && typeof value[0] === "number") facts[key] = value.map((seat: number) => youOr(tableView, seat));
    else if (Array.isArray(value) && value.every((one) => /^[1-9][mps]$/.test(String(one)))) facts[key] = tileWords(say, value as string[]);
    else if (typeof value === "string" && /^[1-9][mps]$/.test(value)) facts[key] = tileWord(say, value);
    else if (typeof value === "string" && /^[mps]$/.test(value)) facts[key] = say(`ui.suit_${value}`);
    else if (typeof value === "string" && /^[mps]\d{3}$|^\d{3}[mps]$/.test(value)) facts[key] = lineWord(say, value);
    else if (typeof value === "number" && /seat|owner|name/.test(key)) facts[key] = youOr(tableView, value);
  }
  return facts;
}

/** Payments of one cause together: who receives, and who pays how much. */
export interface Cause {
  kind: Payment["kind"];
  no: number;
  payee: number;
  from: { payer: number; amount: number }[];
  sum: number;
}

export function causes(payments: readonly Payment[]): Cause[] {
  const found: Cause[] = [];
  for (const one of payments) {
    // Refunds, pigs and ready payments have no number: those to one seat that follow each other belong together.
    const last = found.findLast((cause) => cause.kind === one.kind && cause.no === one.no && cause.payee === one.payee);
    if (last) {
      const known = last.from.find((from) => from.payer === one.payer);
      if (known) known.amount += one.amount;
      else last.from.push({ payer: one.payer, amount: one.amount });
      last.sum += one.amount;
    } else found.push({ kind: one.kind, no: one.no, payee: one.payee, from: [{ payer: one.payer, amount: one.amount }], sum: one.amount });
  }
  return found;
}

/** "3 家各 2", or who paid what. */
export function payersWord(tableView: MahjongTableView, cause: Cause): string {
  const say = speaker(tableView);
  const amounts = new Set(cause.from.map((one) => one.amount));
  const n = cause.from.length;
  if (n > 1 && amounts.size === 1) return say("ui.each", { n, amount: [...amounts][0] ?? 0 });
  return cause.from.map((one) => say("ui.gives", { name: youOr(tableView, one.payer), amount: one.amount })).join(say("ui.list"));
}

/** What a win was paid, as the entries have it: "收 9 · 3 家各付 3". */
export function worthWords(tableView: MahjongTableView, win: Win, all: readonly Cause[]): string {
  const paid = all.find((one) => one.kind === "win" && one.no === win.no && one.payee === win.seat);
  const say = speaker(tableView);
  return paid ? `${say("ui.worth_n", { n: paid.sum })}${say("ui.dots")}${payersWord(tableView, paid)}` : "";
}

/** 第 1 圈 · 第 3 局. */
export function roundWord(tableView: MahjongTableView, view: View, short = false): string {
  const per = Number(tableView.info.options?.hands_per_round ?? 4);
  const say = speaker(tableView);
  return say(short ? "ui.round_short" : "ui.round", { round: Math.floor((view.deal - 1) / per) + 1, hand: ((view.deal - 1) % per) + 1 });
}
