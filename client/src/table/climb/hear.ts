// What a climbing game's cloth does when it is told something: cards fly and sound, bubbles say who passed.
import type { Told } from "../../net/protocol";
import { sound } from "../../shell/sound";
import type { TableView } from "../game";
import type { HandModel } from "../cards/handModel.svelte";
import type { Trick } from "../cards/trick.svelte";

/**
 * The events that all climbing games name alike: `dealt`, `played` (`over`: the seat whose set was covered, null for a
 * lead), `passed`, `taken` (`leader`: who leads next), `went_out`, `ended` (`scores`). Other events are the game's.
 *
 * more: what the game adds to any event, while it is told as it happens. says: which of its events put their own word
 * (`<game>.ui.<event>`) beside the seat.
 */
export function hearing(
  tableView: TableView<any, any, any>,
  model: HandModel<any, any, any>,
  trick: Trick,
  more: (told: Told) => void = () => undefined,
  says: readonly string[] = [],
): (told: Told[], caughtUp: boolean) => void {
  return (told, caughtUp) => {
    for (const one of told) {
      if (one.e === "played") trick.played(one.over === null);
      if (caughtUp) continue;
      const seat = Number(one.seat);
      if (one.e === "played") sound("flick");
      else if (one.e === "passed") tableView.bubble?.(seat, model.say("cards.passed"));
      else if (says.includes(one.e)) tableView.bubble?.(seat, model.say(`ui.${one.e}`));
      else if (one.e === "taken") trick.taken(Number(one.leader ?? one.seat));
      else if (one.e === "dealt") trick.dealt();
      else if (one.e === "went_out") sound("stamp");
      else if (one.e === "ended") {
        if (one.scores) trick.paid(one.scores);
        if (tableView.seat !== null && one.scores?.[tableView.seat] > 0) sound("won");
      }
      more(one);
    }
  };
}
