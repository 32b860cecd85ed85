// A finished deal as a game's view sees it: the view of one frame, from everybody's viewpoint or one seat's.
import type { Game, Info, Json } from "../../net/protocol";
import { StillTableView } from "../../table/still.svelte";
import type { Replay, Frame } from "../../table/game";
import { type Finished, leap, seatsOf } from "./replayFrames";

/** Who looks: all hands open, one seat, or the watchers. */
export type Viewpoints = "all" | "watch" | number;

export class ReplayTableView extends StillTableView implements Replay {
  frames: readonly Frame[] = $state.raw([]);
  /** Which line is shown: 0 is the record, others belong to a shared review. */
  line = $state(0);
  readonly record: Finished;
  n = $state(0);
  /** What an analysis says of moves, by how many actions have been taken: "?", "??". */
  marks: ReadonlyMap<number, string> = $state.raw(new Map());
  viewpoints: Viewpoints = $state("all");
  /** By seat, when all hands are open. */
  seen: Json[] | null = $state.raw(null);

  constructor(record: Finished, frames: readonly Frame[]) {
    super(infoOf(record));
    this.record = record;
    this.frames = frames;
    this.seats = seatsOf(record);
    this.game = gameOf(record);
    this.show();
  }

  get last(): number {
    return this.frames.length - 1;
  }
  get frame(): Frame {
    return this.frames[this.n]!;
  }
  get acted(): number | null {
    return this.frame.seat;
  }

  /** The moment after so many actions. */
  after(done: number): number {
    return Math.max(
      0,
      this.frames.findLastIndex((frame) => frame.done <= done),
    );
  }

  /** Show frame n; one step forward is told, so that it moves and sounds, anything else is a jump. */
  go(n: number): void {
    const to = Math.max(0, Math.min(this.last, n));
    const told = to === this.n + 1;
    this.n = to;
    this.show();
    if (told) this.tell(this.frame.told);
  }

  /** Show another line, at the moment after so many actions. */
  lay(line: number, frames: readonly Frame[], done: number): void {
    const onward = line === this.line && done > this.frame.done;
    this.line = line;
    this.frames = frames;
    this.n = onward ? this.n : this.after(done);
    if (onward) this.go(this.after(done));
    else this.show();
  }

  /** Let a seat try something here (P-90), or no longer. */
  invite(open: { seat: number; ask: string; legal: readonly Json[]; hints: Json } | null): void {
    if (open) {
      if (this.viewpoints !== open.seat) this.look(open.seat);
      this.seat = open.seat;
    }
    this.mode = open ? "play" : "replay";
    this.legal = open ? { list: [...open.legal], more: false } : null;
    this.hints = open ? open.hints : null;
    this.ask = open ? { id: 1, kind: open.ask, until: null } : null;
    if (!open) this.show();
  }

  look(viewpoints: Viewpoints): void {
    this.viewpoints = viewpoints;
    if (typeof viewpoints === "number") this.viewpoint = viewpoints;
    this.show();
  }

  leap(stops: readonly number[], forward: boolean): void {
    this.go(leap(stops, this.n, forward));
  }

  private show(): void {
    const { views } = this.frame;
    const players = views.length - 1;
    this.seat = typeof this.viewpoints === "number" ? this.viewpoints : null;
    this.seen = this.viewpoints === "all" ? views.slice(0, players) : null;
    this.view = views[this.seat ?? players];
    this.result = this.n === this.last && this.line === 0 ? this.record.result : null;
  }
}

/** The table of a record of which no frame can be shown: who sat there, and how it ended. */
export function stillOf(record: Finished): StillTableView {
  const still = new StillTableView(infoOf(record));
  still.seats = seatsOf(record);
  return still;
}

const infoOf = (record: Finished): Info => ({
  room: 0,
  no: 0,
  game: record.game,
  variant: record.variant,
  kind: "friendly",
  preset: null,
  options: record.options ?? {},
  clock: { type: "none" },
  terms: {},
  watch: { mode: "open", delay_s: null },
  state: "playing",
});

const gameOf = ({ game_id, deal, fair }: Finished): Game => ({
  game_id,
  deal,
  ...(fair.board ? { board: fair.board } : {}),
  commitment: fair.commitment,
  client_seeds: fair.client_seeds,
  server_seed: fair.server_seed,
});
