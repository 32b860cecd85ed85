// 拈 nim: two seats, heaps of stones. The smallest whole client of a game.
import { named, speaker } from "../../table/cards/words";
import { drawn, type GameModule, type TableView } from "../../table/game";
import Heaps from "./Heaps.svelte";
import type * as types from "./types.gen";

export type NimTableView = TableView<types.View, types.Action, types.Hints>;

export default {
  name: "nim",
  layout: "board",
  create: (tableView) => drawn(tableView, { cloth: Heaps }),
  plate: (tableView, seat) => ({ turn: tableView.view?.turn.includes(seat) }),
  tell: (told, tableView) =>
    told.e === "ended"
      ? speaker(tableView)("event.ended", { winner: named(tableView, told.winner) })
      : speaker(tableView)("event.taken", { seat: named(tableView, told.seat), n: told.n, heap: told.heap + 1, left: told.left }),
} satisfies GameModule<types.View, types.Action, types.Hints>;
