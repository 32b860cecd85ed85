// 斗地主 dou dizhu: three seats round a cloth, a landlord with twenty cards against two peasants.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords } from "../../table/cards/words";
import LainHand from "../../table/climb/LainHand.svelte";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { modelOf, type DoudizhuTableView } from "./handModel.svelte";
import HandPart from "./HandPart.svelte";
import Matrix from "./Matrix.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Sidebar from "./Sidebar.svelte";
import { redraw } from "./redraw";
import { outcome, settle } from "./settle";
import { type Action, cardWords, formOf, type Hints, setWords, type View } from "./view";

function key(tableView: DoudizhuTableView, event: KeyboardEvent): boolean {
  const model = modelOf(tableView);
  // While I am asked for a call the digits are calls, not cards.
  const calls = model.calling ? [0, 1, 2, 3].map((n): [string, () => unknown] => [n ? String(n) : "n", () => model.bid(n)]) : [];
  return cardKey(model, event, Object.fromEntries(calls));
}

export default {
  name: "doudizhu",
  layout: "cloth",
  create: (tableView) => drawn(tableView, { cloth: Cloth, hand: HandPart, sidebar: Sidebar }, (event) => key(tableView, event)),
  plate,
  tell,
  facts: (facts, tableView) => factWords(tableView, facts, (cards) => cardWords(tableView.say, cards)),
  choice: (said, say) => setWords(say, said, formOf(said)),
  outcome,
  settle,
  redraw,
  replay: { beat, flag, sidebar: Matrix, hand: LainHand },
  keys: [...CARD_KEYS, ["1 2 3 · N", "ui.key_bid"]],
} satisfies GameModule<View, Action, Hints>;
