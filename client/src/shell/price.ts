// What leaving costs or has cost, in words: nothing of it that costs nothing.
import { say } from "../lang.svelte";

export const prices = (facts: Record<string, unknown>): string[] =>
  (["score", "pass", "credibility", "coins"] as const)
    .filter((what) => facts[what])
    .map((what) => say(`ui.price_${what}`, { n: String(facts[what]).replace("-", "−") }));
