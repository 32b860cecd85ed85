// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import { leads } from "../../table/climb/calls";
import type { Event, View } from "./view";

export const CALLS: Calls<Event, View> = {
  grabbed: "grab",
  yielded: "yield",
  revealed: "reveal",
  rebelled: "rebellion",
  kicked: "kick",
  played: (one) => (one.shows ? "guard" : null),
  passed: "pass",
  taken: leads,
};
