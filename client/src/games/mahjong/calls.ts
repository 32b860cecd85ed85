// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import type { Event } from "./view";

export const CALLS: Calls<Event> = {
  discarded: (one) => one.call,
  ponged: "pong",
  konged: "kong",
  won: (one) => (({ self: "self_drawn", rob: "rob", discard: "win" }) as const)[one.by],
};
