// 中国象棋 xiangqi: two seats, a board, clocks.
import type { Told } from "../../net/protocol";
import type * as types from "./types.gen";
import { drawn, type GameModule } from "../../table/game";
import { boardKey } from "../../table/keyed";
import Beside from "./Beside.svelte";
import Between from "./Between.svelte";
import { manOf } from "./board";
import Moves from "./Moves.svelte";
import { type Action, type Hints, playOf, sideWord, type View, written, type XiangqiTableView } from "./play.svelte";
import Stage from "./Stage.svelte";
import Tools from "./Tools.svelte";

type Moved = types.Moved;

function key(tableView: XiangqiTableView, event: KeyboardEvent): boolean {
  const play = playOf(tableView);
  switch (event.key) {
    case "Escape":
      play.put();
      return true;
    case "<":
    case ",":
      play.step(-1);
      return true;
    case ">":
    case ".":
      play.step(1);
      return true;
    case "f":
    case "F":
      play.turned = !play.turned;
      return true;
    case "h":
    case "H":
      if (!tableView.advises) return false;
      void play.advise();
      return true;
    case "o":
    case "O":
      if (tableView.mode !== "play") return false;
      void (tableView.hints?.offer_draw ? tableView.act({ a: "offer_draw" }, true) : tableView.attempt({ a: "offer_draw" }));
      return true;
    case ":":
    case "：":
      if (tableView.mode !== "play") return false;
      play.typing = true;
      return true;
    default:
      return boardKey(tableView, event);
  }
}

/** How many moves a seat has made. */
function movesOf(view: View | null, seat: number): number {
  if (!view) return 0;
  const first = view.start.split(" ")[1] === "b" ? 1 : 0;
  return seat === first ? Math.ceil(view.plies.length / 2) : Math.floor(view.plies.length / 2);
}

/** An event as a sentence, for those who listen. */
function tell(told: Told, tableView: XiangqiTableView): string | null {
  const side = typeof told.seat === "number" ? sideWord(tableView, told.seat) : "";
  switch (told.e) {
    case "moved": {
      const move = tableView.say(told.check ? "event.moved_check" : "event.moved", { side, move: written(told as unknown as Moved) });
      return told.taken ? `${move} ${tableView.say("event.taken", { man: tableView.say(`term.${manOf(told.taken)}`) })}` : move;
    }
    case "warned":
      return told.seat === null
        ? tableView.say("event.warned_nobody", { count: told.count })
        : tableView.say("event.warned", { count: told.count, side });
    case "ended":
      return told.winner === null
        ? tableView.say("event.drawn", { why: tableView.say(`why.${told.why}`) })
        : tableView.say("event.won", { side: sideWord(tableView, told.winner), why: tableView.say(`why.${told.why}`) });
    case "proposed":
    case "agreed":
      return tableView.say(`event.${told.e}`, { side, minutes: Math.round(told.tc.first_s / 60), moves: told.tc.first_moves });
    default:
      return tableView.say(`event.${told.e}`, { side });
  }
}

export default {
  name: "xiangqi",
  layout: "board",
  ownLog: true,
  create: (tableView) => drawn(tableView, { cloth: Stage, hand: Tools, sidebar: Moves }, (event) => key(tableView, event)),
  plate: (tableView, seat) => ({
    men: seat === 0 ? "light" : "dark",
    turn: tableView.view?.side === seat && tableView.view.phase === "play",
    moved: movesOf(tableView.view, seat),
  }),
  tell,
  outcome: (result, tableView) =>
    result.places[0] === result.places[1]
      ? tableView.say("event.drawn", { why: tableView.say(`why.${result.why}`) })
      : tableView.say("event.won", { side: sideWord(tableView, result.places[0] === 1 ? 0 : 1), why: tableView.say(`why.${result.why}`) }),
  replay: {
    move: (frame) => {
      const ply = frame.told.some((one) => one.e === "moved") ? frame.views[0]?.plies.at(-1) : undefined;
      if (!ply) return null;
      return written(ply);
    },
  },
  beside: Beside,
  between: Between,
  keys: [
    ["← → ↑ ↓", "ui.key_point"],
    ["↵", "ui.key_lift"],
    ["F", "ui.key_flip"],
    ["< >", "ui.key_look"],
    ["H", "ui.key_advise"],
    ["O", "ui.key_draw"],
    [":", "ui.key_type"],
    ["Esc", "ui.key_put"],
  ],
} satisfies GameModule<View, Action, Hints>;
