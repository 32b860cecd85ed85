// What boards are called, and what of writing is kept in this browser until it is sent (P-80).
import { has, say } from "../../lang.svelte";
import { gameName } from "../../table/terms";

const CLUB = /^club-(\d+)$/;

/** club: the name of the club whose board it is; until it is known, the board is called by what it belongs to. */
export function boardName(board: string, club: string | null = null): string {
  if (CLUB.test(board)) return club ?? say("ui.club.title");
  return has(`ui.boards.name_${board}`) ? say(`ui.boards.name_${board}`) : gameName(board);
}

/** Where a board lies: a club's in its club, the others among the hall's. */
export function boardAbove(board: string): string {
  const club = CLUB.exec(board);
  return club ? `/clubs/${club[1]}` : "/boards";
}

/** What is written there, in one line; of games' boards nothing needs to be said. */
export const boardAbout = (board: string): string => (has(`ui.boards.about_${board}`) ? say(`ui.boards.about_${board}`) : "");

/** A post as a quote: who is quoted is told by its link. */
export function quote(name: string, post: { thread: number; post: number; no: number }, text: string): string {
  // A quote of a quote would grow without end.
  const own = text.split("\n").filter((line) => !line.trimStart().startsWith(">"));
  const lines = own.join("\n").trim().split("\n");
  const head = `> [${name.replace(/[[\]\\]/g, "")} · #${post.no}](/threads/${post.thread}?post=${post.post})`;
  return `${[head, ">", ...lines.map((line) => `> ${line}`)].join("\n")}\n\n`;
}

const PREFIX = "qipai.draft.";

/** What was written here and not sent. */
export function draft(key: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

export function keepDraft(key: string, text: string): void {
  try {
    if (text.trim()) localStorage.setItem(PREFIX + key, text);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // It is lost with the page, as without this.
  }
}
