// 连连看 lianliankan: one to six seats, everybody at once on an own copy of one board.
import type { Told } from "../../net/protocol";
import { named, speaker } from "../../table/cards/words";
import { drawn, type GameModule } from "../../table/game";
import { size } from "../../table/size.svelte";
import { type Action, type Hints, playOf, type RaceTableView, time, type View } from "./play.svelte";
import Race from "./Race.svelte";
import Stage, { turnedNow } from "./Stage.svelte";

const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function key(tableView: RaceTableView, event: KeyboardEvent): boolean {
  const play = playOf(tableView);
  const step = ARROWS[event.key];
  if (step) {
    play.move(step[0], step[1], turnedNow(tableView));
    return true;
  }
  switch (event.key) {
    case "Enter":
    case " ":
      if (!play.cursor) return false;
      play.pick(play.cursor);
      return true;
    case "Escape":
      if (!play.selected && !play.cursor) return false;
      // Who puts a tile down stays where they are on the board.
      if (play.selected) play.selected = null;
      else play.cursor = null;
      tableView.refuse(null);
      return true;
    case "h":
    case "H":
      play.prop("hint");
      return true;
    case "x":
    case "X":
      play.prop("shuffle");
      return true;
    default:
      return false;
  }
}

/** An event as a sentence for the log; links are too many for it. */
function tell(told: Told, tableView: RaceTableView): string | null {
  const name = typeof told.seat === "number" ? named(tableView, told.seat) : "";
  switch (told.e) {
    case "linked":
      return null;
    case "reshuffled":
      return told.stuck ? speaker(tableView)("log.stuck", { name }) : null;
    case "used":
      return speaker(tableView)(`log.used_${told.prop}`, { name, left: told.left });
    case "hinted":
      return null;
    case "left":
      return speaker(tableView)("log.left", { name });
    case "began":
      return tableView.say("event.began", { tiles: told.tiles });
    case "ended":
      return tableView.say("event.ended", { why: tableView.say(`why.${told.why}`) });
    default:
      return null;
  }
}

export default {
  name: "lianliankan",
  layout: "race",
  create: (tableView) => drawn(tableView, { cloth: Stage, sidebar: Race }, (event) => key(tableView, event)),
  tell,
  outcome: (result, tableView) => {
    const winner = tableView.view?.winner ?? null;
    return winner === null || result.points.length === 1
      ? tableView.say(`why.${result.why}`)
      : speaker(tableView)("ui.won", { name: named(tableView, winner), why: tableView.say(`why.${result.why}`) });
  },
  settle: (tableView) => {
    const { view } = tableView;
    if (!view) return null;
    const play = playOf(tableView);
    const took = play.beganAt !== null && play.endedAt !== null ? play.endedAt - play.beganAt : null;
    return {
      after: [
        { head: tableView.say("ui.tiles"), cells: view.remaining.map(String) },
        ...(size.phone ? [] : [{ head: tableView.say("ui.reshuffles"), cells: view.reshuffles.map(String) }]),
      ],
      notes: [
        ...(took === null ? [] : [tableView.say("ui.race_time", { time: time(took) })]),
        ...(play.best === null ? [] : [tableView.say(play.best === took ? "ui.new_best" : "ui.best", { time: time(play.best) })]),
      ],
    };
  },
  replay: {
    // The times of a race all count from its start: the replay runs as the race did.
    stay: (frame, before) =>
      Math.max(40, Math.min(4000, frame.ms && before.seat !== null && before.seat >= 0 ? frame.ms - before.ms : frame.ms || 400)),
    move: (frame, tableView) => {
      const linked = frame.told.find((one) => one.e === "linked");
      if (!linked || typeof linked.seat !== "number") return null;
      return speaker(tableView)("ui.film_link", { name: named(tableView, linked.seat), n: linked.remaining });
    },
  },
  keys: [
    ["← → ↑ ↓", "ui.key_move"],
    ["↵", "ui.key_choose"],
    ["H", "ui.key_hint"],
    ["X", "ui.key_shuffle"],
    ["Esc", "ui.key_drop"],
  ],
} satisfies GameModule<View, Action, Hints>;
