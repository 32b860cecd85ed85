// Which calls are spoken at which events (报声).
import type { Calls } from "../../table/aloud";
import type { Event } from "./types.gen";

export const CALLS: Calls<Event> = { moved: (one) => (one.check ? "check" : null) };
