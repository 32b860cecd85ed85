// 够级 gouji: six seats round a cloth, 36 cards each.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords } from "../../table/cards/words";
import LainHand from "../../table/climb/LainHand.svelte";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { modelOf, type GoujiTableView } from "./handModel.svelte";
import HandPart from "./HandPart.svelte";
import Matrix from "./Matrix.svelte";
import { beat, flag } from "./moments";
import { plate, tell } from "./plate";
import Sidebar from "./Sidebar.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import { type Action, type Hints, setWords, type View } from "./view";

function key(tableView: GoujiTableView, event: KeyboardEvent): boolean {
  const model = modelOf(tableView);
  return cardKey(model, event, {
    b: () => model.ready && void model.burn(),
    n: () => void model.other("no_burn"),
    w: () => void model.other("wind"),
  });
}

export default {
  name: "gouji",
  layout: "cloth",
  create: (tableView) => drawn(tableView, { cloth: Cloth, hand: HandPart, sidebar: Sidebar }, (event) => key(tableView, event)),
  plate,
  tell,
  facts: (facts, tableView) => factWords(tableView, facts, (cards) => setWords(tableView.say, cards)),
  choice: (said, say) => setWords(say, said),
  settle,
  redraw,
  replay: { beat, flag, sidebar: Matrix, hand: LainHand },
  keys: [...CARD_KEYS, ["B · N", "ui.key_burn"], ["W", "ui.key_wind"]],
} satisfies GameModule<View, Action, Hints>;
