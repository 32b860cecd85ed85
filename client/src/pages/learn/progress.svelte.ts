// How far somebody has come in the first lessons: this browser keeps it, and the hall for those who are signed in.
import { post } from "../../net/http";
import { session } from "../../net/session.svelte";

const KEY = "qipai.learn";
type Done = Record<string, string[]>;

function kept(): Done {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Done;
  } catch {
    return {};
  }
}

class Learning {
  done: Done = $state.raw(kept());

  of(game: string): readonly string[] {
    return this.done[game] ?? [];
  }

  /** A step is done. */
  add(game: string, step: string): void {
    if (this.of(game).includes(step)) return;
    this.keep({ ...this.done, [game]: [...this.of(game), step] });
    void this.merge();
  }

  /** Tell the hall what this browser knows, and learn what it knows. */
  async merge(): Promise<void> {
    if (session.user?.kind !== "user") return;
    try {
      const { done } = await post<{ done: Done }>("/me/lessons", { done: this.done });
      this.keep(done);
    } catch {
      // The browser has it; it is sent with the next step.
    }
  }

  private keep(done: Done): void {
    this.done = done;
    try {
      localStorage.setItem(KEY, JSON.stringify(done));
    } catch {
      // Then it is forgotten with the page.
    }
  }
}
export const learning = new Learning();
