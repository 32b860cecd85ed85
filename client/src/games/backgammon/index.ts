// 十五子 backgammon and its nine relatives: two seats, a board, dice, a cube.
import type { Told } from "../../net/protocol";
import { prefs } from "../../shell/prefs.svelte";
import { drawn, type GameModule } from "../../table/game";
import { boardKey } from "../../table/keyed";
import { size } from "../../table/size.svelte";
import Beside from "./Beside.svelte";
import Between from "./Between.svelte";
import Moves from "./Moves.svelte";
import { type Action, type BackgammonFace, type Hints, playOf, sideWord, type View } from "./play.svelte";
import { redraw } from "./redraw";
import Stage from "./Stage.svelte";
import Tools from "./Tools.svelte";

function key(face: BackgammonFace, event: KeyboardEvent): boolean {
  const play = playOf(face);
  const hints = play.hints;
  switch (event.key.toLowerCase()) {
    case "escape":
      play.held = null;
      face.refuse(null);
      return true;
    case "h":
      if (!face.advises || !hints) return false;
      void play.advise();
      return true;
    case "<":
    case ",":
    case ">":
    case ".":
      if (face.mode !== "play" || !face.past) return false;
      void play.look("<,".includes(event.key) ? -1 : 1);
      return true;
    case "u":
      if (!play.laid.length) return false;
      play.undo();
      return true;
    case "d":
      if (face.mode !== "play" || !face.view?.doubling) return false;
      void (hints?.double ? face.act({ a: "double" }) : face.attempt({ a: "double" }));
      return true;
    case "t":
      if (!hints?.take) return false;
      void face.act({ a: "take" });
      return true;
    case "x":
      if (!hints?.take) return false;
      void face.act({ a: "drop" });
      return true;
    case "r":
      if (!hints?.roll) return false;
      void face.act({ a: "roll" });
      return true;
    case ":":
    case "：":
      if (!play.moving) return false;
      play.typing = true;
      return true;
    case "enter":
      if (play.done !== null && !play.held) {
        void play.finish();
        return true;
      }
      return boardKey(face, event);
    default:
      return boardKey(face, event);
  }
}

/** An event as a sentence, with sides by their names. */
function tell(told: Told, face: BackgammonFace): string | null {
  const by = (seat: unknown): string => (typeof seat === "number" ? sideWord(face, seat) : "");
  const dice = Array.isArray(told.dice) ? told.dice.join(" ") : "";
  const score = Array.isArray(told.score) ? told.score.join(" : ") : "";
  const seat = by(told.seat);
  switch (told.e) {
    case "game_started":
      return face.say(told.crawford ? "event.game_started_crawford" : "event.game_started", { game: told.game_no, score });
    case "opened":
      return face.say(told.starter !== null ? "event.opened" : told.auto ? "event.opened_auto" : "event.opened_tie", { dice, seat: by(told.starter), cube: told.cube });
    case "rolled":
      return face.say(told.dance ? "event.rolled_dance" : "event.rolled", { seat, dice });
    case "played":
      return face.say("event.played", { seat, dice, play: told.m });
    case "hopped":
      return face.say(told.to === 0 ? "event.hopped_scores" : told.wall ? "event.hopped_wall" : "event.hopped", { seat, play: hop(told as unknown as { origin: number; to: number }, face) });
    case "doubled":
      return face.say(told.beaver ? "event.doubled_beaver" : "event.doubled", { seat, value: told.value });
    case "cube_turned":
      return face.say("event.cube_turned", { seat, value: told.value, owner: by(told.owner) });
    case "offered":
      return face.say(told.level ? "event.offered" : "event.offered_draw", { seat, points: told.points });
    case "game_ended":
      return face.say(told.winner === null ? "event.game_ended_draw" : "event.game_ended", { game: told.game_no, seat: by(told.winner), why: face.say(`why.${told.how}`), points: told.points, score });
    case "ended":
      return face.say(told.winner === null ? "event.ended_draw" : "event.ended", { seat: by(told.winner), score });
    case "dropped":
    case "accepted":
    case "rejected":
    case "skipped":
    case "left":
      return face.say(`event.${told.e}`, { seat });
    default:
      return null;
  }
}

const hop = (one: { origin: number; to: number }, face: BackgammonFace): string =>
  `${one.origin || face.say("term.hand")}/${one.to || face.say("term.off")}`;

export default {
  name: "backgammon",
  layout: "board",
  ownLog: true,
  create: (face) => drawn(face, { cloth: Stage, hand: Tools, rail: Moves }, (event) => key(face, event)),
  plate: (face, seat) => {
    const side = playOf(face).sides?.[seat];
    const pips = !prefs.all.show_pips || face.view?.variant === "grasshopper" ? "" : `${face.say("ui.pips")} ${side?.pips ?? ""} · `;
    return {
      men: seat === 0 ? "white" : "dark",
      turn: face.view?.turn === seat,
      line: side && !size.docked ? `${pips}${face.say("ui.off", { n: side.off, of: side.checkers })}` : undefined,
    };
  },
  tell,
  outcome: (result, face) => {
    const [white, black] = result.points as [number, number];
    return white === black ? face.say("why.draw") : face.say("ui.won_by", { side: sideWord(face, white > black ? 0 : 1), points: Math.abs(white), how: face.say(`why.${result.why}`) });
  },
  replay: {
    beat: (frame) => frame.told.some((one) => one.e === "played" || one.e === "hopped"),
    move: (frame, face) => {
      for (const one of frame.told) {
        if (one.e === "played") return `${(one.dice as number[]).join("")}: ${one.m}`;
        if (one.e === "rolled" && one.dance) return `${(one.dice as number[]).join("")}: ${face.say("ui.dance")}`;
        if (["doubled", "dropped", "cube_turned", "hopped"].includes(one.e)) return tell(one, face);
      }
      return null;
    },
  },
  redraw,
  beside: Beside,
  between: Between,
  keys: [
    ["← → ↑ ↓", "ui.key_point"],
    ["↵", "ui.key_larger"],
    ["⇧ ↵", "ui.key_smaller"],
    ["U", "ui.undo"],
    ["R", "ui.roll"],
    ["D", "ui.double"],
    ["T", "ui.take"],
    ["X", "ui.drop"],
    ["< >", "ui.key_look"],
    ["H", "ui.key_advise"],
    [":", "ui.key_type"],
    ["Esc", "ui.key_put"],
  ],
} satisfies GameModule<View, Action, Hints>;
