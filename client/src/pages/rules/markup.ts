// The small markup of the rules' texts: a line is a paragraph, lines that begin with "- " are a list.
export type Block = { kind: "p"; text: string } | { kind: "ul"; items: string[] };

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const piece of text.trim().split(/\n\s*\n/)) {
    const lines = piece
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    let list: string[] | null = null;
    for (const line of lines) {
      if (!line.startsWith("- ")) {
        list = null;
        found.push({ kind: "p", text: line });
      } else if (list) list.push(line.slice(2));
      else found.push({ kind: "ul", items: (list = [line.slice(2)]) });
    }
  }
  return found;
}

export interface Term {
  name: string;
  text: string;
}

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
