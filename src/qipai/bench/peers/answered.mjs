// Answer lines: each a word, its answer a line.
import { createInterface } from 'node:readline';

export function answered(words) {
  console.log('ready');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (word) => console.log(words[word.trim()]() ?? 'done'));
  lines.on('close', () => process.exit(0));
}
