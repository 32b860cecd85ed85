// From a click to a table.
import { router } from "../router.svelte";
import { refuse } from "../shell/toasts.svelte";
import { asRefusal, post } from "./http";
import { keepKey } from "./keys";
import { played } from "./played";
import { LEVELS, type Level } from "./protocol";
import { session } from "./session.svelte";

const LEVEL = "qipai.level";
export const lastLevel = (): Level => LEVELS.find((one) => one === localStorage.getItem(LEVEL)) ?? (hasWon() ? "steady" : "easy");
/** Has anybody won a game here? Until then the bots are easy, so that a first game can be won. */
const hasWon = (): boolean => played().some((one) => one.seat !== null && (one.points[one.seat] ?? 0) > 0);

/** One click: a friendly table with bots in the other seats. */
export async function playBots(game: string, level: Level, colour?: "mine" | "theirs"): Promise<void> {
  try {
    if (level !== lastLevel()) localStorage.setItem(LEVEL, level); // chosen, not only met with
    await session.ensure();
    const { table } = await post<{ table: number }>("/play", { game, level, ...(colour ? { colour } : {}) });
    router.go(`/tables/${table}`);
  } catch (wrong) {
    refuse(asRefusal(wrong), game);
  }
}

/** A game alone, where one can be played so. */
export async function practise(game: string, options: Record<string, unknown> = {}): Promise<void> {
  try {
    await session.ensure();
    const { table } = await post<{ table: number }>("/play", { game, seats: 1, options });
    router.go(`/tables/${table}`);
  } catch (wrong) {
    refuse(asRefusal(wrong), game);
  }
}

/** A table of my own, found by its link alone. seats: how many play, where the game is for several numbers. */
export async function openPrivate(game: string, seats?: number): Promise<void> {
  try {
    await session.ensure();
    const { table, key } = await post<{ table: number; key?: string }>("/tables", { game, private: true, ...(seats ? { seats } : {}) });
    if (key) keepKey(table, key);
    router.go(`/tables/${table}?sit=0`);
  } catch (wrong) {
    refuse(asRefusal(wrong), game);
  }
}
