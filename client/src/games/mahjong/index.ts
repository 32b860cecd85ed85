// 四川麻将 Sichuan mahjong: four seats, 108 tiles, a bench that may buy horses.
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { modelOf } from "./handModel.svelte";
import HandPart from "./HandPart.svelte";
import Hands from "./Hands.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Sidebar from "./Sidebar.svelte";
import { redraw } from "./redraw";
import { outcome, settle } from "./settle";
import Sheet from "./Sheet.svelte";
import { choiceWords, factWords } from "./words";
import { type Action, type Hints, type MahjongTableView, PLAYERS, type View } from "./view";

/** The keys of DESIGN 11, on the cloth. */
function key(tableView: MahjongTableView, event: KeyboardEvent): boolean {
  const model = modelOf(tableView);
  const press = (id: string): boolean => {
    const found = model.keys.find((one) => one.id === id);
    if (!found || found.off) return false;
    found.run();
    return true;
  };
  switch (event.key) {
    case "ArrowLeft":
      return model.move(-1);
    case "ArrowRight":
      return model.move(1);
    case "Home":
      return model.move(-99);
    case "End":
      return model.move(99);
    case "ArrowUp":
    case "Enter": {
      if ((event.target as Element | null)?.closest("button, a")) return false;
      const one = model.held.find((held) => held.key === (model.cursor ?? model.raised));
      if (model.asked === "swap" && event.key === "Enter" && model.picked.length === 3) return press("give");
      if (one && (model.asked === "swap" || model.raised !== one.key)) model.tap(one);
      else if (model.asked === "turn" && event.key === "Enter") void model.discard();
      else return false;
      return true;
    }
    case "ArrowDown":
    case "Escape":
      if (!model.raised && !model.picked.length && model.horse === null) return false;
      model.put();
      return true;
    case " ":
      return model.asked === "swap" && !!model.cursor
        ? (model.tap(model.held.find((one) => one.key === model.cursor)!), true)
        : press("pass");
  }
  switch (event.key.toLowerCase()) {
    case "w":
      return press("hu");
    case "q":
      return press("kong");
    case "e":
      return press("pong");
    case "l":
      return press("sing");
    case "k":
      return press("dance");
    case "h":
      if (!model.asked) return false;
      model.hint();
      return true;
    default:
      return false;
  }
}

export default {
  name: "mahjong",
  layout: "cloth",
  players: PLAYERS,
  create: (tableView) => drawn(tableView, { cloth: Cloth, hand: HandPart, sidebar: Sidebar }, (event) => key(tableView, event)),
  plate,
  tell,
  facts: (facts, tableView) => factWords(tableView, facts),
  choice: choiceWords,
  outcome,
  settle,
  sheet: Sheet,
  redraw,
  replay: { beat, flag, sidebar: Hands },
  keys: [
    ["← →", "ui.key_tile"],
    ["↵", "ui.key_discard"],
    ["W", "ui.key_hu"],
    ["Q", "ui.key_kong"],
    ["E", "ui.key_pong"],
    ["␣", "ui.key_pass"],
    ["L · K", "ui.key_call"],
    ["H", "ui.key_hint"],
    ["Esc", "ui.key_down"],
  ],
} satisfies GameModule<View, Action, Hints>;
