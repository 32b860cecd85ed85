// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import type { Event } from "./view";

export const CALLS: Calls<Event> = {
  declared: (one) => (one.label === null ? "declare" : one.label === "reinforce" ? "reinforce" : "overcall"),
  buried: "bury",
  throw_failed: "throw_failed",
  played: (one) => (one.how === "throw" || one.how === "ruff" || one.how === "overruff" ? one.how : null),
  taken: (one, table) => (one.seat === table.seat ? "lead" : null),
};
