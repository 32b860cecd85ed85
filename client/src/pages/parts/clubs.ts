// What a club is, in words (P-78).
import { say } from "../../lang.svelte";
import type { ClubLine } from "../../net/protocol.gen";

/** "四十二人 · 入会要申请 · 2018 年立". */
export const clubWords = (club: ClubLine): string =>
  [
    say("ui.club.n_people", { n: club.people }),
    say(club.closed ? "ui.club.is_closed" : "ui.club.is_open"),
    say("ui.club.since", { year: new Date(club.at * 1000).getFullYear() }),
  ].join(" · ");
