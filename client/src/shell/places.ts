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
  const coins = typeof session.me?.coins === "number" && me?.kind === "user";
  const groups: Group[] = [
    {
      name: null,
      rows: [
        { path: "/", word: "ui.lobby", icon: "home" },
        { path: "/games", word: "ui.my_games", icon: "grid" },
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
      ],
    },
    {
      name: "ui.group_learn",
      rows: [
        { path: "/rules", word: "ui.rules_and_try", icon: "book" },
        { path: "/brought", word: "ui.brought.title", icon: "copy" },
      ],
    },
    {
      name: "ui.group_people",
      rows: [
        { path: "/chat", word: "ui.talk.title", icon: "chat" },
        { path: "/clubs", word: "ui.club.title", icon: "people" },
        { path: "/online", word: "ui.people.who_is_online", icon: "eye" },
        ...(me?.kind === "user" ? [{ path: "/online/opponents", word: "ui.people.opponents", icon: "sword" } as Place] : []),
        { path: "/players", word: "ui.people.players", icon: "people" },
        { path: "/winners", word: "ui.winners.title", icon: "crown" },
        { path: "/rankings", word: "ui.rank.title", icon: "list" },
        { path: "/boards", word: "ui.boards.title", icon: "chat" },
        { path: "/statistics", word: "ui.stats.title", icon: "clock" },
        { path: "/polls", word: "ui.poll.title", icon: "list" },
        { path: "/interviews", word: "ui.interview.title", icon: "book" },
      ],
    },
    {
      name: "ui.group_profile",
      rows: [
        ...(me?.kind === "user" ? [{ path: `/users/${me.id}`, word: "ui.people.profile", icon: "person" } as Place] : []),
        ...(me?.kind === "user" ? [{ path: "/album", word: "ui.album.title", icon: "picture" } as Place] : []),
        { path: "/grades", word: "ui.people.grades", icon: "flag" },
        { path: "/achievements", word: "ui.achieve.title", icon: "cup" },
        ...(coins ? [{ path: "/ledger", word: "ui.ledger.title", icon: "copy" } as Place] : []),
        ...(me?.kind === "user" ? [{ path: "/mail", word: "ui.mail.title", icon: "mail" } as Place] : []),
        ...(me ? ([{ path: "/news", word: "ui.news.title", icon: "bell" }] as Place[]) : []),
        ...(me ? ([{ path: "/events", word: "ui.events.title", icon: "list" }] as Place[]) : []),
        ...(me?.kind === "user" ? [{ path: "/friends", word: "ui.people.friends", icon: "people" } as Place] : []),
        { path: "/settings", word: "ui.settings", icon: "gear" },
      ],
    },
  ];
  if (session.moderates || session.ownRooms.length)
    groups.push({ name: "ui.group_order", rows: [{ path: "/moderation", word: "ui.order.reports", icon: "shield" }] });
  return groups;
}
