// 四川麻将 Sichuan mahjong: four seats, 108 tiles, a bench that may buy horses.
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { deskOf } from "./desk.svelte";
import HandPart from "./HandPart.svelte";
import Hands from "./Hands.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Rail from "./Rail.svelte";
import { redraw } from "./redraw";
import { outcome, settle } from "./settle";
import Sheet from "./Sheet.svelte";
import { factWords } from "./words";
import { type Action, type Hints, type MahjongFace, PLAYERS, type View } from "./view";

/** The keys of DESIGN 11, on the cloth. */
function key(face: MahjongFace, event: KeyboardEvent): boolean {
  const desk = deskOf(face);
  const press = (id: string): boolean => {
    const found = desk.keys.find((one) => one.id === id);
    if (!found || found.off) return false;
    found.run();
    return true;
  };
  switch (event.key) {
    case "ArrowLeft":
      return desk.move(-1);
    case "ArrowRight":
      return desk.move(1);
    case "Home":
      return desk.move(-99);
    case "End":
      return desk.move(99);
    case "ArrowUp":
    case "Enter": {
      if ((event.target as Element | null)?.closest("button, a")) return false;
      const one = desk.held.find((held) => held.key === (desk.cursor ?? desk.raised));
      if (desk.asked === "swap" && event.key === "Enter" && desk.picked.length === 3) return press("give");
      if (one && (desk.asked === "swap" || desk.raised !== one.key)) desk.tap(one);
      else if (desk.asked === "turn" && event.key === "Enter") void desk.discard();
      else return false;
      return true;
    }
    case "ArrowDown":
    case "Escape":
      if (!desk.raised && !desk.picked.length && desk.horse === null) return false;
      desk.put();
      return true;
    case " ":
      return desk.asked === "swap" && !!desk.cursor ? (desk.tap(desk.held.find((one) => one.key === desk.cursor)!), true) : press("pass");
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
      if (!desk.asked) return false;
      desk.hint();
      return true;
    default:
      return false;
  }
}

export default {
  name: "mahjong",
  layout: "cloth",
  players: PLAYERS,
  create: (face) => drawn(face, { cloth: Cloth, hand: HandPart, rail: Rail }, (event) => key(face, event)),
  plate,
  tell,
  facts: (facts, face) => factWords(face, facts),
  outcome,
  settle,
  sheet: Sheet,
  redraw,
  replay: { beat, flag, rail: Hands },
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
