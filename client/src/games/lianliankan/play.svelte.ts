// What a player is doing in a race: the tile chosen, links on their way to the hall, the run of quick ones.
import { untrack } from "svelte";
import type * as types from "./types.gen";
import { sound } from "../../shell/sound";
import { acts, type TableView } from "../../table/game";
import { type Cell, same } from "./board";
import { nameOf } from "./faces";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type RaceTableView = TableView<View, Action, Hints>;

/** A link that was shown before the hall has said yes. */
interface Ahead {
  n: number;
  a: Cell;
  b: Cell;
  face: number;
}
export interface Drawn {
  path: readonly Cell[];
  n: number;
}

const RUN_MS = 3200; // a link within so long of the last one goes on with the run
const COUNTDOWN_MS = 3000;
const SET = "qipai.lianliankan";

interface Kept {
  letters?: boolean;
  keep?: boolean;
  best?: Record<string, number>;
  began?: [string, number];
}
function kept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(SET) ?? "{}") as Kept;
  } catch {
    return {};
  }
}

export class Play {
  readonly tableView: RaceTableView;
  selected: Cell | null = $state.raw(null);
  cursor: Cell | null = $state.raw(null);
  ahead: readonly Ahead[] = $state.raw([]);
  /** The line of each seat's last link, while it is to be seen. */
  lines: Readonly<Record<number, Drawn>> = $state.raw({});
  dip: { cells: readonly Cell[]; n: number } | null = $state.raw(null);
  run = $state(0);
  /** The pictures are letters. */
  letters = $state(false);
  /** The first tile stays chosen after a miss. */
  keep = $state(false);
  /** When the race began, by my clock; null when I was not there. */
  beganAt: number | null = $state(null);
  endedAt: number | null = $state(null);
  /** When the countdown began, by my clock. */
  countAt: number | null = $state(null);
  best: number | null = $state(null);
  /** How long the hall took to answer my last link, ms. */
  lag: number | null = $state(null);
  #lastLink = 0;
  #n = 0;

  constructor(tableView: RaceTableView) {
    this.tableView = tableView;
    const { letters = false, keep = false, began } = kept();
    this.letters = letters;
    this.keep = keep;
    if (began && began[0] === tableView.game?.game_id) this.beganAt = began[1];
  }

  get view(): View | null {
    return this.tableView.view;
  }
  /** I am in the race, and may link. */
  get mine(): boolean {
    const { tableView, view } = this;
    return acts(tableView) && tableView.seat !== null && view?.phase === "play" && view.left[tableView.seat] === null;
  }
  /** My board, without the pairs that are already on their way. */
  get board(): readonly (readonly number[])[] | null {
    const board = this.view?.board;
    if (!board || !this.ahead.length) return board ?? null;
    const copy = board.map((row) => [...row]);
    for (const { a, b, face } of this.ahead) {
      for (const [r, c] of [a, b]) if (copy[r]?.[c] === face) copy[r]![c] = 0;
    }
    return copy;
  }
  tileAt(cell: Cell): number {
    return this.board?.[cell[0]]?.[cell[1]] ?? 0;
  }
  get left(): number {
    return this.tableView.seat === null ? 0 : (this.view?.remaining[this.tableView.seat] ?? 0) - 2 * this.ahead.length;
  }

  set(what: "letters" | "keep", on: boolean): void {
    this[what] = on;
    this.#remember({ [what]: on });
  }
  #remember(more: Kept): void {
    try {
      localStorage.setItem(SET, JSON.stringify({ ...kept(), ...more }));
    } catch {
      // Then it lasts for this visit.
    }
  }

  /** The path between two tiles as the hall has named it; null when it has not. */
  known(a: Cell, b: Cell): readonly Cell[] | null {
    for (const path of this.tableView.hints?.paths ?? []) {
      const [first, last] = [path[0] as Cell, path.at(-1) as Cell];
      if (same(first, a) && same(last, b)) return path;
      if (same(first, b) && same(last, a)) return [...path].reverse();
    }
    return null;
  }

  /** A tile was tapped, or chosen by key. */
  pick = (cell: Cell): void => {
    if (!this.mine) return;
    this.tableView.refuse(null);
    if (!this.tileAt(cell)) {
      this.selected = null;
      return;
    }
    if (!this.selected || !this.tileAt(this.selected)) {
      this.selected = cell;
      sound("tap");
    } else if (same(this.selected, cell)) this.selected = null;
    else void this.link(this.selected, cell);
  };

  /** Dragged from one tile to another. */
  drop = (from: Cell, to: Cell): void => {
    if (this.mine && this.tileAt(from) && this.tileAt(to)) void this.link(from, to);
  };

  async link(a: Cell, b: Cell): Promise<void> {
    const { tableView } = this;
    const picture = this.tileAt(a);
    // Only what the hall has said can be linked is shown ahead; where tiles move after a link, one at a time.
    const still = tableView.options.gravity === "none" || !this.ahead.length;
    const path = still && picture === this.tileAt(b) ? this.known(a, b) : null;
    const n = ++this.#n;
    this.selected = null;
    if (path) {
      this.ahead = [...this.ahead, { n, a, b, face: picture }];
      this.#linked(path);
    }
    const sent = Date.now();
    const refusal = await tableView.act({ a: "link", p: [[...a], [...b]] as types.Link["p"] });
    this.lag = Date.now() - sent;
    this.ahead = this.ahead.filter((one) => one.n !== n);
    if (refusal) {
      this.run = 0;
      this.dip = { cells: [a, b], n };
      if (tableView.seat !== null) this.#erase(tableView.seat);
      const next = this.keep ? a : b;
      if (!this.selected && this.tileAt(next)) this.selected = next;
    } else if (!path) {
      const line = tableView.seat === null ? null : this.view?.lines[tableView.seat];
      if (line) this.#linked(line.path);
    }
  }

  #linked(path: readonly Cell[]): void {
    const now = Date.now();
    this.run = now - this.#lastLink < RUN_MS ? this.run + 1 : 1;
    this.#lastLink = now;
    sound("clack");
    sound("pluck", Math.min(14, this.run - 1));
    if (this.tableView.seat !== null) this.draw(this.tableView.seat, path);
  }

  draw(seat: number, path: readonly Cell[]): void {
    this.lines = { ...this.lines, [seat]: { path, n: ++this.#n } };
  }
  #erase(seat: number): void {
    const { [seat]: _gone, ...rest } = this.lines;
    this.lines = rest;
  }

  prop(a: "hint" | "shuffle"): void {
    if (!this.mine) return;
    this.selected = null;
    void this.tableView.act({ a });
  }

  /** The phase has changed: the count runs, the race begins or is over. */
  turned(phase: View["phase"] | null): void {
    untrack(() => {
      if (phase === "setup") {
        this.countAt = Date.now();
        this.beganAt = this.endedAt = this.best = null;
        this.run = 0;
        this.ahead = [];
        this.lines = {};
      } else if (phase === "play" && this.countAt !== null) this.#began(Date.now());
      else if (phase === "over") this.#over();
      this.selected = null;
      this.dip = null;
    });
  }
  #began(at: number): void {
    this.countAt = null;
    this.beganAt = at;
    const id = this.tableView.game?.game_id;
    if (this.tableView.mode === "play" && id) this.#remember({ began: [id, at] });
  }
  #over(): void {
    if (this.beganAt === null || this.endedAt !== null) return;
    this.endedAt = Date.now();
    const { daily } = this.tableView.options as { daily?: string };
    const { view, tableView } = this;
    if (!daily || tableView.mode !== "play" || view?.remaining.length !== 1 || view.why !== "cleared") return;
    const ms = this.endedAt - this.beganAt;
    const before = kept().best?.[daily];
    this.best = Math.min(ms, before ?? ms);
    this.#remember({ best: { [daily]: this.best } });
  }
  /** The number of the countdown, 3 to 1; null when none is shown. */
  count(now: number): number | null {
    if (this.countAt === null || this.view?.phase !== "setup") return null;
    return Math.max(1, Math.min(3, Math.ceil((COUNTDOWN_MS - (now - this.countAt)) / 1000)));
  }

  // Keys: the cursor goes over the board as it is drawn.
  move(dx: number, dy: number, turned: boolean): void {
    const { view } = this;
    if (!view) return;
    const [dr, dc] = turned ? [dx, dy] : [dy, dx];
    const [r, c] = this.cursor ?? this.selected ?? [Math.floor(view.rows / 2) - dr, Math.floor(view.cols / 2) - dc];
    this.cursor = [Math.min(view.rows - 1, Math.max(0, r + dr)), Math.min(view.cols - 1, Math.max(0, c + dc))];
  }

  /** The tiles row by row, for those who listen. */
  get rows(): readonly string[] {
    const { say } = this.tableView;
    return (this.board ?? []).map((faces, r) => {
      const tiles = faces.flatMap((face, c) => (face > 0 ? [say("ui.tile_at", { col: c + 1, face: nameOf(face, say) })] : []));
      return say(tiles.length ? "ui.line_of_tiles" : "ui.line_empty", { row: r + 1, tiles });
    });
  }

  describe(cell: Cell): string {
    const face = this.tileAt(cell);
    const facts = { row: cell[0] + 1, col: cell[1] + 1, face: nameOf(face, this.tableView.say) };
    return this.tableView.say(face === 0 ? "ui.gap" : same(cell, this.selected) ? "ui.tile_chosen" : "ui.tile", facts);
  }
}

const plays = new WeakMap<object, Play>();
export function playOf(tableView: RaceTableView): Play {
  let play = plays.get(tableView);
  if (!play) plays.set(tableView, (play = new Play(tableView)));
  return play;
}

/** Points by place for so many players, as the words of the game print them; empty for practice. */
export const worth = (tableView: RaceTableView, players: number): number[] =>
  players < 2 ? [] : tableView.say(`ui.worth_${players}`).split(" ").map(Number);

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

export const time = (ms: number): string => {
  const s = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
};

/** The seats as they stand, the first ahead. */
export const order = (view: View): number[] =>
  [...view.remaining.keys()].sort((a, b) => (view.places[a] ?? 0) - (view.places[b] ?? 0) || a - b);
