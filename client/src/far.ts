// Every page and its address. It comes over the line when a page is opened that App.svelte does not know by itself.
import type { Component } from "svelte";
import { fits } from "./router.svelte";

export type Page = Component<Record<string, string>>;
export interface Place {
  /** The file of the page. */
  name: string;
  params: Record<string, string>;
  load: () => Promise<{ default: Page }>;
}

// A page is a file; it comes when it is first opened.
const files = import.meta.glob<{ default: Page }>(["./pages/*.svelte", "./pages/replay/Replay.svelte", "./table/TablePage.svelte"]);
const nowhere = (): Promise<{ default: Page }> => import("./pages/Nowhere.svelte") as Promise<{ default: Page }>;
const routes: [string, string][] = [
  ["/", "./pages/Lobby.svelte"],
  ["/rooms", "./pages/Rooms.svelte"],
  ["/rooms/:id", "./pages/Room.svelte"],
  ["/tables/:id", "./table/TablePage.svelte"],
  ["/shoulder/:id", "./pages/Shoulder.svelte"],
  ["/screen/:id?", "./pages/Screen.svelte"],
  ["/t/:key", "./pages/Link.svelte"],
  ["/g/:id", "./pages/replay/Replay.svelte"],
  ["/rules/:game?/:chapter?", "./pages/Rules.svelte"],
  ["/learn/:game?", "./pages/Learn.svelte"],
  ["/kept", "./pages/Kept.svelte"],
  ["/settings/:section?", "./pages/Settings.svelte"],
  ["/signin", "./pages/SignIn.svelte"],
  ["/reset", "./pages/Reset.svelte"],
  ["/games", "./pages/Games.svelte"],
  ["/brought", "./pages/Brought.svelte"],
  ["/problems/:id?", "./pages/Problems.svelte"],
  ["/games/:game", "./pages/Game.svelte"],
  ["/me", "./pages/Me.svelte"],
  ["/me/rulings", "./pages/Rulings.svelte"],
  ["/users/:id", "./pages/User.svelte"],
  ["/users/:id/album", "./pages/Album.svelte"],
  ["/users/:id/achievements", "./pages/Achievements.svelte"],
  ["/users/:id/skill", "./pages/Skill.svelte"],
  ["/album", "./pages/Album.svelte"],
  ["/pictures/:id", "./pages/Picture.svelte"],
  ["/achievements", "./pages/Achievements.svelte"],
  ["/players", "./pages/Players.svelte"],
  ["/online/:part?", "./pages/Online.svelte"],
  ["/cards", "./pages/Cards.svelte"],
  ["/winners", "./pages/Winners.svelte"],
  ["/calendar", "./pages/Calendar.svelte"],
  ["/friends/:part?", "./pages/Friends.svelte"],
  ["/rankings/:game?", "./pages/Rankings.svelte"],
  ["/statistics", "./pages/Statistics.svelte"],
  ["/open-data", "./pages/OpenData.svelte"],
  ["/grades", "./pages/Grades.svelte"],
  ["/passes", "./pages/Passes.svelte"],
  ["/ledger", "./pages/Ledger.svelte"],
  ["/shop", "./pages/Shop.svelte"],
  ["/invites", "./pages/Invites.svelte"],
  ["/new", "./pages/New.svelte"],
  ["/stairs", "./pages/Stairs.svelte"],
  ["/stairs/:name", "./pages/Flight.svelte"],
  ["/tournaments", "./pages/Tournaments.svelte"],
  ["/tournaments/:id", "./pages/Tournament.svelte"],
  ["/prizes", "./pages/Tournaments.svelte"],
  ["/teams", "./pages/Teams.svelte"],
  ["/teams/:id", "./pages/TeamsCup.svelte"],
  ["/ponds", "./pages/Ponds.svelte"],
  ["/clubs/:id?/:part?", "./pages/Clubs.svelte"],
  ["/duplicates", "./pages/Duplicates.svelte"],
  ["/rooms/:id/boards/:no?", "./pages/Duplicates.svelte"],
  ["/duplicates/:game/:day", "./pages/Duplicate.svelte"],
  ["/ponds/:id", "./pages/Pond.svelte"],
  ["/chat/:place?", "./pages/Chats.svelte"],
  ["/editor/:game?", "./pages/Editor.svelte"],
  ["/positions", "./pages/Positions.svelte"],
  ["/polls", "./pages/Polls.svelte"],
  ["/polls/:id", "./pages/Poll.svelte"],
  ["/interviews", "./pages/Interviews.svelte"],
  ["/interviews/:id", "./pages/Interview.svelte"],
  ["/stop", "./pages/Stop.svelte"],
  ["/mail/:id?", "./pages/Mail.svelte"],
  ["/news", "./pages/News.svelte"],
  ["/events", "./pages/Events.svelte"],
  ["/boards", "./pages/Boards.svelte"],
  ["/boards/:name", "./pages/Board.svelte"],
  ["/threads/:id", "./pages/Thread.svelte"],
  ["/search", "./pages/Search.svelte"],
  ["/moderation/:part?", "./pages/Moderation.svelte"],
  ["/review/:key", "./pages/Review.svelte"],
  ["/help", "./pages/Plain.svelte"],
  ["/faq", "./pages/Plain.svelte"],
  ["/contact", "./pages/Plain.svelte"],
  ["/links", "./pages/Plain.svelte"],
  ["/support", "./pages/Plain.svelte"],
  ["/invite", "./pages/Plain.svelte"],
  ["/tips", "./pages/Tips.svelte"],
  ["/membership", "./pages/Membership.svelte"],
  ["/kit", "./pages/Kit.svelte"],
];

/** The page of an address. */
export function placeAt(path: string): Place {
  for (const [pattern, name] of routes) {
    const params = fits(pattern, path);
    if (params) return { name, params, load: files[name] ?? nowhere };
  }
  return { name: "", params: {}, load: nowhere };
}
