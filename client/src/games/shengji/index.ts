// 升级 shengji: four seats round a cloth, partners across; levels from 2 to A over many deals.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords, rankWord } from "../../table/cards/words";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { deskOf, type ShengjiFace } from "./desk.svelte";
import HandPart from "./HandPart.svelte";
import Hands from "./Hands.svelte";
import LainHand from "./LainHand.svelte";
import { beat, flag, stay } from "./moments";
import { plate, tell } from "./plate";
import Rail from "./Rail.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import Sheet from "./Sheet.svelte";
import { type Action, cardWords, type Hints, type View } from "./view";

function key(face: ShengjiFace, event: KeyboardEvent): boolean {
  const desk = deskOf(face);
  return cardKey(desk, event, {
    d: () => desk.nextCall(),
    t: () => desk.throws && desk.ready && void desk.play(),
    p: () => void desk.pass(),
  });
}

export default {
  name: "shengji",
  layout: "cloth",
  create: (face) => drawn(face, { cloth: Cloth, hand: HandPart, rail: Rail }, (event) => key(face, event)),
  plate,
  tell,
  facts: (facts, face) => ({ ...factWords(face, facts, (cards) => cardWords(face.say, cards)), ...(facts.level ? { level: rankWord(facts.level) } : {}) }),
  settle,
  sheet: Sheet,
  redraw,
  replay: { beat, stay, flag, rail: Hands, hand: LainHand },
  keys: [...CARD_KEYS, ["D", "ui.key_declare"], ["T", "ui.key_throw"]],
} satisfies GameModule<View, Action, Hints>;
