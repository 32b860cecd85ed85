// 十五子 backgammon and its nine relatives: two seats, a board, dice, a cube.
import type { Told } from "../../net/protocol";
import { prefs } from "../../shell/prefs.svelte";
import { drawn, type GameModule } from "../../table/game";
import { boardKey } from "../../table/keyed";
import { size } from "../../table/size.svelte";
import Beside from "./Beside.svelte";
import Between from "./Between.svelte";
import Moves from "./Moves.svelte";
import { type Action, type BackgammonTableView, type Hints, playOf, sideWord, type View } from "./play.svelte";
import { redraw } from "./redraw";
import Stage from "./Stage.svelte";
import Tools from "./Tools.svelte";

function key(tableView: BackgammonTableView, event: KeyboardEvent): boolean {
  const play = playOf(tableView);
  const hints = play.hints;
  switch (event.key.toLowerCase()) {
    case "escape":
      play.held = null;
      tableView.refuse(null);
      return true;
    case "h":
      if (!tableView.advises || !hints) return false;
      void play.advise();
      return true;
    case "<":
    case ",":
    case ">":
    case ".":
      if (tableView.mode !== "play" || !tableView.past) return false;
      void play.look("<,".includes(event.key) ? -1 : 1);
      return true;
    case "u":
      if (!play.laid.length) return false;
      play.undo();
      return true;
    case "d":
      if (tableView.mode !== "play" || !tableView.view?.doubling) return false;
      void (hints?.double ? tableView.act({ a: "double" }) : tableView.attempt({ a: "double" }));
      return true;
    case "t":
      if (!hints?.take) return false;
      void tableView.act({ a: "take" });
      return true;
    case "x":
      if (!hints?.take) return false;
      void tableView.act({ a: "drop" });
      return true;
    case "r":
      if (!hints?.roll) return false;
      void tableView.act({ a: "roll" });
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
      return boardKey(tableView, event);
    default:
      return boardKey(tableView, event);
  }
}

/** An event as a sentence, with sides by their names. */
function tell(told: Told, tableView: BackgammonTableView): string | null {
  const by = (seat: unknown): string => (typeof seat === "number" ? sideWord(tableView, seat) : "");
  const dice = Array.isArray(told.dice) ? told.dice.join(" ") : "";
  const score = Array.isArray(told.score) ? told.score.join(" : ") : "";
  const seat = by(told.seat);
  switch (told.e) {
    case "game_started":
      return tableView.say(told.crawford ? "event.game_started_crawford" : "event.game_started", { game: told.game_no, score });
    case "opened":
      return tableView.say(told.starter !== null ? "event.opened" : told.auto ? "event.opened_auto" : "event.opened_tie", {
        dice,
        seat: by(told.starter),
        cube: told.cube,
      });
    case "rolled":
      return tableView.say(told.dance ? "event.rolled_dance" : "event.rolled", { seat, dice });
    case "played":
      return tableView.say("event.played", { seat, dice, play: told.m });
    case "hopped":
      return tableView.say(told.to === 0 ? "event.hopped_scores" : told.wall ? "event.hopped_wall" : "event.hopped", {
        seat,
        play: hop(told as unknown as { origin: number; to: number }, tableView),
      });
    case "doubled":
      return tableView.say(told.beaver ? "event.doubled_beaver" : "event.doubled", { seat, value: told.value });
    case "cube_turned":
      return tableView.say("event.cube_turned", { seat, value: told.value, owner: by(told.owner) });
    case "offered":
      return tableView.say(told.level ? "event.offered" : "event.offered_draw", { seat, points: told.points });
    case "game_ended":
      return tableView.say(told.winner === null ? "event.game_ended_draw" : "event.game_ended", {
        game: told.game_no,
        seat: by(told.winner),
        why: tableView.say(`why.${told.how}`),
        points: told.points,
        score,
      });
    case "ended":
      return tableView.say(told.winner === null ? "event.ended_draw" : "event.ended", { seat: by(told.winner), score });
    case "dropped":
    case "accepted":
    case "rejected":
    case "skipped":
    case "left":
      return tableView.say(`event.${told.e}`, { seat });
    default:
      return null;
  }
}

const hop = (one: { origin: number; to: number }, tableView: BackgammonTableView): string =>
  `${one.origin || tableView.say("term.hand")}/${one.to || tableView.say("term.off")}`;

export default {
  name: "backgammon",
  layout: "board",
  ownLog: true,
  create: (tableView) => drawn(tableView, { cloth: Stage, hand: Tools, sidebar: Moves }, (event) => key(tableView, event)),
  plate: (tableView, seat) => {
    const side = playOf(tableView).sides?.[seat];
    const pips =
      !prefs.all.show_pips || tableView.view?.variant === "grasshopper" ? "" : `${tableView.say("ui.pips")} ${side?.pips ?? ""} · `;
    return {
      men: seat === 0 ? "white" : "dark",
      turn: tableView.view?.turn === seat,
      line: side && !size.docked ? `${pips}${tableView.say("ui.off", { n: side.off, of: side.checkers })}` : undefined,
    };
  },
  tell,
  outcome: (result, tableView) => {
    const [white, black] = result.points as [number, number];
    return white === black
      ? tableView.say("why.draw")
      : tableView.say("ui.won_by", {
          side: sideWord(tableView, white > black ? 0 : 1),
          points: Math.abs(white),
          how: tableView.say(`why.${result.why}`),
        });
  },
  replay: {
    beat: (frame) => frame.told.some((one) => one.e === "played" || one.e === "hopped"),
    move: (frame, tableView) => {
      for (const one of frame.told) {
        if (one.e === "played") return `${(one.dice as number[]).join("")}: ${one.m}`;
        if (one.e === "rolled" && one.dance) return `${(one.dice as number[]).join("")}: ${tableView.say("ui.dance")}`;
        if (["doubled", "dropped", "cube_turned", "hopped"].includes(one.e)) return tell(one, tableView);
      }
      return null;
    },
  },
  redraw,
  drawsOn: true,
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
