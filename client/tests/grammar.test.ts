// The same cases as tests/house/test_sentences.py.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fill, plural, type Voice } from "../src/grammar";

interface Case {
  what: string;
  lang: string;
  sentence: string;
  facts: Record<string, unknown>;
  said: string;
}
interface Cases {
  voices: Record<string, Omit<Voice, "tongue">>;
  sentences: Case[];
  plurals: Record<string, Record<string, number[]>>;
}
const cases = JSON.parse(readFileSync(new URL("../../tests/house/sentences.json", import.meta.url), "utf8")) as Cases;

test.each(cases.sentences)("$what", ({ lang, sentence, facts, said }) => {
  expect(fill(sentence, facts, { tongue: lang, between: ", ", ...cases.voices[lang] })).toBe(said);
});

test.each(Object.entries(cases.plurals))("plurals in %s", (tongue, categories) => {
  for (const [category, numbers] of Object.entries(categories)) {
    for (const n of numbers) expect(plural(tongue, n), String(n)).toBe(category);
  }
});
