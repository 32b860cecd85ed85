// 保皇 baohuang: five seats round a cloth, 33 cards each, a guard whom nobody knows.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords } from "../../table/cards/words";
import LainHand from "../../table/climb/LainHand.svelte";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { type BaohuangTableView, modelOf } from "./handModel.svelte";
import HandPart from "./HandPart.svelte";
import Matrix from "./Matrix.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Sidebar from "./Sidebar.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import { type Action, type Hints, setWords, type View } from "./view";

function key(tableView: BaohuangTableView, event: KeyboardEvent): boolean {
  const model = modelOf(tableView);
  const answer = (at: number) => {
    const one = model.offered[at];
    if (one) void model.other(one.a);
  };
  return cardKey(model, event, { y: () => answer(0), n: () => answer(1) });
}

export default {
  name: "baohuang",
  layout: "cloth",
  create: (tableView) => drawn(tableView, { cloth: Cloth, hand: HandPart, sidebar: Sidebar }, (event) => key(tableView, event)),
  plate,
  tell,
  facts: (facts, tableView) => factWords(tableView, facts, (cards) => setWords(tableView.say, cards)),
  choice: (said, say) => setWords(say, said),
  settle,
  redraw,
  replay: { beat, flag, sidebar: Matrix, hand: LainHand },
  keys: [...CARD_KEYS, ["Y · N", "ui.key_answer"]],
} satisfies GameModule<View, Action, Hints>;
