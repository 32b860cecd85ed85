// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import { few, leads } from "../../table/climb/calls";
import type { Options } from "./types.gen";
import type { Event, View } from "./view";

export const CALLS: Calls<Event, View> = {
  played: (one, table) => [
    one.gouji && one.only !== null ? (one.burns === null ? "gouji" : "burn") : null,
    few(one, table, (table.options as Options).report_at ?? 10) ? "few" : null,
  ],
  passed: "pass",
  closed: "closed",
  winded: "wind",
  taken: leads,
};
