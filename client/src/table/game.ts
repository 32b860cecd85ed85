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
 * A table as a game's view sees it: live, watched or in a replay. Its fields are reactive: read in a component they
 * keep it up to date. It is the only door to the hall, and a view needs no other.
 */
export interface TableView<V = Json, A = Json, H = Json> {
  readonly mode: "play" | "watch" | "replay" | "lesson";
  /** My seat; null for whoever watches. */
  readonly seat: number | null;
  /** The seat that is drawn at the bottom. */
  readonly viewpoint: number;
  readonly info: Info;
  /** The house rules of this table, the game's defaults filled in: `info.options` has only those that differ. */
  readonly options: Json;
  /** The next in order of play sits at my left hand. */
  readonly clockwise: boolean;
  readonly seats: readonly SeatInfo[];
  /** How many of the seats play; the others are on the bench (P-63). */
  readonly players: number;
  readonly game: Game | null;
  readonly view: V | null;
  readonly hints: H | null;
  /** All hands are open: what every seat saw, by seat. A replay's, or a watcher's whom the room lets see (P-88). */
  readonly seen?: readonly (V | null)[] | null;
  readonly ask: OpenAsk | null;
  readonly legal: Legal | null;
  readonly offers: readonly Offer[];
  readonly clocks: Clocks | null;
  readonly result: Result | null;
  /** A move of mine is on its way: do not send a second one. */
  readonly busy: boolean;
  /** Lines of talk not yet seen. */
  readonly unread: number;
  /** What was refused last, for the reading bar; null after the next thing that is done. */
  readonly refusal: Refusal | null;
  /** The words of this game: `say("ui.play")` is the sentence of `<game>.ui.play`. */
  readonly say: Say;
  /** A name to be shown: the person's, or a bot's; never longer than the plate. */
  nameOf(seat: number): string;
  /** ms left on a seat's clock now (renewed while it is read), null without a limit. */
  left(seat: number): number | null;
  /** ms left for my present question, null when there is none or it has no limit. */
  askLeft(): number | null;
  /** A move; resolves to null when it was taken, else the refusal, which is shown as well. free: answers no question. */
  act(action: A, free?: boolean): Promise<Refusal | null>;
  /** The same judgement without effect. quiet: do not show the refusal. */
  attempt(action: A, quiet?: boolean): Promise<Refusal | null>;
  /** What everybody has seen of the running game, moment by moment; of games without secrets. Null: refused, and shown. */
  past?(): Promise<V[] | null>;
  /** May I ask for a good move here? At friendly tables; a lesson and a replay have nobody to ask. */
  readonly advises?: boolean;
  /** What a bot would do in my seat now; null where that is refused, which is shown. */
  advise?(): Promise<A | null>;
  /** Show a refusal, or take it away. */
  refuse(refusal: Refusal | null): void;
  /** Told what happens, in order; caughtUp: while the line was lost. Returns how to stop. */
  hear(hearer: (told: Told[], caughtUp: boolean) => void): () => void;
  /** For those who listen instead of looking. */
  announce(sentence: string, urgent?: boolean): void;
  /** Bring a page of the sidebar up, on a phone as a drawer. */
  turnTo(page: Page): void;
  /** Put words beside a seat for a moment, as if it had said them: "过". A replay has no bubbles. */
  bubble?(seat: number, text: string): void;
  /** What is said now, the latest last. */
  readonly bubbles?: readonly { seat: number; text: string }[];
  /** Ask the others: take a move back, stop without a fine. */
  propose(what: "takeback" | "stop"): Promise<Refusal | null>;
  /** Answer an open offer of another. */
  answer(offer: number, yes: boolean): Promise<Refusal | null>;
  /** The answers that I have given beforehand, by name; only a live table has any. */
  readonly standing?: readonly string[];
  /** Give these answers beforehand, and no others. */
  stand?(answers: readonly string[]): Promise<Refusal | null>;
}

/** The pages of the sidebar: the game's own with the log, the talk, what this table is. */
export type Page = "game" | "chat" | "info";

/** Where a view may draw. The frame draws plates, clocks, chat and result itself. */
export interface Places {
  /** The middle of the cloth, above the hand: name plates stand round it. For `board` games the whole stage. */
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
 * A badge on a plate. `seal` fills it red (报 8), `ochre` is what only I may see, `dashed` what may be but is not known.
 * With an icon the text is its name, and not drawn.
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
  /** What I may take this seat for, seen by me alone: a tap on the plate goes through them, and through none. */
  marks?: readonly PrivateMark[];
  /** The second line; the frame's own (win rate, score) when absent. */
  line?: string;
  side?: "ally" | "foe" | null;
  /** Board games: the men this seat plays. */
  men?: "light" | "dark" | "white";
  /** How many moves this seat has made, for the periods of its clock. */
  moved?: number;
  dim?: boolean;
  /** The ring runs round this seat although the hall's clock does not (gouji: the owner in the burn pause). */
  ring?: { left: number; of: number } | null;
  /** It is this seat's turn, by the view; the lamp. */
  turn?: boolean;
}

export interface GameView<V = Json, H = Json> {
  mount(places: Places): void;
  /** Same view, same picture; told only colours the way there. */
  show(view: V | null, told: Told[], hints: H | null): void;
  /** A key pressed on the cloth; true when it was used. */
  key?(event: KeyboardEvent): boolean;
  unmount(): void;
}

export interface GameModule<V = Json, A = Json, H = Json> {
  name: string;
  /**
   * `cloth`: plates round the table (5.1). `board`: two seats, plates and clocks beside the board. `race`: everybody at
   * once, each at a board of his own; the whole cloth is the game's, who plays stands in the game's sidebar.
   */
  layout: "cloth" | "board" | "race";
  create(tableView: TableView<V, A, H>): GameView<V, H>;
  /** How many sit round the cloth, where a table has a bench beside it (P-63); all seats when absent. */
  players?: number;
  plate?(tableView: TableView<V, A, H>, seat: number): PlateNote;
  /** `board` games: under a seat's clock (what it has taken), and between the two seats (what is asked of me). */
  beside?: Component<{ tableView: TableView<V, A, H>; seat: number }>;
  between?: Component<{ tableView: TableView<V, A, H> }>;
  /** Play always goes this way round the table; absent: the option `direction` says, else counter-clockwise (P-21). */
  clockwise?: boolean;
  /** The log of the frame is not wanted: the sidebar's page is one. */
  ownLog?: boolean;
  /** An event as a sentence for the log and the live region; null when it is not worth one. */
  tell?(told: Told, tableView: TableView<V, A, H>): string | null;
  /** The facts of a refusal in words: seats by their names, cards as one says them. */
  facts?(facts: Facts, tableView: TableView<V, A, H>): Facts;
  /** The keys of this game for the `?` page: [keys, key of the sentence: the game's, else the hall's]. */
  keys?: [string, string][];
  /** How the deal ended, in a sentence; the word of its `why` when absent. */
  outcome?(result: Result, tableView: TableView<V, A, H>): string;
  /** What the result sheet adds to the points of a deal: columns before and behind them, sentences under the table. */
  settle?(tableView: TableView<V, A, H>, result: Result): Settlement | null;
  /** What stands under the table of points: how they came about, in the game's own drawings. */
  sheet?: Component<{ tableView: TableView<V, A, H> }>;
  /** What a game adds to the replay page (P-90). */
  replay?: ReplayParts<V, A, H>;
  /** P-91: the first pieces of luck of a deal drawn again from the stream, as text a player can compare. */
  redraw?(stream: Stream, proof: Proof, record: Json): { drawn: string[]; same: boolean };
}

export interface Settlement {
  before?: Column[];
  after?: Column[];
  notes?: string[];
  /** Cards that are turned up at the end: the kitty, what a hand kept. */
  piles?: { head: string; cards: string }[];
}
/** A column of the result sheet, its cells by seat. */
export interface Column {
  head: string;
  cells: string[];
}

/** One moment of a finished deal: the table after an action; frame 0 is the table before the first. */
export interface Frame<V = Json> {
  n: number; // its place in the replay
  done: number; // how many actions have been taken; cards that fall one by one are one moment
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
  /** How long this frame stays when the replay runs, ms at 1×; as long as it was thought about when absent. */
  stay?(frame: Frame<V>, before: Frame<V>): number;
  /** Is this a beat of the axis, to which ↑ and ↓ jump: a trick begins, a full move is done? */
  beat?(frame: Frame<V>): boolean;
  /** The flag of a critical moment; the word of its mark when absent. */
  flag?(frame: Frame<V>, tableView: TableView<V, A, H>): { text: string; look?: "seal" | "ochre" | "plain" } | null;
  /** A seat's hand where it lies open on the cloth, beside its plate. */
  hand?: Component<{ tableView: TableView<V, A, H>; seat: number }>;
  /** The sidebar: all hands, the moves, what explains this moment. Instead of the view's own. */
  sidebar?: Component<{ tableView: TableView<V, A, H>; replay: Replay<V> }>;
  /** What was done, for a list of moves: "炮二平五"; null when the frame is no move. Else the event's sentence stands. */
  move?(frame: Frame<V>, tableView: TableView<V, A, H>): string | null;
}

/** The parts of a view that is drawn by components; each gets the table as `tableView`. */
export interface Parts<V, A, H> {
  cloth: Component<{ tableView: TableView<V, A, H> }>;
  hand?: Component<{ tableView: TableView<V, A, H> }>;
  sidebar?: Component<{ tableView: TableView<V, A, H> }>;
}

/** A view made of Svelte components. They read `tableView` and hear its `told` themselves. */
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

/** Load a game's folder; only then does its code come over the line, as soon as there is one. */
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
