// The small markup of the rules' texts: paragraphs, and lists whose lines begin with "- ".
export type Block = { kind: "p"; text: string } | { kind: "ul"; items: string[] };

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const piece of text.trim().split(/\n\s*\n/)) {
    const lines = piece.split("\n").map((line) => line.trim()).filter(Boolean);
    let words: string[] = [];
    const flush = () => {
      if (words.length) found.push({ kind: "p", text: words.join(" ") });
      words = [];
    };
    for (const line of lines) {
      if (line.startsWith("- ")) {
        flush();
        const last = found.at(-1);
        if (last?.kind === "ul" && lines.length > 1) last.items.push(line.slice(2));
        else found.push({ kind: "ul", items: [line.slice(2)] });
      } else words.push(line);
    }
    flush();
  }
  return found;
}

export interface Term { name: string; text: string }

/** A text cut where glossary terms stand in it, each term marked once. */
export function marked(text: string, terms: readonly Term[]): (string | Term)[] {
  let rest: (string | Term)[] = [text];
  for (const term of terms) {
    const word = term.name.replace(/[（(].*$/, "");
    if (word.length < 2) continue;
    const at = rest.findIndex((piece) => typeof piece === "string" && piece.includes(word));
    const piece = rest[at];
    if (typeof piece !== "string") continue;
    const i = piece.indexOf(word);
    rest = [...rest.slice(0, at), piece.slice(0, i), { name: word, text: term.text }, piece.slice(i + word.length), ...rest.slice(at + 1)];
  }
  return rest.filter((piece) => piece !== "");
}
