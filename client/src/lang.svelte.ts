// Every sentence a player reads comes from the server's language files, by key; facts are filled in as {name}.
import type { Facts, Refusal } from "./net/protocol";
import { fill as filled } from "./grammar";
import { get } from "./net/http";
import { prefs } from "./shell/prefs.svelte";

export type Tongue = "zh-CN" | "en";
type Words = Record<string, string>;
export type Say = (key: string, facts?: Facts) => string;

const stored = (tongue: Tongue) => `qipai.lang.${tongue}`;

class Lang {
  words: Words = $state.raw({});
  now: Tongue = $state("zh-CN");

  /** Load a language, from this device at once when it is there, then from the hall. */
  async use(tongue: Tongue): Promise<void> {
    const kept = read(tongue);
    if (kept) this.set(tongue, kept);
    const fresh = get<Words>(`/lang/${tongue}`).then((words) => {
      this.set(tongue, words);
      try {
        localStorage.setItem(stored(tongue), JSON.stringify(words));
      } catch {
        // No room: it is fetched anew next time.
      }
    });
    if (kept) fresh.catch(() => undefined);
    else await fresh;
  }

  /** Change the language now, without a reload, and remember it. */
  async change(tongue: Tongue): Promise<void> {
    await this.use(tongue);
    prefs.set("lang", tongue);
  }

  private set(tongue: Tongue, words: Words): void {
    this.words = words;
    this.now = tongue;
    document.documentElement.lang = tongue;
  }
}

function read(tongue: Tongue): Words | null {
  try {
    const text = localStorage.getItem(stored(tongue));
    return text ? (JSON.parse(text) as Words) : null;
  } catch {
    return null;
  }
}

export const lang = new Lang();

/** The language to begin with: chosen on this device, else the browser's. */
export function firstTongue(): Tongue {
  const chosen = prefs.all.lang;
  if (chosen) return chosen;
  return navigator.languages.some((one) => one.toLowerCase().startsWith("zh")) || !navigator.language.startsWith("en") ? "zh-CN" : "en";
}

export const has = (key: string): boolean => key in lang.words;

/** Fill facts into a sentence of the language in use (docs/sentences.md). */
export const fill = (sentence: string, facts: Facts): string =>
  filled(sentence, facts, { tongue: lang.now, between: lang.now === "en" ? ", " : "、", you: lang.words["cards.you"] });

/** The sentence of a key in the language in use. A key without a sentence is shown as it is, and noted for the tests. */
export const say: Say = (key, facts = {}) => {
  const sentence = lang.words[key];
  if (sentence === undefined) {
    note(key);
    return key;
  }
  return fill(sentence, facts);
};

const missing = new Set<string>();
function note(key: string): void {
  if (missing.has(key)) return;
  missing.add(key);
  document.documentElement.dataset.missing = [...missing].join(" ");
}

/**
 * The sentence of a refusal. Codes in capitals are the hall's, the others the game's. A code that stands for several
 * things names which in its fact `case`, and has a sentence for each: `<code>_<case>`.
 */
export function why(refusal: Refusal, game?: string): string {
  const { code, facts } = refusal;
  const key = code.startsWith("ui.") || code === code.toUpperCase() ? code : `${game}.${code}`;
  const wait = Math.ceil((facts?.wait_ms ?? 0) / 1000);
  if (wait && has(`${key}_wait`))
    return say(`${key}_wait`, { time: wait < 120 ? say("ui.seconds", { n: wait }) : say("ui.minutes", { n: Math.ceil(wait / 60) }) });
  const cased = `${key}_${facts?.case}`;
  return say(facts?.case !== undefined && has(cased) ? cased : key, facts);
}

/** How moves are written: as chosen, else 炮二平五 in Chinese and C2=5 in English. */
export const notation = (): "zh" | "wxf" | "iccs" => prefs.all.notation ?? (lang.now === "en" ? "wxf" : "zh");

/** The name of the rule and the rest of the sentence: "蹩马腿：马前一步有子。" */
export function halves(sentence: string): [string, string] {
  const cut = /^([^：:]{1,44})(：|: )\s*/.exec(sentence);
  return cut ? [cut[1] ?? "", sentence.slice(cut[0].length)] : ["", sentence];
}
