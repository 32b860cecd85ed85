// 保皇 baohuang: five seats round a cloth, 33 cards each, a guard whom nobody knows.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords } from "../../table/cards/words";
import LainHand from "../../table/climb/LainHand.svelte";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { type BaohuangFace, deskOf } from "./desk.svelte";
import HandPart from "./HandPart.svelte";
import Matrix from "./Matrix.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Rail from "./Rail.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import { type Action, type Hints, setWords, type View } from "./view";

function key(face: BaohuangFace, event: KeyboardEvent): boolean {
  const desk = deskOf(face);
  const answer = (at: number) => {
    const one = desk.offered[at];
    if (one) void desk.other(one.a);
  };
  return cardKey(desk, event, { y: () => answer(0), n: () => answer(1) });
}

export default {
  name: "baohuang",
  layout: "cloth",
  create: (face) => drawn(face, { cloth: Cloth, hand: HandPart, rail: Rail }, (event) => key(face, event)),
  plate,
  tell,
  facts: (facts, face) => factWords(face, facts, (cards) => setWords(face.say, cards)),
  settle,
  redraw,
  replay: { beat, flag, rail: Matrix, hand: LainHand },
  keys: [...CARD_KEYS, ["Y · N", "ui.key_answer"]],
} satisfies GameModule<View, Action, Hints>;
