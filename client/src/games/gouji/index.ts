// 够级 gouji: six seats round a cloth, 36 cards each.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords } from "../../table/cards/words";
import LainHand from "../../table/climb/LainHand.svelte";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { deskOf, type GoujiFace } from "./desk.svelte";
import HandPart from "./HandPart.svelte";
import Matrix from "./Matrix.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Rail from "./Rail.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import { type Action, type Hints, setWords, type View } from "./view";

function key(face: GoujiFace, event: KeyboardEvent): boolean {
  const desk = deskOf(face);
  return cardKey(desk, event, {
    b: () => desk.ready && void desk.burn(),
    n: () => void desk.other("no_burn"),
    w: () => void desk.other("wind"),
  });
}

export default {
  name: "gouji",
  layout: "cloth",
  create: (face) => drawn(face, { cloth: Cloth, hand: HandPart, rail: Rail }, (event) => key(face, event)),
  plate,
  tell,
  facts: (facts, face) => factWords(face, facts, (cards) => setWords(face.say, cards)),
  settle,
  redraw,
  replay: { beat, flag, rail: Matrix, hand: LainHand },
  keys: [...CARD_KEYS, ["B · N", "ui.key_burn"], ["W", "ui.key_wind"]],
} satisfies GameModule<View, Action, Hints>;
