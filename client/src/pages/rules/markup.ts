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

const LETTER = /[A-Za-z\u00C0-\u024F]/;
/** Where a word stands that is no part of a longer one, -1: nowhere. Chinese has no gaps between words. */
function whole(text: string, word: string): number {
  for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + 1)) {
    const end = i + word.length;
    if (
      !(LETTER.test(text.charAt(end)) && LETTER.test(word.slice(-1))) &&
      !(LETTER.test(text.charAt(i - 1)) && LETTER.test(word.charAt(0)))
    )
      return i;
  }
  return -1;
}

/** A text cut where glossary terms stand in it, each term marked once. */
export function marked(text: string, terms: readonly Term[]): (string | Term)[] {
  let rest: (string | Term)[] = [text];
  for (const term of terms) {
    const word = term.name.replace(/[（(].*$/, "");
    if (word.length < 2) continue;
    const at = rest.findIndex((piece) => typeof piece === "string" && whole(piece, word) >= 0);
    const piece = rest[at];
    if (typeof piece !== "string") continue;
    const i = whole(piece, word);
    rest = [...rest.slice(0, at), piece.slice(0, i), { name: word, text: term.text }, piece.slice(i + word.length), ...rest.slice(at + 1)];
  }
  return rest.filter((piece) => piece !== "");
}
