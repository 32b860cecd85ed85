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

const main = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/**
 * The language for a reader who has chosen none. wanted: what the browser says they read, the best first. Who reads English
 * first and Chinese too is given Chinese, as is who reads nothing that the hall has.
 */
export function suited(tags: readonly Tag[], wanted: readonly string[]): Tag {
  const known = wanted.map(
    (one) => tags.find((tag) => tag.toLowerCase() === one.toLowerCase()) ?? tags.find((tag) => main(tag) === main(one)),
  );
  if (known[0] === FALLBACK) return known.includes(DEFAULT) ? DEFAULT : FALLBACK;
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
