// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import { few, leads } from "../../table/climb/calls";
import type { Event, View } from "./view";

const BIDS = ["no_bid", "bid_one", "bid_two", "bid_three"] as const;
/** Who has so few cards left says so (报双, 报单). */
const REPORTED = 2;

export const CALLS: Calls<Event, View> = {
  called: (one) => BIDS[one.n] ?? null,
  settled: "landlord",
  played: (one, table) => {
    const [kind] = one.form;
    return [kind === "bomb" || kind === "rocket" ? kind : null, few(one, table, REPORTED) ? "few" : null];
  },
  passed: "cannot",
  taken: leads,
  ended: (one) => (one.spring ? (one.winner === one.landlord ? "spring" : "anti_spring") : null),
};
