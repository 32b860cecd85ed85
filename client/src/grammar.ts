// The grammar of a sentence with facts in it (docs/sentences.md). Python reads the same in qipai/lang/__init__.py, and
// tests/house/sentences.json holds both.
import type { Facts } from "./net/protocol";

/** What a language lends to every sentence. */
export interface Voice {
  /** Its tag, "zh-CN". */
  readonly tongue: string;
  /** What parts the members of a list. */
  readonly between: string;
  /** How it calls whoever reads: a name that takes the second of two forms. */
  readonly you?: string | undefined;
}

const SLOT = /\{(\w+)((?:\|[^|{}]*){2,})?\}/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NAMED = /^(none|zero|one|two|few|many|other):(.*)$/s;

const rules = new Map<string, Intl.PluralRules>();

/** The plural category of a number in a language, as CLDR has it. */
export function plural(tongue: string, n: number): Intl.LDMLPluralRule {
  let rule = rules.get(tongue);
  if (!rule) rules.set(tongue, (rule = new Intl.PluralRules(tongue)));
  return rule.select(n);
}

/** A sentence with its facts. */
export function fill(sentence: string, facts: Facts, { tongue, between, you }: Voice): string {
  const filled = sentence.replace(SLOT, (whole, name: string, forms?: string) => {
    const fact = facts[name] as unknown;
    if (forms !== undefined) return formed(forms.slice(1).split("|"), fact, tongue, you) ?? whole;
    if (fact === undefined || fact === null) return "";
    return Array.isArray(fact) ? fact.join(between) : String(fact);
  });
  return you && sentence.startsWith("{") && filled.startsWith(you) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled;
}

/** The form that fits a fact; null where the forms are none that this grammar knows. */
function formed(forms: string[], fact: unknown, tongue: string, you?: string): string | null {
  const counted = NUMBER.test(String(fact)) ? Number(fact) : null;
  const named = forms.map((form) => NAMED.exec(form));
  if (named.every((one) => one !== null)) {
    const found = new Map(named.map((one) => [one[1], one[2] ?? ""]));
    if ((fact === undefined || fact === null || fact === "") && found.has("none")) return found.get("none") ?? null;
    return found.get(counted === null ? "other" : plural(tongue, counted)) ?? found.get("other") ?? null;
  }
  if (forms.length !== 2) return null;
  const first = counted === null ? you === undefined || fact !== you : counted === 1;
  return forms[first ? 0 : 1] ?? null;
}
