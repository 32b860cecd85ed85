// Which languages a hall has, and which of them suits a reader.
import { DEFAULT, FALLBACK, type Tag } from "./languages.gen";

/** A language: its own name for itself, the same for a small button, and "switch to it" in it. */
export interface Language {
  readonly tag: Tag;
  readonly name: string;
  readonly short: string;
  readonly switch: string;
}

/** The languages of a hall, as the sentences of each of them name all. */
export function offered(words: Readonly<Record<string, string>>): Language[] {
  return Object.entries(words).flatMap(([key, name]) => {
    const tag = /^languages\.([^.]+)\.name$/.exec(key)?.[1] as Tag | undefined;
    if (!tag) return [];
    return [{ tag, name, short: words[`languages.${tag}.short`] ?? name, switch: words[`languages.${tag}.switch`] ?? name }];
  });
}

/** The script of a language as it is usually written there: zh-TW is in Hant, zh-CN in Hans. */
const script = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script;

const main = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/**
 * The language for a reader who has chosen none. wanted: what the browser says they read, the best first. Who reads English
 * first and Chinese too is given Chinese, as is who reads nothing that the hall has.
 */
export function suited(tags: readonly Tag[], wanted: readonly string[]): Tag {
  const known = wanted.map((one) => {
    const akin = tags.filter((tag) => main(tag) === main(one));
    return akin.find((tag) => tag.toLowerCase() === one.toLowerCase()) ?? akin.find((tag) => script(tag) === script(one)) ?? akin[0];
  });
  if (known[0] === FALLBACK) return known.find((tag) => tag && main(tag) === main(DEFAULT)) ?? FALLBACK;
  return known.find((tag) => tag !== undefined && tag !== FALLBACK) ?? DEFAULT;
}

/** What is said in several languages, given by tag or by its first part, in one of them; "" where there is none. */
export function pick(words: Readonly<Record<string, string | undefined>> | undefined, tag: Tag): string {
  for (const one of [tag, FALLBACK, DEFAULT]) {
    const said = words?.[one] ?? words?.[main(one)];
    if (said !== undefined) return said;
  }
  return "";
}
