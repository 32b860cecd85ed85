// Every sentence a player reads comes from the server's language files, by key; facts are filled in as {name}.
import type { Facts, Refusal } from "./net/protocol";
import { fill as filled } from "./grammar";
import { offered, pick, suited, type Language } from "./languages";
import { DEFAULT, LANGUAGES, type Tag } from "./languages.gen";
import { get, Refused } from "./net/http";
import { prefs, type Notation, type Pieces } from "./shell/prefs.svelte";

type Words = Record<string, string>;
export type Say = (key: string, facts?: Facts) => string;

const stored = (tongue: Tag) => `qipai.lang.${tongue}`;

class Lang {
  words: Words = $state.raw({});
  now: Tag = $state(DEFAULT);
  /** All that this hall has. */
  readonly offered: Language[] = $derived(offered(this.words));

  /** Load the language to begin with: chosen on this device, else the browser's. */
  async begin(): Promise<void> {
    await this.use(prefs.all.lang ?? suited(LANGUAGES, navigator.languages));
    if (prefs.all.lang) return;
    // The hall may have languages that were not there when the client was built.
    const better = suited(
      this.offered.map((one) => one.tag),
      navigator.languages,
    );
    if (better !== this.now) await this.use(better);
  }

  /** Load a language, from this device at once when it is there, then from the hall; where it has it no longer, the default. */
  async use(tongue: Tag): Promise<void> {
    const kept = read(tongue);
    if (kept) this.set(tongue, kept);
    const fresh = get<Words>(`/lang/${tongue}`).then(
      (words) => {
        this.set(tongue, words);
        try {
          localStorage.setItem(stored(tongue), JSON.stringify(words));
        } catch {
          // No room: it is fetched anew next time.
        }
      },
      (wrong: unknown) => {
        if (!(wrong instanceof Refused && wrong.status === 404) || tongue === DEFAULT) throw wrong;
        forget(tongue);
        return this.use(DEFAULT);
      },
    );
    if (kept) fresh.catch(() => undefined);
    else await fresh;
  }

  /** Change the language now, without a reload, and remember it. */
  async change(tongue: Tag): Promise<void> {
    await this.use(tongue);
    prefs.set("lang", tongue);
  }

  private set(tongue: Tag, words: Words): void {
    this.words = words;
    this.now = tongue;
    document.documentElement.lang = tongue;
  }
}

function read(tongue: Tag): Words | null {
  try {
    const text = localStorage.getItem(stored(tongue));
    return text ? (JSON.parse(text) as Words) : null;
  } catch {
    return null;
  }
}

function forget(tongue: Tag): void {
  try {
    localStorage.removeItem(stored(tongue));
  } catch {
    // Then nothing was kept.
  }
}

export const lang = new Lang();

export const has = (key: string): boolean => key in lang.words;

/** Fill facts into a sentence of the language in use (docs/sentences.md). */
export const fill = (sentence: string, facts: Facts): string =>
  filled(sentence, facts, { tongue: lang.now, between: lang.words["language.between"] ?? ", ", you: lang.words["cards.you"] });

/** The sentence of a key in the language in use. A key without a sentence is shown as it is, and noted for the tests. */
export const say: Say = (key, facts = {}) => {
  const sentence = lang.words[key];
  if (sentence === undefined) {
    note(key);
    return key;
  }
  return fill(sentence, facts);
};

/** Characters that come as they are, whoever reads (moves, seals, pictures), as the language in use spells them: 马8进7, 馬8進7. */
export const spelt = (marks: string): string =>
  marks.replace(/./g, (one) => {
    const pairs = lang.words["language.marks"] ?? "";
    const at = pairs.indexOf(one);
    return at % 2 ? one : pairs.charAt(at + 1);
  });

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

/** What is said in several languages, given by language, in the one in use. */
export const inUse = (words: Record<string, string> | undefined): string => pick(words, lang.now);

/** How moves are written: as chosen, else as the language has it: 炮二平五 in Chinese and C2=5 in English. */
export const notation = (): Notation => prefs.all.notation ?? ((lang.words["xiangqi.usual.notation"] ?? "iccs") as Notation);

/** Which pieces stand on the board: as chosen, else as the language has it. */
export const pieces = (): Pieces => prefs.all.pieces ?? ((lang.words["xiangqi.usual.pieces"] ?? "traditional") as Pieces);

/** The name of the rule and the rest of the sentence: "蹩马腿：马前一步有子。" */
export function halves(sentence: string): [string, string] {
  const cut = /^([^：:]{1,44})(：|: )\s*/.exec(sentence);
  return cut ? [cut[1] ?? "", sentence.slice(cut[0].length)] : ["", sentence];
}
