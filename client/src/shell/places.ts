// Where one can go in this hall: the menu's groups in the order of DESIGN 4, only what this version has.
import type { IconName } from "../kit/Icon.svelte";
import { session } from "../net/session.svelte";

export interface Place {
  path: string;
  word: string;
  icon: IconName;
}
export interface Group {
  name: string | null;
  rows: Place[];
}

/** How much of what a row of the menu leads to waits for me: red only where it is for me (DESIGN 4). */
export const waits = (path: string): number =>
  path === "/mail" ? session.counts.mail : path === "/news" ? session.counts.news : path === "/invites" ? session.counts.invites : 0;

export function places(): Group[] {
  const me = session.user;
  const user = me?.kind === "user";
  const coins = typeof session.me?.coins === "number" && user;
  /** What only somebody has who is registered. */
  const own = (path: string, word: string, icon: IconName): Place[] => (user ? [{ path, word, icon }] : []);
  const groups: Group[] = [
    {
      name: null,
      rows: [
        { path: "/", word: "ui.lobby", icon: "home" },
        { path: "/games", word: "ui.my_games", icon: "grid" },
        { path: "/new", word: "ui.meet.new", icon: "plus" },
        { path: "/invites", word: "ui.meet.title", icon: "offer" },
      ],
    },
    {
      name: "ui.group_compete",
      rows: [
        { path: "/rooms", word: "ui.rooms", icon: "table" },
        { path: "/tournaments", word: "ui.tournament.title", icon: "crown" },
        { path: "/teams", word: "ui.team.title", icon: "sword" },
        { path: "/stairs", word: "ui.stairs.title", icon: "stairs" },
        { path: "/ponds", word: "ui.pond.title", icon: "pond" },
        { path: "/duplicates", word: "ui.duplicate.title", icon: "copy" },
        { path: "/passes", word: "kind.pass", icon: "cup" },
        { path: "/cards", word: "ui.cards.title", icon: "table" },
        { path: "/calendar", word: "ui.calendar.title", icon: "clock" },
        { path: "/prizes", word: "ui.prize.title", icon: "cup" },
      ],
    },
    {
      name: "ui.group_learn",
      rows: [
        { path: "/learn", word: "ui.learn.title", icon: "bulb" },
        { path: "/rules", word: "ui.rules_and_try", icon: "book" },
        { path: "/editor", word: "ui.editor.title", icon: "grid" },
        { path: "/positions", word: "ui.editor.positions", icon: "list" },
        { path: "/problems", word: "ui.problem.title", icon: "bulb" },
        { path: "/brought", word: "ui.brought.title", icon: "copy" },
      ],
    },
    {
      name: "ui.group_people",
      rows: [
        { path: "/clubs", word: "ui.club.title", icon: "people" },
        { path: "/boards", word: "ui.boards.title", icon: "chat" },
        { path: "/chat", word: "ui.talk.title", icon: "chat" },
        { path: "/online", word: "ui.people.who_is_online", icon: "eye" },
        ...own("/online/opponents", "ui.people.opponents", "sword"),
        { path: "/players", word: "ui.people.players", icon: "people" },
        { path: "/winners", word: "ui.winners.title", icon: "crown" },
        { path: "/rankings", word: "ui.rank.title", icon: "list" },
        { path: "/statistics", word: "ui.stats.title", icon: "clock" },
        { path: "/open-data", word: "ui.open_data.title", icon: "copy" },
        { path: "/polls", word: "ui.poll.title", icon: "list" },
        { path: "/interviews", word: "ui.interview.title", icon: "book" },
      ],
    },
    {
      name: "ui.group_profile",
      rows: [
        { path: "/membership", word: "ui.membership.title", icon: "crown" },
        ...own(`/users/${me?.id}`, "ui.people.profile", "person"),
        ...own("/album", "ui.album.title", "picture"),
        ...own("/mail", "ui.mail.title", "mail"),
        ...(me ? ([{ path: "/news", word: "ui.news.title", icon: "bell" }] as Place[]) : []),
        ...(me ? ([{ path: "/events", word: "ui.events.title", icon: "list" }] as Place[]) : []),
        { path: "/grades", word: "ui.people.grades", icon: "flag" },
        { path: "/achievements", word: "ui.achieve.title", icon: "cup" },
        ...(coins ? own("/ledger", "ui.ledger.title", "copy") : []),
        ...own("/friends", "ui.people.friends", "people"),
        ...own("/friends/blocked", "ui.people.blocked_list", "lock"),
        { path: "/settings", word: "ui.settings", icon: "gear" },
      ],
    },
    {
      name: "ui.group_help",
      rows: [
        { path: "/help", word: "ui.plain.help", icon: "bulb" },
        { path: "/faq", word: "ui.plain.faq", icon: "list" },
        { path: "/tips", word: "ui.tips_page.title", icon: "bulb" },
        { path: "/contact", word: "ui.plain.contact", icon: "mail" },
        { path: "/links", word: "ui.plain.links", icon: "link" },
        { path: "/support", word: "ui.plain.support", icon: "people" },
        { path: "/invite", word: "ui.plain.invite", icon: "share" },
      ],
    },
  ];
  if (session.moderates || session.ownRooms.length)
    groups.push({ name: "ui.group_order", rows: [{ path: "/moderation", word: "ui.order.reports", icon: "shield" }] });
  return groups;
}

/** The row of the menu in which a page lies: the nearest above it. */
export function placeOf(groups: readonly Group[], path: string): string | null {
  const above = groups
    .flatMap((group) => group.rows)
    .map((row) => row.path)
    .filter((one) => one === path || (!["/", "/games"].includes(one) && path.startsWith(`${one}/`)));
  return above.sort((one, other) => other.length - one.length)[0] ?? null;
}
