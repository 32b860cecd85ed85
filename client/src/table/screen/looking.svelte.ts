// A table that is only looked at, on a big screen or over a shoulder: the table, its game, and what stands beside it.
import { untrack } from "svelte";
import { say } from "../../lang.svelte";
import { catalog, localName } from "../../net/catalog.svelte";
import { keyOf } from "../../net/keys";
import { session } from "../../net/session.svelte";
import type { Look } from "../../net/socket";
import { Table } from "../../net/table.svelte";
import { Drawing } from "../drawing.svelte";
import { type GameModule, load, type PlateNote } from "../game";
import { placeWords } from "../terms";
import { LiveTableView } from "../tableView.svelte";

const AGAIN_MS = 15_000;

/** Made by a component, while it begins; it leaves the table when that goes. */
export class Looking {
  readonly tableView: LiveTableView;
  readonly drawing: Drawing;
  module: GameModule | null = $state.raw(null);
  room: string | null = $state(null);
  lost = $state(false);

  /** key: of a private table's link. */
  constructor(id: number, look: Look, key?: string) {
    const table = new Table(id, key ?? keyOf(id), look);
    const tableView = (this.tableView = new LiveTableView(table));
    this.drawing = new Drawing(tableView);
    const game = $derived(table.info?.game);
    $effect(() => {
      const name = game;
      if (!name) return;
      void Promise.all([load(name), catalog.game(name).catch(() => undefined)]).then(
        ([found]) => (this.module = tableView.module = found),
        () => (this.lost = true),
      );
      const at = untrack(() => table.info?.room ?? 0);
      void catalog.room(at).then(
        (found) => (this.room = found ? localName(found.name) : null),
        () => undefined,
      );
    });
    // Nobody stands before it who could press a button: it comes back by itself, after a new version of the hall, too.
    $effect(() => {
      if (session.line !== "out") return;
      const timer = setTimeout(() => location.reload(), AGAIN_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => () => tableView.close());
  }

  get ready(): boolean {
    return this.module !== null && this.tableView.table.ready;
  }
  /** What the game says of a seat. */
  note(seat: number): PlateNote {
    const { module, tableView } = this;
    return tableView.view && module?.plate ? module.plate(tableView, seat) : {};
  }
  /** Whose turn it is, by the clock or by the game. */
  turn(seat: number): boolean {
    const { tableView } = this;
    return tableView.info.state === "playing" && ((tableView.clocks?.run.includes(seat) ?? false) || this.note(seat).turn === true);
  }
  /** Whose turn it is, in words; empty where it is nobody's. */
  get whose(): string {
    const { tableView } = this;
    const names = Array.from({ length: tableView.players }, (_, seat) => seat).filter((seat) => this.turn(seat));
    return names.length ? say("ui.screen.turn_of", { names: names.map((seat) => tableView.nameOf(seat)) }) : "";
  }
  /** The last thing that happened, in words. */
  get last(): string {
    return this.tableView.log.at(-1)?.text ?? "";
  }
  get place(): string {
    return placeWords(this.tableView.info, this.room);
  }
  /** Points of a seat: of the deal that is over, of the match before it, in all. */
  points(seat: number): number | null {
    const { result, info, seats } = this.tableView;
    return result?.points[seat] ?? info.match?.points[seat] ?? seats[seat]?.score ?? null;
  }
}
