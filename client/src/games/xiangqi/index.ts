// 中国象棋 xiangqi: two seats, a board, clocks.
import type { Told } from "../../net/protocol";
import type * as types from "./types.gen";
import { drawn, type GameModule } from "../../table/game";
import { boardKey } from "../../table/keyed";
import Beside from "./Beside.svelte";
import Between from "./Between.svelte";
import { manOf } from "./board";
import Moves from "./Moves.svelte";
import { type Action, type Hints, playOf, sideWord, type View, written, type XiangqiFace } from "./play.svelte";
import Stage from "./Stage.svelte";
import Tools from "./Tools.svelte";

type Moved = types.Moved;

function key(face: XiangqiFace, event: KeyboardEvent): boolean {
  const play = playOf(face);
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
      if (!face.advises) return false;
      void play.advise();
      return true;
    case "o":
    case "O":
      if (face.mode !== "play") return false;
      void (face.hints?.offer_draw ? face.act({ a: "offer_draw" }, true) : face.attempt({ a: "offer_draw" }));
      return true;
    case ":":
    case "：":
      if (face.mode !== "play") return false;
      play.typing = true;
      return true;
    default:
      return boardKey(face, event);
  }
}

/** How many moves a seat has made. */
function movesOf(view: View | null, seat: number): number {
  if (!view) return 0;
  const first = view.start.split(" ")[1] === "b" ? 1 : 0;
  return seat === first ? Math.ceil(view.plies.length / 2) : Math.floor(view.plies.length / 2);
}

/** An event as a sentence, for those who listen. */
function tell(told: Told, face: XiangqiFace): string | null {
  const side = typeof told.seat === "number" ? sideWord(face, told.seat) : "";
  switch (told.e) {
    case "moved": {
      const move = face.say(told.check ? "event.moved_check" : "event.moved", { side, move: written(told as unknown as Moved) });
      return told.taken ? `${move} ${face.say("event.taken", { man: face.say(`term.${manOf(told.taken)}`) })}` : move;
    }
    case "warned":
      return told.seat === null ? face.say("event.warned_nobody", { count: told.count }) : face.say("event.warned", { count: told.count, side });
    case "ended":
      return told.winner === null
        ? face.say("event.drawn", { why: face.say(`why.${told.why}`) })
        : face.say("event.won", { side: sideWord(face, told.winner), why: face.say(`why.${told.why}`) });
    case "proposed":
    case "agreed":
      return face.say(`event.${told.e}`, { side, minutes: Math.round(told.tc.first_s / 60), moves: told.tc.first_moves });
    default:
      return face.say(`event.${told.e}`, { side });
  }
}

export default {
  name: "xiangqi",
  layout: "board",
  ownLog: true,
  create: (face) => drawn(face, { cloth: Stage, hand: Tools, rail: Moves }, (event) => key(face, event)),
  plate: (face, seat) => ({
    men: seat === 0 ? "light" : "dark",
    turn: face.view?.side === seat && face.view.phase === "play",
    moved: movesOf(face.view, seat),
  }),
  tell,
  outcome: (result, face) =>
    result.places[0] === result.places[1]
      ? face.say("event.drawn", { why: face.say(`why.${result.why}`) })
      : face.say("event.won", { side: sideWord(face, result.places[0] === 1 ? 0 : 1), why: face.say(`why.${result.why}`) }),
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
