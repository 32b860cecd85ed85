// The sentence of a notice, or of a mail of the hall: by its kind and facts (P-9, P-12, P-76).
import { has, say } from "../../lang.svelte";
import { catalog } from "../../net/catalog.svelte";
import type { Facts } from "../../net/protocol";
import { gameName } from "../../table/terms";
import { titleOf } from "./achieved";
import { day, signed } from "./words";

export function told(kind: string, facts: Facts): string {
  const shown: Facts = { ...facts, until: facts.until ? say("ui.order.until", { day: day(facts.until) }) : "" };
  if (typeof facts.game === "string") shown.game = gameName(facts.game);
  if (kind === "achievement") shown.name = titleOf({ id: String(facts.id), game: facts.game ?? null });
  let code = String(facts.say ?? `notice.${kind}`);
  if (typeof facts.room === "number" && has(`${code}_room`)) {
    code += "_room";
    shown.room = catalog.roomName(facts.room);
  }
  return say(has(code) ? code : "notice.other", shown);
}

/** What a finished game of the timeline says, and what it has changed. */
export function played(facts: Facts): { words: string; changes: string[] } {
  const how = facts.sign === null ? "off" : facts.sign > 0 ? "won" : facts.sign < 0 ? "lost" : "drawn";
  const { rating, pass, grade } = facts;
  return {
    words: say(`ui.events.${how}`, { game: gameName(facts.game), points: signed(facts.score ?? facts.points) }),
    changes: [
      rating ? say("ui.events.rating", { shown: rating.shown, change: signed(rating.change) }) : "",
      pass
        ? pass.moved && pass.moved !== "none"
          ? say("ui.events.pass_moved", { pass: pass.pass })
          : say("ui.events.pass", { pass: pass.pass, change: signed(pass.change) })
        : "",
      grade ? say("ui.events.grade", { before: say(`grade.${grade[0]}`), after: say(`grade.${grade[1]}`) }) : "",
    ].filter(Boolean),
  };
}
