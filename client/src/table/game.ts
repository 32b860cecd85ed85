// What a game's folder gives to the client, and what it gets from it. A new game is a folder `games/<name>/` with an
// `index.ts` that exports a `GameModule` and an `Emblem.svelte`; nothing else is edited.
import { type Component, mount, unmount } from "svelte";
import type { IconName } from "../kit/Icon.svelte";
import type { Say } from "../lang.svelte";
import type { Proof, Stream } from "../net/fair";
import { part } from "../net/patience";
import type { Clocks, Facts, Game, Info, Json, Legal, Offer, OpenAsk, Refusal, Result, SeatInfo, Told } from "../net/protocol";
import { session } from "../net/session.svelte";

/**
 * A table as a game's view sees it: live, watched or in a replay. Its fields are reactive: a component that reads them
 * is kept up to date. A view talks to the hall only through it.
 */
export interface TableView<V = Json, A = Json, H = Json> {
  readonly mode: "play" | "watch" | "replay" | "lesson";
  /** My seat; null for a watcher. */
  readonly seat: number | null;
  /** The seat that is drawn at the bottom. */
  readonly viewpoint: number;
  readonly info: Info;
  /** All options of this table, including the game's defaults; `info.options` has only those that differ. */
  readonly options: Json;
  /** Whether the next in order of play sits at my left. */
  readonly clockwise: boolean;
  readonly seats: readonly SeatInfo[];
  /** How many of the places are players' seats; the others are on the bench (P-63). */
  readonly players: number;
  readonly game: Game | null;
  readonly view: V | null;
  readonly hints: H | null;
  /** Every seat's view, when all hands are open: in a replay, or for a watcher if the room allows it (P-88). */
  readonly seen?: readonly (V | null)[] | null;
  readonly ask: OpenAsk | null;
  readonly legal: Legal | null;
  readonly offers: readonly Offer[];
  readonly clocks: Clocks | null;
  readonly result: Result | null;
  /** Whether a move of mine is being sent; do not send a second one. */
  readonly busy: boolean;
  /** How many lines of chat I have not seen. */
  readonly unread: number;
  /** The last refusal, for the reading bar; null after the next action. */
  readonly refusal: Refusal | null;
  /** The words of this game: `say("ui.play")` is the sentence of `<game>.ui.play`. */
  readonly say: Say;
  /** The display name of a person or a bot, shortened to fit the plate. */
  nameOf(seat: number): string;
  /** ms left on a seat's clock now (updated while a component reads it), null without a limit. */
  left(seat: number): number | null;
  /** ms left for my present question, null when there is none or it has no limit. */
  askLeft(): number | null;
  /** Send a move; resolves to null if it was accepted, else to the refusal, which is also shown. free: answers no question. */
  act(action: A, free?: boolean): Promise<Refusal | null>;
  /** Check a move without making it. quiet: do not show the refusal. */
  attempt(action: A, quiet?: boolean): Promise<Refusal | null>;
  /** The frames of the running game so far, only in games without hidden information. Null: refused, which is shown. */
  past?(): Promise<V[] | null>;
  /** Whether I may ask for a good move here: at friendly tables, but not in lessons and replays. */
  readonly advises?: boolean;
  /** What a bot would do in my seat now; null if that is refused, which is shown. */
  advise?(): Promise<A | null>;
  /** Show a refusal, or remove it. */
  refuse(refusal: Refusal | null): void;
  /** Call a function with events, in order. caughtUp: they happened while the line was lost. Returns a function that stops it. */
  hear(hearer: (told: Told[], caughtUp: boolean) => void): () => void;
  /** Announce a sentence to screen readers. urgent: at once; "turn": it is my turn. */
  announce(sentence: string, urgent?: boolean | "turn"): void;
  /** Open a page of the sidebar, on a phone as a drawer. */
  turnTo(page: Page): void;
  /** Show a speech bubble beside a seat for a short time: "过". A replay has no bubbles. */
  bubble?(seat: number, text: string): void;
  /** The bubbles shown now, the latest last. */
  readonly bubbles?: readonly { seat: number; text: string }[];
  /** A game of a contest is played here: nobody may ask for a move back, or to stop. */
  readonly ofContest?: boolean;
  /** A lesson: nothing but the moves is to be had here. */
  readonly taught?: boolean;
  /** Ask the others: take a move back, stop without a fine. */
  propose(what: "takeback" | "stop"): Promise<Refusal | null>;
  /** Answer somebody's open offer. */
  answer(offer: number, yes: boolean): Promise<Refusal | null>;
  /** The answers that I have given beforehand, by name; only a live table has any. */
  readonly standing?: readonly string[];
  /** Set the answers given beforehand to exactly these. */
  stand?(answers: readonly string[]): Promise<Refusal | null>;
  /** The lines of moves that I have prepared (P-113): the other's and mine by turns, mine last; only a live table has any. */
  readonly prepared?: readonly (readonly A[])[];
  /** Prepare exactly these. A refusal is shown, unless it is that my turn has come. */
  prepare?(lines: readonly (readonly A[])[]): Promise<Refusal | null>;
}

/** Whether the one who looks may act: at a table, or in a lesson. */
export const acts = ({ mode }: Pick<TableView, "mode">): boolean => mode === "play" || mode === "lesson";

/** How many lines may be prepared in a game by days (P-113). */
export const LINES_MOST = 30;

/** The pages of the sidebar: the game's own with the log, the chat, the table's settings. */
export type Page = "game" | "chat" | "info";

/** The elements into which a view may draw. The frame draws plates, clocks, chat and result itself. */
export interface Places {
  /** The middle of the cloth, above the hand, with name plates around it. For `board` games the whole stage. */
  cloth: HTMLElement;
  /**
   * `cloth` games: the lower edge of the cloth with action bar, reading and hand. `board` games: reading and buttons,
   * at the foot of the sidebar, on a phone under the board.
   */
  hand: HTMLElement;
  /** The first page of the sidebar, over the log. */
  sidebar: HTMLElement;
}

/**
 * A badge on a plate. `seal`: filled red (报 8). `ochre`: only I can see it. `dashed`: possible but not known. If there is
 * an icon, the text is its label and is not drawn.
 */
export interface PlateBadge {
  text: string;
  icon?: IconName;
  look?: "seal" | "line" | "lamp" | "jade" | "ochre" | "dashed";
  title?: string;
}
/** A private mark: a dot in the colour of a side, or of neither. */
export interface PrivateMark {
  id: string;
  text: string;
  side: "ally" | "foe" | null;
}

/** What a seat's plate says besides name and clock. */
export interface PlateNote {
  /** Drawn after the name: a role, a place, 烧. */
  badges?: PlateBadge[];
  /** Private marks that I can give this seat; a tap on the plate cycles through them and none. */
  marks?: readonly PrivateMark[];
  /** The second line; by default the frame's own (win rate, score). */
  line?: string;
  side?: "ally" | "foe" | null;
  /** Board games: the men this seat plays. */
  men?: "light" | "dark" | "white";
  /** How many moves this seat has made, for the periods of its clock. */
  moved?: number;
  dim?: boolean;
  /** Draw the clock's ring around this seat although its clock does not run (gouji: the owner during the burn pause). */
  ring?: { left: number; of: number } | null;
  /** Whether it is this seat's turn by the view; lights the lamp. */
  turn?: boolean;
}

export interface GameView<V = Json, H = Json> {
  mount(places: Places): void;
  /** Draw a view. The same view gives the same picture; `told` is only for animation. */
  show(view: V | null, told: Told[], hints: H | null): void;
  /** Handle a key pressed on the cloth; returns whether it was used. */
  key?(event: KeyboardEvent): boolean;
  unmount(): void;
}

export interface GameModule<V = Json, A = Json, H = Json> {
  name: string;
  /**
   * `cloth`: plates around the table (5.1). `board`: two seats, with plates and clocks beside the board. `race`: everybody
   * plays at once on their own board; the game draws the whole cloth and lists the players in its sidebar.
   */
  layout: "cloth" | "board" | "race";
  create(tableView: TableView<V, A, H>): GameView<V, H>;
  /** How many sit around the cloth if the table also has a bench (P-63); by default all seats. */
  players?: number;
  plate?(tableView: TableView<V, A, H>, seat: number): PlateNote;
  /** `board` games: under a seat's clock (what it has taken), and between the two seats (what is asked of me). */
  beside?: Component<{ tableView: TableView<V, A, H>; seat: number }>;
  between?: Component<{ tableView: TableView<V, A, H> }>;
  /** The direction of play; by default that of the option `direction`, else counter-clockwise (P-21). */
  clockwise?: boolean;
  /** Hide the frame's log, because the sidebar's page is one. */
  ownLog?: boolean;
  /** An event as a sentence for the log and the live region; null for events without one. */
  tell?(told: Told, tableView: TableView<V, A, H>): string | null;
  /** The facts of a refusal as words: names instead of seat numbers, cards as people say them. */
  facts?(facts: Facts, tableView: TableView<V, A, H>): Facts;
  /** A choice as an analysis writes it, in words; by default as it is written, verbs by the game's `said`. */
  choice?(said: string, say: Say): string;
  /** The keys of this game for the `?` page: [keys, key of the sentence: the game's, else the hall's]. */
  keys?: [string, string][];
  /** How the deal ended, as a sentence; by default the word of its `why`. */
  outcome?(result: Result, tableView: TableView<V, A, H>): string;
  /** What the result sheet adds to the points of a deal: columns before and behind them, sentences under the table. */
  settle?(tableView: TableView<V, A, H>, result: Result): Settlement | null;
  /** Drawn under the table of points: how they were calculated. */
  sheet?: Component<{ tableView: TableView<V, A, H> }>;
  /** What a game adds to the replay page (P-90). */
  replay?: ReplayParts<V, A, H>;
  /** P-91: the first random values of a deal, drawn again from the stream, as text that a player can compare. */
  redraw?(stream: Stream, proof: Proof, record: Json): { drawn: string[]; same: boolean };
  /** Its luck is drawn as it is needed: what came after a moment can be drawn again without what came before (What if). */
  drawsOn?: boolean;
}

export interface Settlement {
  before?: Column[];
  after?: Column[];
  notes?: string[];
  /** Cards that are shown at the end: the kitty, remaining hands. */
  piles?: { head: string; cards: string }[];
}
/** A column of the result sheet, its cells by seat. */
export interface Column {
  head: string;
  cells: string[];
}

/** One frame of a finished deal: the table after an action. Frame 0 is the table before the first action. */
export interface Frame<V = Json> {
  n: number; // its place in the replay
  done: number; // how many actions have been taken; cards dealt one by one are one frame
  seat: number | null;
  action: Json;
  ms: number;
  told: Told[];
  mark: string | null; // P-90: a critical moment, by its key in the game's words
  views: V[]; // by seat, the watchers' last
}

/** A finished deal on the replay page. */
export interface Replay<V = Json> {
  readonly frames: readonly Frame<V>[];
  /** The frame that is shown. */
  readonly n: number;
  go(n: number): void;
}

export interface ReplayParts<V, A, H> {
  /** How long this frame is shown when the replay runs, ms at 1×; by default the thinking time. */
  stay?(frame: Frame<V>, before: Frame<V>): number;
  /** Whether ↑ and ↓ stop at this frame: a trick begins, a full move is done. */
  beat?(frame: Frame<V>): boolean;
  /** The flag of a critical moment; by default the word of its mark. */
  flag?(frame: Frame<V>, tableView: TableView<V, A, H>): { text: string; look?: "seal" | "ochre" | "plain" } | null;
  /** A seat's open hand on the cloth, beside its plate. */
  hand?: Component<{ tableView: TableView<V, A, H>; seat: number }>;
  /** The sidebar of the replay, instead of the view's own: all hands, the moves, explanations of the frame. */
  sidebar?: Component<{ tableView: TableView<V, A, H>; replay: Replay<V> }>;
  /** The frame's entry in a list of moves: "炮二平五"; null if it is no move. By default the event's sentence. */
  move?(frame: Frame<V>, tableView: TableView<V, A, H>): string | null;
}

/** The components of a view; each gets the table as `tableView`. */
export interface Parts<V, A, H> {
  cloth: Component<{ tableView: TableView<V, A, H> }>;
  hand?: Component<{ tableView: TableView<V, A, H> }>;
  sidebar?: Component<{ tableView: TableView<V, A, H> }>;
}

/** A view made of Svelte components. They read `tableView` and listen to its events themselves. */
export function drawn<V, A, H>(
  tableView: TableView<V, A, H>,
  parts: Parts<V, A, H>,
  key?: (event: KeyboardEvent) => boolean,
): GameView<V, H> {
  let mounted: Record<string, unknown>[] = [];
  return {
    mount(places) {
      const put = (part: Component<{ tableView: TableView<V, A, H> }> | undefined, target: HTMLElement) =>
        part ? [mount(part, { target, props: { tableView } })] : [];
      mounted = [...put(parts.cloth, places.cloth), ...put(parts.hand, places.hand), ...put(parts.sidebar, places.sidebar)];
    },
    show() {
      // The components follow `tableView`.
    },
    key,
    unmount() {
      for (const one of mounted) void unmount(one);
      mounted = [];
    },
  };
}

const modules = import.meta.glob<{ default: GameModule }>("../games/*/index.ts");
const emblems = import.meta.glob<{ default: Component }>("../games/*/Emblem.svelte", { eager: true });

const nameIn = (path: string): string => path.split("/").at(-2) ?? "";

/** The games this client can draw. */
export const drawable: ReadonlySet<string> = new Set(Object.keys(modules).map(nameIn));

/** Load a game's folder; its code is downloaded only then, as soon as there is a connection. */
export async function load(name: string): Promise<GameModule> {
  const found = Object.entries(modules).find(([path]) => nameIn(path) === name)?.[1];
  if (!found) throw new Error(`no client for ${name}`);
  return (
    await part(
      found,
      (
        (tries) => () =>
          session.line === "up" && ++tries > 2
      )(0),
    )
  ).default;
}

/** The picture of a game for the lobby. */
export const emblem = (name: string): Component | undefined => Object.entries(emblems).find(([path]) => nameIn(path) === name)?.[1].default;
