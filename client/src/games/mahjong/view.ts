// What the hall says of mahjong, by the types it was generated from, and the few words of the cloth's geometry.
import { tiles } from "../../kit/tiles/tiles";
import type { Told } from "../../net/protocol";
import type { TableView } from "../../table/game";
import type * as types from "./types.gen";

export type View = types.View;
export type Action = types.Action;
export type Hints = types.Hints;
export type Event = types.Event;
export type Meld = types.Meld;
export type Wait = types.Wait;
export type Win = types.Win;
export type Payment = types.Payment;
export type Call = "sing" | "dance";
export type MahjongTableView = TableView<View, Action, Hints>;

/** What was told, by its own type. */
export const eventOf = (told: Told): Event => told as unknown as Event;

/** How many play; seats 4 … 7 are the bench. */
export const PLAYERS = 4;
/** The seat at the bottom: whoever is on the bench sits behind seat 0. */
export const viewpointOf = (tableView: MahjongTableView): number => tableView.viewpoint % PLAYERS;
/** 0 at the bottom, 1 at my right hand, 2 across, 3 at my left. */
export const placeOf = (tableView: MahjongTableView, seat: number): number => (seat - viewpointOf(tableView) + PLAYERS) % PLAYERS;

/** A seat's own tiles where they are seen: mine, a winner's, all in a replay with open hands. Null: backs. */
export function handOf(tableView: MahjongTableView, seat: number): string | null {
  const { view } = tableView;
  if (!view) return null;
  const open = view.shown.find((one) => one.seat === seat)?.tiles;
  if (open !== undefined) return open;
  if (view.seat === seat) return view.hand;
  return tableView.seen?.[seat]?.hand ?? null;
}

/** The tile a seat has just drawn, where it is seen. */
export function drawnOf(tableView: MahjongTableView, seat: number): string | null {
  const { view } = tableView;
  if (!view || view.shown.some((one) => one.seat === seat)) return null;
  return view.seat === seat ? view.drawn : (tableView.seen?.[seat]?.drawn ?? null);
}

/** The tiles that have come in exchange for a seat's own three, where they are seen; until somebody throws one. */
export function cameTo(tableView: MahjongTableView, seat: number): readonly string[] {
  const { view } = tableView;
  if (!view || view.end || view.rivers.some((river) => river.length)) return [];
  return tiles(view.seat === seat ? view.got : tableView.seen?.[seat]?.got);
}

/** Which places of a hand such tiles take, of equal ones the last. */
export function placesOf(hand: readonly string[], wanted: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const tile of wanted) {
    const at = hand.findLastIndex((one, i) => one === tile && !found.has(i));
    if (at >= 0) found.add(at);
  }
  return found;
}

/** Does a seat hold a tile apart, drawn and not yet thrown? */
export const holdsDrawn = (view: View, seat: number): boolean =>
  view.actor === seat && view.drew && view.phase === "turn" && !view.shown.some((one) => one.seat === seat);

/** Has a seat won? */
export const hasWon = (view: View, seat: number): boolean => view.wins.some((one) => one.seat === seat);

/** What still lies in a seat's river. */
export const lying = (view: View, seat: number): View["rivers"][number] => (view.rivers[seat] ?? []).filter((one) => one.taken === null);

/** How many copies of a tile I have not seen: my own, what lies open, what was thrown and not taken. */
export function unseen(view: View, tile: string): number {
  let seen = tiles(view.hand).filter((one) => one === tile).length;
  view.melds.forEach((melds) => melds.forEach((meld) => (seen += meld.t === tile ? (meld.k === "kong" ? 4 : 3) : 0)));
  view.rivers.forEach((river) => (seen += river.filter((one) => one.t === tile && one.taken === null).length));
  view.shown.forEach((hand) => (seen += hand.seat === view.seat ? 0 : tiles(hand.tiles).filter((one) => one === tile).length));
  seen += view.horses.filter((one) => one.t === tile).length;
  if (view.last?.adding && view.last.t === tile) seen++;
  return Math.max(0, 4 - seen);
}

/** Seats whose hands count together here: a bench member's horse shares what becomes of its seat. */
export const horsesOn = (view: View, seat: number): View["horses"] => view.horses.filter((one) => one.seat === seat);
