// 升级 shengji: four seats round a cloth, partners across; levels from 2 to A over many deals.
import { CARD_KEYS, cardKey } from "../../table/cards/keys";
import { factWords, rankWord } from "../../table/cards/words";
import { drawn, type GameModule } from "../../table/game";
import Cloth from "./Cloth.svelte";
import { modelOf, type ShengjiTableView } from "./handModel.svelte";
import HandPart from "./HandPart.svelte";
import Hands from "./Hands.svelte";
import LainHand from "./LainHand.svelte";
import { beat, flag, stay } from "./moments";
import { plate, tell } from "./plate";
import Sidebar from "./Sidebar.svelte";
import { redraw } from "./redraw";
import { settle } from "./settle";
import Sheet from "./Sheet.svelte";
import { type Action, cardWords, type Hints, type View } from "./view";

function key(tableView: ShengjiTableView, event: KeyboardEvent): boolean {
  const model = modelOf(tableView);
  return cardKey(model, event, {
    d: () => model.nextCall(),
    t: () => model.throws && model.ready && void model.play(),
    p: () => void model.pass(),
  });
}

export default {
  name: "shengji",
  layout: "cloth",
  create: (tableView) => drawn(tableView, { cloth: Cloth, hand: HandPart, sidebar: Sidebar }, (event) => key(tableView, event)),
  plate,
  tell,
  facts: (facts, tableView) => ({
    ...factWords(tableView, facts, (cards) => cardWords(tableView.say, cards)),
    ...(facts.level ? { level: rankWord(facts.level) } : {}),
  }),
  choice: (said, say) => cardWords(say, said.split(" ")),
  settle,
  sheet: Sheet,
  redraw,
  replay: { beat, stay, flag, sidebar: Hands, hand: LainHand },
  keys: [...CARD_KEYS, ["D", "ui.key_declare"], ["T", "ui.key_throw"]],
} satisfies GameModule<View, Action, Hints>;
