// A page of what others change: asked again every 15 s while it is seen, and at once when a note says that something is new.
import type { Note } from "../../net/protocol";
import { session } from "../../net/session.svelte";

const EVERY_MS = 15_000;

/** Ask again until the answer is called. about: whether a note is of what the page shows. */
export function fresh(again: () => void, about: (note: Note) => boolean): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) again();
  }, EVERY_MS);
  const stop = session.listen((message) => {
    if (message.t === "note" && message.kind === "contest" && about(message)) again();
  });
  return () => {
    clearInterval(timer);
    stop();
  };
}
