// Which calls are spoken when a game is told something; each game has its own beside its module (`calls.ts`).
import { call, type Call } from "../shell/sound";
import { prefs } from "../shell/prefs.svelte";
import type { TableView } from "./game";

type Said = Call | readonly (Call | null)[] | null;
/** What a game may ask to know which call it is: what the viewer sees anyway. */
type Seen<V> = Pick<TableView<V, any, any>, "view" | "seat" | "options">;
/** Event -> what is called: always the same, or as the event has it. Events are those that the viewer is told. */
export type Calls<E extends { e: string }, V = any> = {
  readonly [K in E["e"]]?: Call | ((one: Extract<E, { e: K }>, table: Seen<V>) => Said);
};

/** What is called at an event. */
export function callsAt<E extends { e: string }, V>(calls: Calls<E, V>, one: E, table: Seen<V>): readonly Call[] {
  const found: Call | ((one: never, table: Seen<V>) => Said) | undefined = calls[one.e as E["e"]];
  const said = typeof found === "function" ? found(one as never, table) : found;
  if (!said) return [];
  return typeof said === "string" ? [said] : said.filter((name) => name !== null);
}

/** Speak the calls of what is told as it happens; returns how to end it. */
export function aloud<V, E extends { e: string }>(tableView: TableView<V, any, any>, calls: Calls<E, V>): () => void {
  return tableView.hear((told, caughtUp) => {
    if (caughtUp || !prefs.all.voice) return;
    for (const one of told) for (const name of callsAt(calls, one as unknown as E, tableView)) call(name);
  });
}
