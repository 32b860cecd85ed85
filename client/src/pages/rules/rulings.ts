// The rulings of a game as the hall tells them, with the words of their small tables; kept as long as the page lives.
import { fill, halves, has, lang, say, why } from "../../lang.svelte";
import { get } from "../../net/http";
import type { Facts } from "../../net/protocol";
import type { RuleAnswer, RuleRow, RuleTexts, SceneAsk } from "../../net/protocol.gen";

const kept = new Map<string, Promise<RuleTexts>>();

/** The rulings of a game in the language in use; fetched once, and again after a failure. */
export function rulingsOf(game: string): Promise<RuleTexts> {
  const key = `${game}?lang=${lang.now}`;
  let found = kept.get(key);
  if (!found) {
    found = get<RuleTexts>(`/games/${game}/rulings?lang=${lang.now}`);
    found.catch(() => kept.delete(key));
    kept.set(key, found);
  }
  return found;
}

/** Where a ruling stands among the rules; code: what was refused, so that the table opens at a case of it. */
export function placeOf(game: string, row: RuleRow, code = "", back = ""): string {
  const query = new URLSearchParams({ ...(code ? { why: code } : {}), ...(back ? { back } : {}) }).toString();
  return `/rules/${game}/${row.chapter}${query ? `?${query}` : ""}#${row.id}`;
}

/** The number of the case that shows a refusal; 0 when none does. */
export const caseOf = (row: RuleRow, code: string): number =>
  Math.max(
    0,
    row.cases.findIndex((one) => one.opened.worked.refusal?.code === code),
  );

/** Bring a place of a page under the upper edge of what scrolls it, and move nothing around that. */
export function reveal(node: HTMLElement): void {
  let box = node.parentElement;
  while (box && !(/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight)) box = box.parentElement;
  const top = node.getBoundingClientRect().top;
  if (box && box !== document.body && box !== document.documentElement) box.scrollTop += top - box.getBoundingClientRect().top - 12;
  else scrollTo({ top: scrollY + top - 70 });
}

/** Scroll to the top whatever scrolls a place. */
export function toTop(node: Element): void {
  for (let box: Element | null = node; box; box = box.parentElement) box.scrollTop = 0;
}

const SEATS = new Set(["seat", "seats", "owner", "victim", "to", "from", "giver", "by"]);

/** What is said at a small table: the words of the rulings, and where they have none those of the game. */
export class Speaker {
  readonly game: string;
  readonly words: Record<string, string>;
  constructor(game: string, words: Record<string, string>) {
    this.game = game;
    this.words = words;
  }

  word(key: string, facts: Facts = {}): string {
    const own = this.words[key];
    if (own !== undefined) return fill(own, facts);
    return has(`${this.game}.${key}`) ? say(`${this.game}.${key}`, facts) : key;
  }

  seat = (seat: number): string => {
    const side = `${this.game}.side.${seat}`;
    return has(side) ? say(side) : this.word("try.seat", { n: seat + 1 });
  };

  /** "@term.ka +1" names a word of the game: "Closed wait +1". */
  private worded(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.worded(one));
    return typeof value === "string" ? value.replace(/^@(\S+)/, (_, key: string) => halves(this.word(key))[0] || this.word(key)) : value;
  }
  private worth = (facts: Facts): Facts =>
    Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, this.worded(value)])) as Facts;

  /** Facts with seats by their names. */
  private named(facts: Facts): Facts {
    const found: Record<string, unknown> = {};
    for (const [key, fact] of Object.entries(facts)) {
      const value = this.worded(fact);
      if (!SEATS.has(key)) found[key] = value;
      else if (typeof value === "number") found[key] = this.seat(value);
      else found[key] = Array.isArray(value) ? value.map((one) => (typeof one === "number" ? this.seat(one) : one)) : value;
    }
    return found as Facts;
  }

  /** What the ruling answers, in words. */
  answer(found: RuleAnswer): string {
    if (found.refusal) return why({ code: found.refusal.code, facts: this.named(found.refusal.facts as Facts) }, this.game);
    const key = `says.${found.says}`;
    return this.word(key in this.words ? key : found.says, this.worth(found.facts as Facts));
  }

  /** The name of what may be changed: "players.0.remaining" is what remains to the first. */
  name(ask: SceneAsk): string {
    if (ask.said) return this.word(ask.said);
    const parts = (ask.name ?? "").split(".");
    const number = parts.find((part) => /^\d+$/.test(part));
    const name = this.word(`ask.${parts.findLast((part) => !/^\d+$/.test(part)) ?? ""}`);
    return number === undefined ? name : `${name} ${Number(number) + 1}`;
  }

  /** A value of a choice. */
  value(ask: SceneAsk, value: unknown): string {
    if (ask.words === "seat") return this.seat(value as number);
    return ask.words ? this.word(`${ask.words}.${value}`) : String(value);
  }

  /** An action in words: "Play 77x". */
  deed(action: Record<string, unknown>): string {
    const verb = typeof action.call === "string" ? `${action.a}_${action.call}` : String(action.a);
    const rest = Object.entries(action)
      .filter(([key]) => key !== "a" && key !== "call")
      .map(([key, value]) => this.text(key, value));
    return [this.word(`act.${verb}`), ...rest].filter(Boolean).join(" ");
  }
  private text(key: string, value: unknown): string {
    if (key === "p" && Array.isArray(value)) return value.map(([r, c]: number[]) => `${r! + 1}:${c! + 1}`).join(" – ");
    if (Array.isArray(value)) return value.join(" ");
    return value !== null && typeof value === "object" ? "" : String(value);
  }
}
