// The words of the wire (platform 13.1, 13.2). protocol.gen.ts is written from the server's message types by
// `qipai schema`; here stands only what the client says about them.
import type {
  Act,
  Answer,
  Back,
  Enter,
  Exit,
  Fill,
  Follow,
  Review,
  GameNews,
  Hear,
  Hello,
  Info,
  Join,
  Json,
  Leave,
  OfferCommand,
  Ping,
  Ready,
  Remove,
  Say,
  News,
  Prepare,
  Seed,
  Set,
  Shoulder,
  Sit,
  Snapshot,
  Stand,
  Standing,
  TableNews,
  Try,
} from "./protocol.gen";

export type {
  Ack,
  Bye,
  Chat,
  Clocks,
  Count,
  Err,
  Ev,
  Game,
  Info,
  Json,
  Late,
  Legal,
  ListRows,
  Missed,
  Note,
  Offer,
  OpenAsk,
  Paid,
  Person,
  Pong,
  Rejoin,
  Result,
  RoomEv,
  RoomInfo,
  RoomSeat,
  RoomSnapshot,
  RoomTable,
  SeatInfo,
  ServerMessage,
  News,
  OfferAnswered,
  Settled,
  Snapshot,
  TableNews,
  User,
  Watch,
  Welcome,
  You,
} from "./protocol.gen";

/** Our own bots, from the weakest. */
export const LEVELS = ["easy", "casual", "steady", "sharp", "strong"] as const;
export type Level = (typeof LEVELS)[number];
export type Facts = Record<string, Json>;
export type TableState = Info["state"];

/** What a table's clock says (P-23); the Structs leave it open, since each game has its own. */
export type Clock =
  | { type: "none" }
  | { type: "move"; s: number; asks?: Record<string, number>; bank?: number }
  | { type: "fischer"; base: number; inc: number }
  | { type: "byoyomi"; base: number; period: number; periods: number }
  | { type: "stages"; stages: { s: number; moves: number }[]; carry: boolean; inc?: number; per_move?: number }
  | { type: "days"; days: number };

/** What happened, as a game's own module reads it: by its word `e`; the table's own have a dot. */
export type Told = GameNews;

/** Is this one of the table's own events? A game's words have no dot. */
export const ofTable = (told: News): told is TableNews => told.e.includes(".");

/** The fields an `ev` may replace. */
export type TableFields = Omit<Snapshot, "t" | "table" | "ch" | "seq" | "now" | "watchers" | "here" | "chat" | "missed">;

type WithoutCid<C> = C extends { cid: string } ? Omit<C, "cid"> : never;
/** What changes something: the socket adds `cid` and waits for its `ack` or `err`. */
export type Command = WithoutCid<
  Sit | Stand | Standing | Prepare | Shoulder | Ready | Act | Try | Back | Set | Fill | Remove | OfferCommand | Answer | Say
>;
/** What is sent once and answered, if at all, by a message of its own. */
export type Frame = Hello | Join | Leave | Seed | Enter | Exit | Follow | Hear | Review | Ping;

/** Why something was refused: a code and its facts; the language files make the sentence. */
export interface Refusal {
  code: string;
  facts: Facts;
}
