// Written by `qipai schema` from the message types in src/qipai; do not edit.

export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any

/** An event of a game, which its own types.gen.ts knows. */
export interface GameNews { e: string; [fact: string]: Json }

/** What is told of a table: its own events, and those of its game. */
export type News = TableNews | GameNews;

/** The first message on a socket. */
export interface Hello { t: "hello"; v: number; token?: string | null; lang?: string | null; client?: string | null }

/** Join a table: at one's own seat if one has one, else as a watcher.

    look: on no channel of one's own: a big screen with public information alone (P-114), or over a shoulder (P-115). */
export interface Join {
  t: "join";
  table: number;
  ch?: string | null;
  after?: number | null;
  key?: string | null;
  look?: "screen" | "shoulder" | null;
}

/** Receive no more messages of this table; a seat is kept. */
export interface Leave { t: "leave"; table: number }

/** Take a seat; this also joins the table. */
export interface Sit { t: "sit"; cid: string; table: number; seat: number; key?: string | null }

/** Give the seat up. */
export interface Stand { t: "stand"; cid: string; table: number; confirm?: boolean }

/** Be ready, or not, for the game or the next one. */
export interface Ready { t: "ready"; cid: string; table: number; on: boolean }

/** A client seed for a new commitment (P-92). */
export interface Seed { t: "seed"; table: number; game_id: string; client_seed: string }

/** A move. */
export interface Act { t: "act"; cid: string; table: number; action: Record<string, Json>; ask?: number | null }

/** Check whether a move is allowed, without making it. */
export interface Try { t: "try"; cid: string; table: number; action: Record<string, Json> }

/** Take one's seat back from the bot. */
export interface Back { t: "back"; cid: string; table: number }

/** Set answers beforehand: the hall answers with them for this seat from now on; `[]` ends this. */
export interface Standing { t: "standing"; cid: string; table: number; answers: string[] }

/** Set the moves that are played for this seat later (P-113); `[]` ends this.

    A line is a list of actions, the other player's and one's own by turns, and ends with an own one. */
export interface Prepare { t: "prepare"; cid: string; table: number; lines: Record<string, Json>[][] }

/** Let somebody look over one's shoulder (P-115). user null: nobody any more, or look no longer oneself. */
export interface Shoulder { t: "shoulder"; cid: string; table: number; user: number | null }

/** Set table properties and options before the start (P-16). match: begin a new match, or go on with this one. */
export interface Set {
  t: "set";
  cid: string;
  table: number;
  options?: Record<string, Json>;
  clock?: Record<string, Json>;
  match?: "new" | "on";
}

/** The owner puts a bot on a seat, or takes it away (null). */
export interface Fill { t: "fill"; cid: string; table: number; seat: number; level: string | null }

/** Remove somebody: by the owner before the start, or by a moderator. */
export interface Remove { t: "remove"; cid: string; table: number; seat: number; why?: string | null }

/** Ask the others for a takeback, or to stop without a fine. */
export interface OfferCommand { t: "offer"; cid: string; table: number; what: "stop" | "takeback" }

/** Answer an open offer. */
export interface Answer { t: "answer"; cid: string; table: number; offer: number; yes: boolean }

/** Talk: a text or one of the phrases. */
export interface Say { t: "say"; cid: string; to: string; text?: string; phrase?: string }

/** Go into a room. */
export interface Enter { t: "enter"; room: number }

/** Leave a room. */
export interface Exit { t: "exit"; room: number }

/** Follow a live list, or no longer. */
export interface Follow { t: "follow"; list: "cards" | "online"; on: boolean }

/** Hear a chat room of the hall, a game or a club, or no longer. */
export interface Hear { t: "hear"; to: string; on: boolean }

/** Follow a shared review of a finished game (P-90), or no longer; from its leader a sign of life, too. */
export interface Review { t: "review"; key: string; on: boolean }

/** Show that the client is there. seen: `now` of the last pong; held: ms since it came (round trip, P-23). */
export interface Ping { t: "ping"; n: number; seen?: number | null; held?: number | null }

/** An album that somebody makes. */
export interface NewAlbum { cid?: string | null; name: string }

/** Another name for an album. */
export interface AlbumChange { cid?: string | null; name: string }

/** Nothing but, perhaps, a cid. */
export interface NoBody { cid?: string | null }

/** What stands under a picture, who sees it, in which album it is. */
export interface PictureChange {
  cid?: string | null;
  caption: string;
  visible: "friends" | "me" | "public";
  album: number;
}

/** What somebody says of a picture. */
export interface NewPictureComment { cid?: string | null; text: string }

/** Open a thread. level: the reading level that it asks for, mine at most. */
export interface NewThread { cid?: string | null; title: string; text: string; level?: number }

/** I have seen this board. all: all its threads count as read. */
export interface BoardSeen { cid?: string | null; all?: boolean }

/** Whether I accept an interview. */
export interface Reply { cid?: string | null; yes: boolean }

/** What moderators change of a thread; null: stays as it is. reason: its author reads it. */
export interface ThreadChange {
  cid?: string | null;
  pinned?: boolean | null;
  locked?: boolean | null;
  essence?: boolean | null;
  level?: number | null;
  board?: string | null;
  reason?: string;
}

/** I have read a thread until this post of it. */
export interface ReadUntil { cid?: string | null; no: number }

/** Somebody's reading level as a moderator sets it, and why; null: as it follows from what they do. */
export interface ReadingLevel { cid?: string | null; level?: number | null; reason: string }

/** This account becomes a bot, for ever; with my password. confirm: though it costs something to leave my seats. */
export interface Upgrade { cid?: string | null; password: string; confirm?: boolean }

/** An action. ask: the question that it answers. */
export interface BotAct { cid?: string | null; action: Record<string, Json>; ask?: number | null }

/** Talk at the table: a text, or one of the phrases. */
export interface BotSay { cid?: string | null; text?: string; phrase?: string }

/** Take a seat. key: of a private table. */
export interface BotSit { cid?: string | null; seat: number; key?: string | null }

/** Be ready, or not. */
export interface BotReady { cid?: string | null; on: boolean }

/** Give the seat up. */
export interface BotStand { cid?: string | null; confirm?: boolean }

/** How many seconds must pass between two lines of one person; 0: any. */
export interface Slow { cid?: string | null; seconds: number }

/** What a club is called, what it says of itself, how one joins it. */
export interface NewClub { cid?: string | null; name: string; text?: string; closed?: boolean }

/** Who has asked comes in, or not. */
export interface Answering { cid?: string | null; user: number; accept: boolean }

/** Somebody. */
export interface Whom { cid?: string | null; user: number }

/** Somebody may not come in any more, or may ask again. */
export interface Banning { cid?: string | null; user: number; on?: boolean }

/** Somebody has this rank from now on. */
export interface Ranking { cid?: string | null; user: number; rank: "boss" | "manager" | "member" }

/** News for a club. */
export interface NewNews { cid?: string | null; title: string; text: string }

/** A team to be made, for a game of two. */
export interface NewClubTeam { cid?: string | null; game: string; name: string }

/** All members of my team: by board, then the substitutes. */
export interface LiningUp { cid?: string | null; users: number[] }

/** A player is a captain of the team, or no longer. */
export interface Captaining { cid?: string | null; user: number; on?: boolean }

/** A match that my team offers. to_club, to_team: whom; neither: everybody. starts_at: ms, None: soon after. */
export interface NewChallenge {
  cid?: string | null;
  terms: GameTerms;
  boards?: number;
  games?: number;
  starts_at?: number | null;
  forfeit_s?: number;
  to_club?: number | null;
  to_team?: number | null;
}

/** What is played in a contest, in the terms of an invitation (P-65). rated: score and rating count.

    clock: as in 13.1, None: the room's own. seats: how many play, where a game is for several numbers. */
export interface GameTerms {
  game: string;
  variant?: string | null;
  preset?: string | null;
  options?: Json;
  clock?: Json;
  seats?: number | null;
  rated?: boolean;
}

/** I accept a challenge. team: of mine that plays, where it is public. */
export interface Accepting { cid?: string | null; team?: number | null }

/** I have read these notices. until: the newest one that I have seen. */
export interface NoticesRead { cid?: string | null; until: number }

/** A text before it is sent. */
export interface Preview { cid?: string | null; text: string }

/** A tournament to be announced (P-67). */
export interface NewTournament { cid?: string | null; form: TournamentForm }

/** A tournament as it was announced. It never changes.

    min_players, max_players: of entrants, which are teams where partners are fixed. section_size: of sections at most.
    games_per_pair: 2: with colours changed. rounds: of a Swiss, and of each stage where more than two sides sit at a
    table. minutes: of an arena. unrated: who has no rating may enter. by_rating: the starting order is by rating, else
    by lot. private: who enters needs the key. prizes: percents of all fees, the first prize first. start: ms since
    1970, or "full": as soon as all places are taken. final_wins: of the final match. forfeit_minutes: how long a live
    game waits for people. reserves: how many may enter beyond max_players. seats: of a table. partners: "fixed": those
    of every second seat enter as a team; "drawn": anew each round; None: the game has none. vacation: whether games by
    days wait for a vacation (P-87). duplicate: all tables of a round play the same deal (P-94), and where more than two
    sides sit at a table, points count by the average difference. club: only its members enter (P-78). */
export interface TournamentForm {
  name: string;
  format: "arena" | "knockout" | "sections" | "swiss";
  terms: GameTerms;
  min_players?: number;
  max_players?: number;
  section_size?: number;
  games_per_pair?: 1 | 2;
  rounds?: number;
  minutes?: number;
  rating_min?: number | null;
  rating_max?: number | null;
  unrated?: boolean;
  by_rating?: boolean;
  private?: boolean;
  fee?: number;
  prizes?: number[];
  start?: number | "full";
  final_wins?: number;
  forfeit_minutes?: number;
  reserves?: number;
  seats?: number;
  partners?: "drawn" | "fixed" | null;
  vacation?: boolean;
  duplicate?: boolean;
  club?: number | null;
}

/** Who enters beside me, where teams do; the key of a private tournament. */
export interface Entering { cid?: string | null; partners?: number[]; key?: string | null }

/** In which team I play, by its number as an entrant. */
export interface Agreeing { cid?: string | null; no: number }

/** Why it is cancelled. */
export interface Cancelling { cid?: string | null; reason?: string }

/** Stairs for the members of a club. */
export interface ClubStairs { cid?: string | null; terms: GameTerms }

/** Whom to challenge. */
export interface Challenging { cid?: string | null; user: number }

/** A pond to be made (P-71). */
export interface NewPond { cid?: string | null; form: PondForm }

/** What whoever makes a pond says of it.

    least, most: how many people, most None: any number; round_s: 60 live, else one to three days; rain_final: the last
    two in the rain play by regular rules; fee: coins; percents: of the pool, for the first, the second …;
    starts_at: ms, None: when `most` have entered. */
export interface PondForm {
  name: string;
  variant?: "dark" | "rain" | "regular";
  least?: number;
  most?: number | null;
  round_s?: number;
  rain_final?: "regular" | null;
  fee?: number;
  percents?: number[];
  starts_at?: number | null;
}

/** A bid: how many points to use in a round that runs. */
export interface Bidding { cid?: string | null; round: number; amount: number }

/** An interview that is asked of a player. */
export interface NewInterview { cid?: string | null; title: string; text: string; lang: string; player: number }

/** What stands above the questions. lang: the language of it all. */
export interface InterviewChange { cid?: string | null; title: string; text: string; lang: string }

/** A question or a comment. */
export interface Said { cid?: string | null; text: string }

/** The questions that the player gets, in this order. */
export interface Picked { cid?: string | null; questions: number[] }

/** My answer to a question. */
export interface Answered { cid?: string | null; question: number; text: string }

/** Name an editor, or end it. */
export interface EditorChange { cid?: string | null; user: number; on: boolean }

/** What the learner does at a step. */
export interface LessonAction { cid?: string | null; action: Json }

/** All that the learner has done so far in a guided deal. */
export interface LessonDone { cid?: string | null; done?: Json[] }

/** Steps that I have done, by game. */
export interface LessonProgress { cid?: string | null; done: Record<string, string[]> }

/** A mail to somebody; Markdown. */
export interface NewMail { cid?: string | null; text: string }

/** I have read this thread. until: the newest mail that I have seen. */
export interface MailRead { cid?: string | null; until: number }

/** An invitation (P-65). rated: where score counts. to: a user; group: one of my groups of friends; else anybody.

    options: the game's and the table's own (P-16). seats: of games for several numbers of people. colour: of two, who
    has the first seat: a lot decides, I, who comes, or who had it not the last time. */
export interface NewInvite {
  cid?: string | null;
  game: string;
  variant?: string | null;
  preset?: string | null;
  seats?: number | null;
  options?: Record<string, Json>;
  clock?: Record<string, Json> | null;
  rated?: boolean;
  rating_min?: number | null;
  rating_max?: number | null;
  colour?: "alternate" | "mine" | "random" | "theirs";
  to?: number | null;
  group?: number | null;
  note?: string;
}

/** A game for which I want to be paired. */
export interface Pair { cid?: string | null; game: string; variant?: string | null; days?: number | null }

/** Delete my account. confirm: as `stand`, where a game is running (P-26). */
export interface Farewell { cid?: string | null; password: string; confirm?: boolean }

/** A report to the moderators. ref: a line of talk, a game's id, a table. */
export interface NewReport {
  cid?: string | null;
  kind: "abuse" | "cheating" | "contact" | "name" | "picture" | "stalling";
  user?: number | null;
  ref?: string;
  text: string;
}

/** Why a ruling should be looked at again; once for each. */
export interface Appeal { cid?: string | null; text: string }

/** A report about which nothing is done. */
export interface Dismissal { cid?: string | null; reason: string }

/** What a moderator does about somebody. hours: how long a mute or a ban lasts; room: a mute in this one alone. */
export interface Ruling {
  cid?: string | null;
  what: "ban" | "mute" | "unban" | "unmute" | "warn";
  reason: string;
  hours?: number;
  room?: number | null;
  report?: number | null;
}

/** Why somebody gets a link by which they set another password; it stands in the audit. */
export interface ResetLink { cid?: string | null; reason: string }

/** Why somebody's second factor is turned off; it stands in the audit. */
export interface FactorEnd { cid?: string | null; reason: string }

/** An address from which nobody may come in, or those of a user; for how many hours, and why. */
export interface NewShut {
  cid?: string | null;
  address?: string | null;
  user?: number | null;
  hours?: number;
  reason: string;
}

/** An address from which everybody may come in again. */
export interface Lift { cid?: string | null; address: string; reason: string }

/** Why a line of talk is taken away; report: which this answers. */
export interface Removal { cid?: string | null; reason: string; report?: number | null }

/** Why a table is closed. */
export interface Closing { cid?: string | null; reason: string }

/** What a game took from somebody is to be given back. */
export interface Reversal { cid?: string | null; user: number; reason: string }

/** Coins or hearts out of nothing; less than 0 takes them away. */
export interface Grant {
  cid?: string | null;
  user: number;
  currency?: "coins" | "hearts";
  amount: number;
  note: string;
}

/** A redeem code; without a name it gets one. */
export interface NewCode {
  cid?: string | null;
  code?: string | null;
  coins?: number;
  hearts?: number;
  member_days?: number;
  uses?: number;
  expires?: string | null;
  note?: string;
}

/** Somebody's new role. room: in this one alone: `moderator` names them there, `user` ends it. */
export interface RoleChange {
  cid?: string | null;
  user: number;
  role: "admin" | "moderator" | "user";
  room?: number | null;
}

/** token: a program wants a token beside the cookie. lang: in which language the guest is named. */
export interface NewGuest { cid?: string | null; token?: boolean; lang?: "en" | "zh-CN" | "zh-Hant" | null }

/** A new user; sent by a guest it keeps the guest's games. */
export interface Register {
  cid?: string | null;
  name: string;
  password: string;
  email?: string | null;
  lang?: "en" | "zh-CN" | "zh-Hant" | null;
  zone?: string | null;
}

/** code: where a second factor is on, what it shows now, or a recovery code. */
export interface SignIn { cid?: string | null; name: string; password: string; code?: string | null }

/** What a passkey has answered. */
export interface SignInByPasskey { cid?: string | null; answer: PasskeyAnswer }

/** What the browser answers (WebAuthn, `PublicKeyCredential.toJSON`). */
export interface PasskeyAnswer { id: string; rawId: string; response: PasskeyResponse; type: "public-key" }

/** What the device has signed; of other fields nothing is asked. */
export interface PasskeyResponse {
  clientDataJSON: string;
  attestationObject?: string | null;
  authenticatorData?: string | null;
  signature?: string | null;
  userHandle?: string | null;
}

/** everywhere: all of the user's logins end. */
export interface Logout { cid?: string | null; everywhere?: boolean; confirm?: boolean }

/** The name that a guest chooses. */
export interface NewName { cid?: string | null; name: string }

/** Another password; old: the one that I have now. keep_tokens: programs' tokens do not end with my other logins. */
export interface NewPassword { cid?: string | null; old: string; password: string; keep_tokens?: boolean }

/** What stands after the # of a link by which a forgotten password is set anew. */
export interface ResetSecret { cid?: string | null; secret: string }

/** The link with the new password. */
export interface NewReset { cid?: string | null; secret: string; password: string }

/** Who forgot the password: a name, or the e-mail address that was given. lang: where none was chosen. */
export interface LetterAsked { cid?: string | null; who: string; lang?: "en" | "zh-CN" | "zh-Hant" }

/** Another e-mail address, null: none; and my password. */
export interface NewEmail { cid?: string | null; password: string; email: string | null }

/** My password, to begin with a second factor. */
export interface NewFactor { cid?: string | null; password: string }

/** The code that this program shows now. */
export interface FactorCode { cid?: string | null; code: string }

/** A code of the second factor, or a recovery code, and my password. */
export interface FactorProof { cid?: string | null; code: string; password: string }

/** My password, and a code where a second factor is on: before a passkey is added, which stands for both. */
export interface PasskeyProof { cid?: string | null; password: string; code?: string | null }

/** A passkey that the browser has made, and what I call it. */
export interface NewPasskey { cid?: string | null; name: string; answer: PasskeyAnswer }

/** A token for a program. */
export interface NewToken {
  cid?: string | null;
  name: string;
  scopes: ("board" | "bot" | "play" | "spend" | "watch")[];
}

/** The settings that change. */
export interface SettingsChange {
  lang?: "en" | "zh-CN" | "zh-Hant" | null;
  dates?: "auto" | "dmy" | "mdy" | "ymd";
  theme?: "auto" | "dark" | "light";
  cloth?: "indigo" | "pine" | "umber";
  suits?: 2 | 4;
  pieces?: "latin" | "pictures" | "simplified" | "traditional";
  sound?: boolean;
  volume?: number;
  speed?: "fast" | "none" | "normal" | "slow";
  confirm_move?: boolean;
  auto_vacation?: boolean;
  after_move?: "home" | "next" | "stay";
  songs?: boolean;
  bot_talk?: boolean;
  reduced_motion?: boolean;
  high_contrast?: boolean;
  left_handed?: boolean;
  rows?: 20 | 50 | 100 | 200;
  tips?: boolean;
  minor?: boolean;
  daily_loss?: number | null;
  show_about?: "friends" | "me" | "public";
  show_country?: "friends" | "me" | "public";
  show_language?: "friends" | "me" | "public";
  show_registered?: "friends" | "me" | "public";
  show_seen?: "friends" | "me" | "public";
  show_hours?: "friends" | "me" | "public";
  show_member?: "friends" | "me" | "public";
  show_score?: "friends" | "me" | "public";
  show_wins?: "friends" | "me" | "public";
  show_passes?: "friends" | "me" | "public";
  show_games?: "friends" | "me" | "public";
  show_coins?: "friends" | "me" | "public";
  open_name?: boolean;
  open_moments?: boolean;
  invited_by?: "anyone" | "friends" | "nobody";
  mailed_by?: "anyone" | "friends" | "nobody";
  push?: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
  letters?: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
  hide_online?: boolean;
  zone?: string;
  cid?: string | null;
}

/** What I tell of myself; null: stays as it is, "": nothing. */
export interface ProfileChange {
  cid?: string | null;
  about?: string | null;
  country?: string | null;
  picture?: string | null;
}

/** A position, and moves from it. start null: a deal's beginning; seat: whose view and actions are asked for. */
export interface Sand {
  cid?: string | null;
  game: string;
  variant?: string | null;
  options?: Record<string, Json>;
  seats?: number | null;
  start?: string | null;
  seed?: string;
  moves?: SandMove[];
  seat?: number | null;
}

/** An action of a seat; seat -1: what luck does. */
export interface SandMove { seat: number; a: Json }

/** A table of one's own. preset, seats: as in the room, or as many as can play. */
export interface NewTable {
  cid?: string | null;
  game: string;
  variant?: string | null;
  preset?: string | null;
  seats?: number | null;
  room?: number | null;
  options?: Record<string, Json>;
  clock?: Record<string, Json> | null;
  private?: boolean;
}

/** Play at once, at a friendly table with bots in the other seats. */
export interface Play {
  cid?: string | null;
  game: string;
  variant?: string | null;
  preset?: string | null;
  seats?: number | null;
  options?: Record<string, Json>;
  clock?: Record<string, Json> | null;
  level?: string;
  colour?: "mine" | "random" | "theirs";
  start?: string | null;
  seat?: number | null;
}

/** Somebody writes to those who run the hall. reply: where to answer them, who need not be signed in. */
export interface Contact { cid?: string | null; text: string; reply?: string }

/** A page gets another text. was: the version that was changed; with another by now it is refused with STALE. */
export interface SavePage { cid?: string | null; text: string; was: string }

/** A tip, in one language or both; an administrator's is shown at once. */
export interface NewTip { cid?: string | null; zh?: string; en?: string }

/** A suggested tip is not taken; its author reads why. */
export interface Decline { cid?: string | null; reason: string }

/** A poll to be made. closes: seconds since 1970; club: whose members it asks, with `who: club`. */
export interface NewPoll {
  cid?: string | null;
  question: string;
  options: string[];
  closes: number;
  who?: "club" | "everybody" | "members";
  club?: number | null;
  changeable?: boolean;
}

/** My vote: which option, from 0. */
export interface Vote { cid?: string | null; choice: number }

/** A position is kept: with a name, what there is to find, a note. */
export interface KeepPosition {
  cid?: string | null;
  game: string;
  variant?: string | null;
  options?: Record<string, Json>;
  start: string;
  name: string;
  goal?: string | null;
  note?: string | null;
  public?: boolean;
}

/** Whether all may see it. */
export interface ShowPosition { cid?: string | null; public: boolean }

/** What my seat does, for the rules to say what comes of it; empty: the position itself. */
export interface Looking { cid?: string | null; moves?: Json[] }

/** My answer: an action as at a table; null: I give up. */
export interface ProblemAnswer { cid?: string | null; a?: Json }

/** A position to be published as a problem. seat: whose choice it is, null: whoever is to act. */
export interface NewProblem {
  cid?: string | null;
  game: string;
  options?: Record<string, Json>;
  seats?: number | null;
  start: string;
  seat?: number | null;
  title?: string;
}

/** Make problems of my mistakes. game: only of this one. */
export interface MyMistakes { cid?: string | null; game?: string | null }

/** What a browser's push subscription says: where it is reached, its two keys in base64url. name: of the device. */
export interface NewDevice {
  cid?: string | null;
  endpoint: string;
  public: string;
  secret: string;
  name?: string;
  lang?: "en" | "zh-CN" | "zh-Hant";
}

/** What stands after the # of the link in a letter. */
export interface StopLetters { cid?: string | null; token: string }

/** A review is opened at a moment, after n actions. */
export interface NewReview { cid?: string | null; n?: number }

/** The leader looks at a moment of a line (0: the record). */
export interface StepTo { cid?: string | null; line?: number; n: number }

/** To whom the leader hands over; without a name, whoever sends it would like to lead. */
export interface Lead { cid?: string | null; to?: number | null }

/** Something is said at a moment of a line. */
export interface SayHere { cid?: string | null; text: string; line?: number; n: number }

/** An action of a seat at a moment of a line. */
export interface TryMove {
  cid?: string | null;
  line?: number;
  n: number;
  seat: number;
  action: Record<string, Json>;
}

/** The leader looks at a branch of the game. */
export interface ShowBranch { cid?: string | null; game: string }

/** A line gets a name. */
export interface LineName { cid?: string | null; name: string }

/** What a reader tries: what they have done since a moment of the case, or what they have changed of it. */
export interface RuleTry {
  cid?: string | null;
  at?: number | null;
  did?: [number, Json][];
  given?: Record<string, Json>;
}

/** A file of another program; data in base64. */
export interface Bring { cid?: string | null; data: string }

/** A team tournament to be announced (P-69). */
export interface NewTeams { cid?: string | null; form: TeamsForm }

/** The form. boards: players of a team that play; least, most: teams; games: on each board, 2 with colours changed.

    section: so many teams play all-play-all at most; more are divided. starts_at: ms, None: when `most` teams are
    complete. forfeit_s: who is not ready by then has lost a live game; pause_s: between rounds, for line-ups.
    clubs: a match of these alone, which no other team enters (P-78); the hall makes it, of a challenge. */
export interface TeamsForm {
  name: string;
  terms: GameTerms;
  boards?: number;
  least?: number;
  most?: number | null;
  games?: 1 | 2;
  section?: number;
  starts_at?: number | null;
  forfeit_s?: number;
  pause_s?: number;
  clubs?: number[];
}

/** What my team is called; or which team of which club of mine enters. */
export interface Founding { cid?: string | null; name?: string; club?: number | null; club_team?: number | null }

/** Which team, by its number in the tournament. */
export interface InTeam { cid?: string | null; team: number }

/** A group of friends (P-10): people I follow, under a name of mine. */
export interface NewGroup { cid?: string | null; name: string; users?: number[] }

/** A purchase. game: whose negative score is set to 0. room, tune, to, text: of a song; to: a user, None: all. */
export interface Buy {
  cid?: string | null;
  item: "hearts_to_coins" | "member_days" | "reset_credibility" | "reset_score" | "song";
  qty?: number;
  game?: string | null;
  room?: number | null;
  tune?: string | null;
  to?: number | null;
  text?: string;
}

/** A code typed in. */
export interface Redeem { cid?: string | null; code: string }

/** I go on from a moment, after n actions, at a seat, against bots. timed: with the game's usual clock.

    review: the key of a shared review of the game, in which all see what comes of it. */
export interface GoOn {
  cid?: string | null;
  n: number;
  seat: number;
  level?: string;
  timed?: boolean;
  review?: string | null;
}

/** My branch gets a name, or others may see it: me alone, whoever has its link, or everybody. */
export interface WhatIfChange { cid?: string | null; name?: string | null; who?: "all" | "link" | "me" | null }

/** The answer to `hello`. */
export interface Welcome {
  t: "welcome";
  v: number;
  now: number;
  user: User | null;
  server: string;
  tables: number[];
  limits: Json;
}

/** Who somebody is, as everybody may see it. */
export interface User { id: number; name: string; kind: "bot" | "guest" | "user"; picture?: string }

/** A whole table as one channel sees it. */
export interface Snapshot {
  t: "snapshot";
  table: number;
  ch: string;
  seq: number;
  now: number;
  you: You;
  watchers: number;
  info: Info;
  seats: SeatInfo[];
  offers: Offer[];
  game: Game | null;
  view: Json;
  ask: OpenAsk | null;
  legal: Legal | null;
  hints: Json;
  clocks: Clocks | null;
  late: Late | null;
  result: Result | null;
  chat: Chat[];
  missed: Missed[] | null;
  here?: number[];
}

/** Whose channel this is. standing: answers its seat has given beforehand; prepared: lines of moves for later.

    Both are left out where there are none. over: the seat over whose shoulder they look (P-115). */
export interface You {
  seat: number | null;
  owner: boolean;
  standing?: string[];
  prepared?: Json[][];
  over?: number | null;
}

/** A table's properties. */
export interface Info {
  room: number;
  no: number;
  game: string;
  variant: string | null;
  kind: "coin" | "friendly" | "pass" | "score";
  preset: string | null;
  options: Json;
  clock: Json;
  terms: Json;
  watch: Watch;
  state: "between" | "closed" | "open" | "playing";
  pass?: number;
  pauses?: "even" | "quick";
  match?: Match;
  contest?: ContestGame;
  duplicate?: boolean;
  start?: DealStart;
}

/** What watchers see (P-88). */
export interface Watch { mode: "after_hand" | "delayed" | "open" | "public_only"; delay_s: number | null }

/** The match at a table between its deals. deal: number of the next; points: by seat, of those before.

    instead: seats where another sits than has played so far; fresh: a new one begins, because its owner wants it. */
export interface Match { deal: number; points: number[]; instead: number[]; fresh: boolean }

/** A game of a contest (P-67 to P-71), whose table is for those who play it and for nobody else.

    contest: its stream, `tournament:3`; game: the name of the game within it. users: by seat; None: a bot of `level`.
    begin_by: until when they are waited for, ms since 1970; None: it begins at once, as games by days do.
    deal: the shared deal whose luck it uses; None: luck of its own. */
export interface ContestGame {
  contest: string;
  game: string;
  users: (number | null)[];
  begin_by?: number | null;
  level?: string;
  deal?: SealedDeal | null;
}

/** A deal that several tables play (P-94, 同牌赛): the name under which its luck is drawn, and its commitment. */
export interface SealedDeal { id: string; commitment: string }

/** Where a deal starts that does not start as deals of its game do.

    text: from a position, as its game writes it (P-74). game, ply: after so many actions of another game's record, with
    which its own record begins (What if). */
export interface DealStart { text?: string | null; game?: string | null; ply?: number }

/** A seat and who sits there. bot: the level, for a bot of the table's own; temper: its temperament.

    shoulder: who may look over this one's shoulder (P-115). */
export interface SeatInfo {
  seat: number;
  user: User | null;
  bot: string | null;
  ready: boolean;
  presence: "bot" | "grace" | "left" | "online" | null;
  until: number | null;
  score: number | null;
  grade: number | null;
  pass: number | null;
  below?: true;
  shoulder?: User;
  temper?: "calm" | "quick" | "quiet" | "warm";
}

/** An open offer (P-101, P-58, P-16). */
export interface Offer { offer: number; seat: number; what: "set" | "stop" | "takeback"; until: number; set?: Json }

/** The deal at the table, and what proves it fair (P-91).

    board: the shared deal whose luck it uses (P-94); board_no: its number in the table's room. */
export interface Game {
  game_id: string;
  deal: number;
  commitment: string | null;
  client_seeds: string[] | null;
  server_seed: string | null;
  board?: string;
  board_no?: number;
}

/** What a seat is asked now; `until` in ms since 1970, null when there is no limit. */
export interface OpenAsk { id: number; kind: string; until: number | null }

/** The actions by which a seat plays on, at most 200; `more`: there are others, which `try` can judge.

    leaving: those beside them that would end the deal, resignations and offers of a draw (0043). */
export interface Legal { list: Json[]; more: boolean; leaving?: Json[] }

/** Clocks as of `now`; `left` by seat in ms. */
export interface Clocks {
  left: (number | null)[];
  run: number[];
  until: number | null;
  periods?: (number | null)[];
  moves_to_go?: (number | null)[];
}

/** For watchers under `delayed`, `after_hand`, `open`: every seat's view as it was at `at`. */
export interface Late { at: number; views: Json[] }

/** How the deal ended. */
export interface Result {
  points: number[];
  places: number[];
  why: string;
  paid: Paid[];
  server_seed: string | null;
  seats?: RoomSeat[];
  short?: boolean;
}

/** What one seat got for a game; null if the room does not count it. grade: the one it leads to.

    pass: the state it leads to, with `change`, `moved`, `record`; rating: the new one, with `shown`, `change`, `sure`;
    fibs: the same beside it, where a match counts for it (P-116). fee: of a change of coins, what the house keeps of
    everybody; times: by what the points have counted, where that is not one (P-61). */
export interface Paid {
  seat: number;
  score: number | null;
  coins: number | null;
  pass: Json;
  grade: number | null;
  rating: Json;
  credibility: number | null;
  fibs?: Record<string, Json>;
  fee?: number;
  times?: number;
}

/** Who sits on a seat: on the room's map, or when a deal ended. */
export interface RoomSeat { seat: number; user: User | null; bot: string | null }

/** A line of talk: `text`, or a `phrase` of the language files, or the hall's own `code` with `facts`.

    removed: a moderator has taken the line of this number away; it has none of the others, and `from` is null.
    seat: whose bot says the phrase; `from` is null and the number 0. */
export interface Chat {
  t: "chat";
  to: string;
  id: number;
  at: number;
  from: User | null;
  text?: string;
  phrase?: string;
  code?: string;
  facts?: Json;
  removed?: boolean;
  seat?: number;
}

/** What was told while the line was lost, or was lost on its way. */
export interface Missed { seq: number; told: News[] }

/** What a committed event changed in one channel, and what it tells. */
export interface Ev {
  t: "ev";
  table: number;
  ch: string;
  seq: number;
  now: number;
  told: News[];
  you?: You;
  info?: Info;
  seats?: SeatInfo[];
  offers?: Offer[];
  game?: Game | null;
  view?: Json;
  ask?: OpenAsk | null;
  legal?: Legal | null;
  hints?: Json;
  clocks?: Clocks | null;
  late?: Late | null;
  result?: Result | null;
}

/** A command was carried out and is stored. */
export interface Ack { t: "ack"; cid: string; table?: number; seq?: number; again?: boolean }

/** A message was refused and changed nothing. `cid` and `re` are null when unreadable. */
export interface Err { t: "err"; cid: string | null; re: string | null; code: string; facts: Json; table?: number }

/** A whole room. */
export interface RoomSnapshot {
  t: "room";
  room: number;
  info: RoomInfo;
  tables: RoomTable[];
  people: Person[];
  chat: Chat[];
  slow: number;
}

/** A room (P-15). */
export interface RoomInfo {
  room: number;
  game: string;
  name: Json;
  kind: "coin" | "friendly" | "pass" | "score";
  variant: string | null;
  preset: string | null;
  options: Json;
  clock: Json;
  terms: Json;
  watch: Watch;
  bots: boolean;
  seats: number;
  tables: number;
  most_people: number;
  passes?: number;
  moderators: User[];
  duplicate: boolean;
  board_tables?: number;
}

/** A table on the room's map; `options` and `terms` are those that differ from the room's. */
export interface RoomTable {
  table: number;
  no: number;
  state: "between" | "closed" | "open" | "playing";
  seats: RoomSeat[];
  watchers: number;
  options: Json;
  pass?: number;
  terms?: Json;
}

/** Somebody in a room. */
export interface Person {
  user: User;
  score: number | null;
  grade: number | null;
  pass: number | null;
  table: number | null;
}

/** The rows of a room that changed. */
export interface RoomEv {
  t: "room_ev";
  room: number;
  info?: RoomInfo;
  tables?: RoomTable[];
  people?: Person[];
  gone?: Gone;
}

/** What has left a room's lists. */
export interface Gone { tables: number[]; people: number[] }

/** Rows of a live list: `cards` of `CardTable`, `online` of `Person`; whole: forget the old rows. */
export interface ListRows { t: "list"; list: string; rows: Json[]; gone: number[]; whole: boolean }

/** A shared review has changed (P-90): where its leader looks, who asks to lead, how many lines, the last words.

    playing: how many of the lines are still being played. */
export interface ReviewNews {
  t: "review";
  key: string;
  line: number;
  n: number;
  leader: number | null;
  asks: number[];
  lines: number;
  said: number;
  playing: number;
}

/** A place where people talk. slow: seconds between two lines of one person, 0: no such rule; chat: lines in view.

    people: how many hear it. Without `chat` only the rule has changed. */
export interface TalkRoom { t: "talk"; to: string; slow: number; people: number; chat?: Chat[] }

/** Something for this user, wherever he is. */
export interface Note {
  t: "note";
  kind: "contest" | "ended" | "friend" | "invite" | "mail" | "mention" | "penalty" | "role" | "shoulder" | "stood" | "turn";
  ref: Json;
  facts: Json;
  counts: Json;
}

/** To a bot's program: a game begins where it sits, or goes on when the program comes back (P-93). */
export interface Start { t: "start"; table: number; seat: number }

/** To a bot's program: a game where it sat has ended. */
export interface End { t: "end"; table: number; game_id: string }

/** How many watch a table, and who of a turn-based one's players looks at it (P-24); not numbered. */
export interface Count { t: "count"; table: number; watchers: number; here?: number[] }

/** Join this table again. */
export interface Rejoin { t: "rejoin"; table: number }

/** The socket is about to be closed. */
export interface Bye { t: "bye"; why: "idle" | "restart" | "signed_out"; in_ms?: number }

/** The answer to `ping`. */
export interface Pong { t: "pong"; n: number; now: number }

/** The line stands, but the node that leads says nothing: what was sent is answered later, or over another line. */
export interface Wait { t: "wait" }

/** The table was opened, or opened again. bound: those who sit there still owe the deals they agreed to (P-58).

    contest: the game of a contest that it was opened for; only that game's players may sit down.
    duplicate: it plays the shared deals of its room (P-94).
    start: where its deals start, where they do not start as usual. */
export interface Opened {
  e: "table.opened";
  room: number;
  no: number;
  game: string;
  kind: "coin" | "friendly" | "pass" | "score";
  seats: number;
  variant: string | null;
  preset: string | null;
  bots: boolean;
  watch: Watch;
  made: boolean;
  pass?: number | null;
  rules?: number;
  options: Json;
  clock: Json;
  terms: Terms;
  owner: number | null;
  bench?: number;
  bound?: boolean;
  contest?: ContestGame;
  duplicate?: boolean;
  start?: DealStart;
}

/** The conditions of a room or a table (P-15, P-16); by default there are none. */
export interface Terms {
  min_score?: number | null;
  max_score?: number | null;
  min_grade?: number | null;
  min_rating?: number | null;
  max_rating?: number | null;
  min_credibility?: number | null;
  min_coins?: number | null;
  factor?: number;
  fee?: number;
  brackets?: "all_in_bracket" | "minimum" | null;
  min_games?: number;
  min_win_rate?: number | null;
  friends?: boolean;
  group?: number | null;
  group_watch?: boolean;
  password?: boolean;
  private?: boolean;
  watchers?: boolean;
  substitute?: boolean;
  table_chat?: "off" | "open" | "phrases";
  pauses?: "even" | "quick" | null;
}

/** Somebody has sat down: a user, with what everybody sees of what they bring, or a bot. owner: they own it now. */
export interface SeatedNews {
  e: "table.sat";
  seat: number;
  user?: User | null;
  bot?: string;
  score?: number | null;
  credibility?: number | null;
  owner?: boolean;
}

/** Somebody has left their seat. reason: what a moderator wrote. */
export interface Stood { e: "table.stood"; seat: number; why: string; reason?: string }

/** The two players have changed seats. */
export interface Swapped { e: "table.swapped" }

/** Somebody has become ready, or is no longer ready. */
export interface Readied { e: "table.readied"; seat: number; on: boolean }

/** The table's properties have changed. match: the next deal begins a new match, or continues this one. */
export interface PropertiesSet {
  e: "table.set";
  rules?: number;
  options: Json;
  clock: Json;
  terms: Terms;
  by: number | null;
  match?: "new" | "on";
}

/** The table was closed. reason: what a moderator wrote. */
export interface Closed { e: "table.closed"; why: string; reason?: string }

/** Somebody has offered something to the others. set: the properties that are offered. */
export interface OfferMade {
  e: "table.offered";
  offer: number;
  seat: number;
  what: "set" | "stop" | "takeback";
  until: number;
  set?: Json;
}

/** An offer was answered. seat: null if nobody had to answer, or nobody did in time. */
export interface OfferAnswered { e: "table.answered"; offer: number; seat: number | null; yes: boolean }

/** Somebody's presence at their seat has changed. price: what leaving costs. lost: their line is lost. */
export interface PresenceChanged {
  e: "table.presence";
  seat: number;
  state: "bot" | "grace" | "left" | "online";
  until: number | null;
  price?: number;
  lost?: boolean;
  free?: boolean;
  kicked?: boolean;
}

/** A bot was too slow for the first time in this game, and a weaker level played instead. */
export interface BotWeakened { e: "table.below"; seat: number }

/** Told to a seat alone: what it had prepared could not be played. */
export interface PreparedGone { e: "table.prepared" }

/** What somebody has in this table's game was changed by another table or page. */
export interface HoldingsChanged { e: "table.scored"; seat: number; score: number; credibility: number }

/** Somebody has paid for getting up while they owed play (P-58). */
export interface FinedNews {
  e: "table.fined";
  seat: number;
  user: User | null;
  game: string;
  score: number | null;
  coins: number | null;
  credibility: number;
}

/** A seat lets somebody look over its shoulder (P-115). null: nobody any more. */
export interface ShoulderNews { e: "table.shoulder"; seat: number; user: User | null }

/** Everything that the table waits for was extended by so many ms (P-100). */
export interface TimeReturned { e: "table.given"; ms: number }

/** A deal was created; where luck plays, it is dealt once the clients' seeds are there. */
export interface DealCreatedNews {
  e: "game.created";
  table: number;
  game_id: string;
  deal: number;
  game: string;
  variant: string | null;
  rules?: number;
  options: Json;
  carry: Json;
  seats: NamedPlayer[];
  bench?: NamedBenchPlayer[];
  daily?: string;
  board?: string;
  board_no?: number;
  start?: DealStart;
  first_seated: number;
  commitment: string | null;
  wait: number;
}

/** Who plays: a user, or a bot's level. */
export interface NamedPlayer { user?: User | null; bot?: string | null }

/** Who sits on the bench, at which place (P-63). */
export interface NamedBenchPlayer { seat: number; user: User | null }

/** The clients' seeds are published; the deal begins. */
export interface DealSeeded { e: "game.seeded"; game_id: string; client_seeds: string[] }

/** Moves were taken back: the deal is as it was at row `to` of its stream. */
export interface TakenBack { e: "game.undone"; to: number }

/** The deal is over and paid.

    short: it was given up before it counted. inside: who won each game of a match, and how. took: ms, for a board of
    the day. left: who left the deal, by seat. pool: the rating pool. */
export interface Settled {
  e: "game.ended";
  points: number[];
  places: number[];
  why: string;
  carry: Json;
  server_seed: string | null;
  paid: Paid[];
  again: number;
  short?: boolean;
  inside?: ([number | null, string])[];
  took?: number;
  left?: Record<string, string>;
  pool?: string;
}

/** All achievements, and how somebody stands with each; user: who, null: nobody is signed in. */
export interface AchievementRows { user: User | null; rows: AchievementRow[]; earned: number }

/** An achievement. have: of `need`; at: when it was earned, null: not yet; people: how many have earned it.

    seal: what its picture shows; game: whose it is, null: the hall's, whose sentences are `achievement.<id>`. */
export interface AchievementRow {
  id: string;
  group: "contest" | "game" | "hall";
  game: string | null;
  seal: string;
  need: number;
  people: number;
  have: number;
  at: number | null;
}

/** Somebody's albums, as I may see them. most: pictures that one person may keep; used: theirs, only in mine. */
export interface AlbumPage { user: User; albums: Album[]; most: number | null; used: number | null }

/** An album, with those of its pictures that a viewer may see. */
export interface Album { id: number; user: number; name: string; at: number; pictures: Picture[] }

/** A picture. removed: by a moderator; its owner alone still sees that there was one. */
export interface Picture {
  id: number;
  album: number;
  user: number;
  at: number;
  caption: string;
  visible: "friends" | "me" | "public";
  width: number;
  height: number;
  comments: number;
  removed: boolean;
}

/** The number of the album that was made. */
export interface AlbumMade { id: number }

/** A picture, whose it is, the name of its album, and the pictures before and after it there. */
export interface PicturePage {
  picture: Picture;
  user: User;
  name: string;
  before: number | null;
  after: number | null;
}

/** What is said of a picture, newest first. */
export interface PictureCommentRows { rows: PictureCommentRow[]; next: string | null }

/** What somebody says of a picture. mine: I may delete it. */
export interface PictureCommentRow { id: number; at: number; user: User; html: string; mine: boolean }

/** How it stands with a game's analysis; done, of: decisions gone through. ahead: games that wait before it.

    none: nobody has asked; failed: it cannot be gone through. */
export interface AnalysisStanding {
  state: "done" | "failed" | "none" | "running" | "waiting";
  ahead: number;
  done: number;
  of: number;
  analysis: Analysis | null;
}

/** An analyst's verdicts on a finished deal. */
export interface Analysis {
  by: string;
  unit: string;
  rows: Verdict[];
  edition: number;
  accounts: SeatAccount[];
  curves: Course[];
  deals: number;
  unweighed: Unweighed[];
}

/** An analyst's verdict on one action. */
export interface Verdict {
  n: number;
  seat: number;
  said: string;
  best: string;
  loss: number;
  luck: number | null;
  worth: number;
  error: number | null;
  mark: string;
  kind: string;
  gain: number | null;
  gain_error: number | null;
  line: [number, Json][];
  said_line: string[];
  tried: Weighed[];
  weighed: number;
  chances: [number, number, number] | null;
}

/** A choice that an analyst has weighed. */
export interface Weighed { said: string; worth: number; error: number; tops: number | null }

/** What an analysis comes to for one seat; with the sheet of luck and skill (P-103) where there is one.

    result = luck + skill + others: `luck` is all that neither their own nor the others' choices explain. Of it `dealt`
    lay in the deal before the first choice. */
export interface SeatAccount {
  seat: number;
  decisions: number;
  loss: number;
  marks: Record<string, number>;
  accuracy: number | null;
  throws: number | null;
  figures: Record<string, number>;
  result: number | null;
  skill: number | null;
  error: number;
  others: number | null;
  luck: number | null;
  dealt: number | null;
  dealt_error: number | null;
}

/** A line of an analysis' graph. */
export interface Course { seat: number; points: [number, number][] }

/** An action on which there is no verdict. */
export interface Unweighed { n: number; why: string }

/** All moments of a finished game.

    broken: the first step that today's rules do not know, 0: not even the start; the moments before it are shown. */
export interface ReplayFrames { rows: Frame[]; broken?: number }

/** The table after an action of a finished game. Frame 0 is before the first, without seat and action. */
export interface Frame {
  n: number;
  seat: number | null;
  action: Json;
  ms: number;
  told: Json[];
  mark: string | null;
  views: Record<string, Json>[];
}

/** What the analyses of somebody's deals say of them. unanalysed: of my last deals, those without one; else 0. */
export interface SkillPage { user: User; months: SkillMonth[]; rows: Deal[]; unanalysed: number }

/** A month of one game. month: YYYY-MM, UTC. skill: a deal's, with luck taken out. */
export interface SkillMonth {
  month: string;
  game: string;
  unit: string;
  deals: number;
  decisions: number;
  loss: number;
  accuracy: Figure | null;
  result: Figure | null;
  skill: Figure | null;
  luck: Figure | null;
}

/** A mean over deals, and its standard error; None: one deal tells no error. */
export interface Figure { mean: number; error: number | null }

/** What the analysis of one deal says of a person. at: seconds. */
export interface Deal {
  game: string;
  at: number;
  id: string;
  unit: string;
  decisions: number;
  loss: number;
  accuracy: number | null;
  result: number | null;
  skill: number | null;
  error: number | null;
  luck: number | null;
  dealt: number | null;
}

/** How many games were put into the queue. */
export interface Enqueued { games: number }

/** The boards of this hall, or those I like best. */
export interface BoardsListed { rows: BoardListed[] }

/** A board: general, requests, bugs, news, a game, or a club's. unread: somebody wrote since I last saw it.

    name: the club's, null where the board is no club's. */
export interface BoardListed {
  board: string;
  club: number | null;
  name: string | null;
  threads: number;
  posts: number;
  last: LastPost | null;
  favourite: boolean;
  unread: boolean;
}

/** The newest post of a board or a thread. title: of its thread, null where it is gone. */
export interface LastPost { thread: number; post: number; title: string | null; user: User | null; at: number }

/** A board with its threads, the one with the newest post first. write: whether I may open one, as far as rights go.

    level: my reading level; a thread of mine may ask for as much. boards: where moderators may move threads to. */
export interface BoardPage {
  next: string | null;
  board: BoardListed;
  write: boolean;
  moderator: boolean;
  level: number;
  pinned: ThreadRow[];
  rows: ThreadRow[];
}

/** A thread. title: null where it is gone; level: who has less may not read it; read: until which post I have.

    board_name: the club's, null where the board is no club's. */
export interface ThreadRow {
  thread: number;
  board: string;
  board_name: string | null;
  title: string | null;
  gone: "erased" | "removed" | null;
  user: User | null;
  at: number;
  level: number;
  pinned: boolean;
  locked: boolean;
  essence: boolean;
  posts: number;
  read: number;
  last: LastPost;
}

/** What I have written, and where it stands. */
export interface Posted { thread: number; post: number; no: number }

/** A thread with some of its posts, oldest first. write: whether I may answer, as far as rights go. */
export interface ThreadPage {
  next: string | null;
  thread: ThreadRow;
  write: boolean;
  moderator: boolean;
  boards: string[];
  rows: PostRow[];
}

/** A post. no: which one of its thread; html: null where it is gone; until: when I can change it no more. */
export interface PostRow {
  post: number;
  no: number;
  user: User | null;
  at: number;
  html: string | null;
  gone: "erased" | "removed" | null;
  edited: number | null;
  until: number | null;
}

/** A post as it was typed. title: with a thread's first. versions: what stood there, for author and moderators. */
export interface PostSource {
  post: number;
  thread: number;
  no: number;
  user: User | null;
  title: string | null;
  text: string | null;
  versions: PostVersion[];
}

/** What stood in a post until a time. */
export interface PostVersion { at: number; title: string | null; text: string }

/** What a search has found, newest first. There may be more, although a page is short: `next` tells. */
export interface FoundRows { next: string | null; rows: FoundRow[] }

/** A post that was found: title and text in pieces, of which those with true are what was searched for.

    board_name: the club's, null where the board is no club's. */
export interface FoundRow {
  post: number;
  thread: number;
  board: string;
  board_name: string | null;
  no: number;
  user: User | null;
  at: number;
  title: TextPart[];
  text: TextPart[];
}

/** A piece of an excerpt. hit: it is what was searched for. */
export type TextPart = [string, boolean];

/** Somebody's reading level. given: it was set. */
export interface ReadingLevelIs { level: number; given: boolean }

/** A command was carried out and is stored: the `ack` of the socket. */
export interface Done { cid: string; table?: number | null; again?: boolean }

/** Somebody's finished games, newest first (P-4). */
export interface PlayedRows { next: string | null; rows: PlayedRow[] }

/** A finished game as one of its players has it; rating: after it. players: everybody, by seat.

    left: how they left it before its end. */
export interface PlayedRow {
  game_id: string;
  table: number;
  game: string;
  variant: string | null;
  at: number;
  seat: number;
  points: number;
  sign: -1 | 0 | 1 | null;
  score: number | null;
  coins: number | null;
  rating: number | null;
  left: "disconnect" | "kicked" | "quit" | null;
  players: RoomSeat[];
}

/** How a rating went: (seconds since 1970, rating), oldest first (P-4). */
export interface Curve { pool: string; rows: [number, number][] }

/** Somebody's statistics. met: to themselves whom they have met most often, to another how the two have done. */
export interface OwnStatistics { rows: CareerRow[]; met: Versus[] }

/** What somebody has done in a game, where it counts: by seat, variant, month; percent: of `all`, cut (P-75). */
export interface CareerRow {
  game: string;
  all: Tally;
  percent: Record<string, string>;
  friendly: Tally;
  seats: Record<string, Tally>;
  variants: Record<string, Tally>;
  months: Record<string, Tally>;
}

/** Counts of how games have ended. */
export interface Tally { won: number; lost: number; drawn: number }

/** How two have done in the games they played together, by their points. */
export interface Versus { user: User; games: number; ahead: number; behind: number; level: number }

/** Somebody's games from afar (P-4): the days of a year, with whom they play most, their best deals.

    days: (day, games), of the days on which there was one; the last three are empty where they hide their wins. */
export interface Highlights {
  since: string;
  today: string;
  days: [string, number][];
  partners: AllyRow[];
  opponents: Versus[];
  best: BestRow[];
}

/** How two have done on the same side. */
export interface AllyRow { user: User; games: number; won: number; lost: number; drawn: number }

/** A win to look at again. kind: the most points of its game, or an end that is rare here.

    share: how many of all games of its kind ended so, in percent, cut; only of a rare one. */
export interface BestRow {
  kind: "points" | "rare";
  game_id: string;
  game: string;
  variant: string | null;
  at: number;
  points: number;
  why: string | null;
  share: string | null;
}

/** The chat rooms that I may hear. */
export interface ChatPlaces { rows: ChatPlace[] }

/** A chat room. to: `hall`, `game:<name>`, `club:<id>`; name: of the club; people: how many hear it. */
export interface ChatPlace { to: string; name: string | null; people: number; slow: number }

/** A chat room with the lines in view, oldest first. keeps: whether I may set how slow it is. */
export interface ChatView { to: string; slow: number; people: number; chat: Chat[]; keeps: boolean }

/** Clubs, those with the most members first. invited: those that have invited me. */
export interface ClubRows { next: string | null; rows: ClubLine[]; invited: ClubLine[] }

/** A club in lists. people: how many; closed: who joins asks a boss; rank: mine, None: I am no member. */
export interface ClubLine {
  id: number;
  name: string;
  people: number;
  closed: boolean;
  at: number;
  rank: "boss" | "manager" | "member" | null;
}

/** A club. html: what it says of itself; text: the same as written, for bosses. door: I asked, am invited, banned.

    leaders: its bosses and managers; online: members who are here and let it be known; ref: of a report. */
export interface ClubShown {
  club: ClubLine;
  founder: User | null;
  html: string;
  text: string | null;
  leaders: PersonInClub[];
  online: number;
  door: "asked" | "banned" | "invited" | null;
  waiting: number;
  author: User | null;
  ref: string;
  news: NewsRows;
}

/** Somebody in a club. at: since when; teams: in which they play; table: where they are, if they let it be known. */
export interface PersonInClub {
  user: User;
  rank: "boss" | "manager" | "member";
  at: number;
  online: boolean;
  table: number | null;
  teams: string[];
}

/** News of a club, newest first. */
export interface NewsRows { next: string | null; rows: NewsRow[] }

/** News of a club, as HTML. ref: of a report. */
export interface NewsRow { id: number; author: User | null; at: number; title: string; html: string; ref: string }

/** The members of a club: bosses, managers, then the others. doors: who waits before it, for bosses. */
export interface ClubPeople { club: ClubLine; rows: PersonInClub[]; doors: DoorRow[] }

/** Somebody who stands before the door of a club. */
export interface DoorRow { user: User; what: "asked" | "banned" | "invited"; at: number }

/** The teams of a club, the challenges from and to it, and public ones that its teams could accept. */
export interface ClubTeams {
  club: ClubLine;
  rows: ClubTeamRow[];
  challenges: ChallengeRow[];
  public: ChallengeRow[];
  now: number;
}

/** A team of a club. players: in the order of its line-up; leads: I may lead it; ref: of a report. */
export interface ClubTeamRow {
  id: number;
  club: number;
  game: string;
  name: string;
  players: ClubPlayer[];
  leads: boolean;
  ref: string;
}

/** Somebody in a team. */
export interface ClubPlayer { user: User; captain: boolean }

/** A challenge between two teams. mine: of this club, else from another; contest, match: of what it has led to.

    other: None: it is public. starts_at: ms, None: soon after it is accepted. answers: I may accept it, or not. */
export interface ChallengeRow {
  id: number;
  mine: boolean;
  by: SideRow;
  other: SideRow | null;
  terms: GameTerms;
  boards: number;
  games: number;
  starts_at: number | null;
  until: number;
  state: "accepted" | "declined" | "open" | "past" | "void" | "withdrawn";
  answers: boolean;
  contest: number | null;
  match: TeamsLine | null;
}

/** One of the two of a challenge. club: its number, None: it is no more; name: the club's, team: the team's. */
export interface SideRow { club: number | null; name: string; team: string }

/** What the list of team tournaments shows of one. complete: teams with enough players. */
export interface TeamsLine {
  id: string;
  state: "cancelled" | "finished" | "open" | "running";
  form: TeamsForm;
  game: string;
  teams: number;
  complete: number;
  stage: number;
  round: number;
  next_at: number | null;
  winners: string[];
}

/** The number of the match among the team tournaments, None: it is being made. */
export interface ClubMatch { number: number | null }

/** What has happened for me, newest first. */
export interface NoticeRows { rows: NoticeRow[]; next: string | null; unread: number }

/** Something that has happened for me. kind, facts: of its sentence; path: the page it leads to. */
export interface NoticeRow { id: number; at: number; kind: string; path: string; facts: Json; read: boolean }

/** How it will look, as HTML. */
export interface Previewed { html: string }

/** Tournaments, newest first (P-67); a private one is shown to its own people. */
export interface TournamentRows { next: string | null; rows: TournamentRow[] }

/** A tournament in the list. number: of its page; mine: whether I have entered it, or made it.

    me: what is mine in it while it is not over, None: I am not in it. */
export interface TournamentRow {
  number: number;
  tournament: TournamentLine;
  winners: User[];
  mine: boolean;
  me: Mine | null;
}

/** What the list of tournaments shows of one. entrants: who are in by now; winners: the first, when it is over. */
export interface TournamentLine {
  id: string;
  game: string;
  state: "cancelled" | "finished" | "open" | "running";
  form: TournamentForm;
  by: number | null;
  entrants: number;
  started_at: number | null;
  ended_at: number | null;
  winners: number[];
}

/** What is mine in it. games: the next one first. */
export interface Mine { no: number; state: "away" | "in" | "out" | "reserve"; agreed: boolean; games?: MyGame[] }

/** A game that waits for me. seat: mine; others: the other people; forfeit_at: when it is lost (ms). */
export interface MyGame {
  game: string;
  seat: number;
  others: number[];
  from: number;
  table?: number | null;
  forfeit_at?: number | null;
}

/** The page of a tournament, and the people that it names by their numbers. now: ms. */
export interface TournamentShown { number: number; tournament: TournamentPage; people: User[]; now: number }

/** The page of a tournament. rows: for telling an old page from a new one.

    closed: the code of why nobody can enter now; pool: the fees; prizes: by place, as they would be now, or user and
    coins when it is over (`paid`); due: when time brings the next thing; key: for who has made it. */
export interface TournamentPage {
  id: string;
  rows: number;
  state: "cancelled" | "finished" | "open" | "running";
  form: TournamentForm;
  by: number | null;
  made_at: number;
  entrants: EntrantRow[];
  stages?: StagePage[];
  places?: Place[];
  pool?: number;
  prizes?: number[];
  paid?: [number, number][];
  closed?: string | null;
  started_at?: number | null;
  ended_at?: number | null;
  ends_at?: number | null;
  due?: number | null;
  reason?: string;
  key?: string | null;
  mine?: Mine | null;
}

/** An entrant. seed: place in the starting order; waits: partners who have not agreed; struck: in this stage. */
export interface EntrantRow {
  no: number;
  users: (number | null)[];
  state: "away" | "in" | "out" | "reserve";
  rating?: number | null;
  why?: string;
  seed?: number | null;
  waits?: number[];
  struck?: number;
}

/** A stage. bracket: of a knockout, round by round from top to bottom; byes: round and entrant. */
export interface StagePage {
  no: number;
  round: number;
  rounds: number;
  ties: string[];
  sections: SectionPage[];
  bracket?: Slot[];
  byes?: [number, number][];
  winners?: number[] | null;
}

/** A section: its table, whose ties are named in `StagePage.ties`, and its cross table.

    cross: by row and column of `rows`, what the row's entrant got in each meeting with the column's; empty where more
    than two sides sit at a table. */
export interface SectionPage { rows: Row[]; meetings: MeetingRow[]; cross?: number[][][] }

/** A line of a table. place: equals share one; ties: by the names of `TIES`; played: meetings, byes not. */
export interface Row { no: number; place: number; score: number; ties: number[]; played: number }

/** A meeting: sides are entrants, None a bot. from_, forfeit_at: of its next game, while it is not over (ms). */
export interface MeetingRow {
  id: string;
  round: number;
  sides: (number | null)[];
  score?: number[] | null;
  results?: GameResult[];
  why?: string;
  table?: number | null;
  from?: number | null;
  forfeit_at?: number | null;
}

/** What came of a game. scores: by side of the meeting: 1, ½, 0; at a table of more sides the points.

    points: the game's own, by side. first: the side that had the first seat. why: the game's word, or the hall's.
    redeals: as of its meeting. */
export interface GameResult {
  scores: number[];
  points?: number[];
  first?: number;
  why?: string;
  table?: number | null;
  game_id?: string | null;
  redeals?: number;
}

/** A match of the bracket. upper, lower: entrants, None: nobody yet, or nobody at all; winner: who goes on. */
export interface Slot {
  round: number;
  board: number;
  upper?: number | null;
  lower?: number | null;
  winner?: number | null;
  meeting?: string | null;
}

/** Where an entrant has come in; equals share a place (1, 2, 2, 4). */
export type Place = [number, number];

/** All stairs of the hall (P-70). */
export interface StairsRows { next: string | null; rows: StairsRow[] }

/** Some stairs in the list. step: where I stand on them, None: nowhere. */
export interface StairsRow { stairs: StairsLine; top: User | null; step: number | null }

/** What the list of stairs shows of some: how many play, and who stands alone at the top, since when (ms).

    club: whose members alone play there. */
export interface StairsLine {
  id: string;
  game: string;
  variant: string | null;
  clock: Json;
  members: number;
  top: number | null;
  since: number | null;
  club: number | null;
}

/** The page of some stairs, and the people that it names by their numbers. now: ms. */
export interface StairsShown { stairs: StairsPage; people: User[]; now: number }

/** The stairs. steps: the highest first; top: who stands alone at the top, since when; history: the latest first. */
export interface StairsPage {
  id: string;
  state: "cancelled" | "running";
  terms: GameTerms;
  renumber_at: number;
  members: number;
  steps: Step[];
  me: StairsMe | null;
  top: Top | null;
  games: Challenge[];
  history: StairsGame[];
}

/** A step and who stands on it, those first who have been here longest; nobody: it is empty until the month ends. */
export interface Step { step: number; people: StairsPerson[] }

/** A member. refusal: the code by which my challenge would be refused now, None: I may; until: of TOO_SOON, ms. */
export interface StairsPerson {
  user: number;
  joined: number;
  retired: "banned" | "late" | "self" | null;
  games: number;
  won: number;
  lost: number;
  drawn: number;
  refusal: string | null;
  until: number | null;
}

/** Where I stand. out: the game of my challenge; challenged: the game of a challenge to me.

    nearest: whom the red button challenges: the highest and longest here of those I may; None: nobody. */
export interface StairsMe {
  step: number;
  retired: "banned" | "late" | "self" | null;
  out: string | null;
  challenged: string | null;
  nearest: number | null;
}

/** Who stands alone at the top, since when, and whether that has been honoured. */
export interface Top { user: number; since: number; honoured: boolean }

/** A game that runs. users: by seat; challenger: one of them; since: ms. */
export interface Challenge {
  game: string;
  users: [number, number];
  challenger: number;
  since: number;
  table?: number | null;
}

/** A game that has ended. before, after: the steps of the two; a member who is gone has none. */
export interface StairsGame {
  game: string;
  users: [number, number];
  challenger: number;
  result: "draw" | "first" | "second" | "void";
  why: string;
  at: number;
  before: [number | null, number | null];
  after: [number | null, number | null];
  game_id?: string | null;
}

/** Ponds, newest first (P-71). */
export interface PondRows { next: string | null; rows: PondRow[] }

/** A pond in the list. number: of its page; mine: whether I have entered it. */
export interface PondRow { number: number; pond: PondLine; winner: User | null; mine: boolean }

/** What the list of ponds shows of one. game: none; ponds are a game of their own. */
export interface PondLine {
  id: string;
  state: "cancelled" | "finished" | "open" | "running";
  form: PondForm;
  entered: number;
  round: number;
  running: number;
  ends_at: number | null;
  winner: number | null;
  game: null;
}

/** The page of a pond, and the people that it names by their numbers. now: ms. */
export interface PondShown { number: number; pond: PondPage; people: User[]; now: number }

/** A pond. prizes: as many fees make them by now; enough: whether it could start; runners: with this round's seals.

    rounds: the latest first, as `books.rounds`; books: None: nobody sees them yet; placed: best first, at the end. */
export interface PondPage {
  id: string;
  state: "cancelled" | "finished" | "open" | "running";
  form: PondForm;
  by: number | null;
  entered: number[];
  enough: boolean;
  pool: number;
  prizes: number[];
  round: number;
  ends_at: number | null;
  runners: Sealed[];
  fallen: FallenOne[];
  rounds: RoundSeals[];
  books: Books | null;
  me: PondMe | null;
  winner: number | null;
  placed: Placed[];
}

/** A runner, or a bid of theirs. seal: None: no bid (yet); auto: the hall has repeated their last one. */
export interface Sealed { user: number; seal: string | null; auto: boolean }

/** Somebody in the water. left: why they left the pond, None: they did not. */
export interface FallenOne { user: number; round: number; left: "banned" | "deleted" | "self" | null }

/** What everybody sees of a round that has ended: the seals of the bids that counted, and who fell. ended: ms. */
export interface RoundSeals { round: number; ended: number; seals: Sealed[]; fallen: number[] }

/** What is open to all, except in the dark: points, and the amounts of the rounds that have ended. */
export interface Books { accounts: PondAccount[]; rounds: OpenRound[] }

/** How many points somebody has left (of the fallen: after their last bid) and used last. -1: they had left. */
export interface PondAccount { user: number; points: number; last: number | null }

/** The opened bids of a round, the highest first: each with its seal and what was in it. bonus: who got it. */
export interface OpenRound { round: number; bids: Bid[]; bonus: number | null }

/** A sealed bid with what is in it. auto: repeated by the hall for who has said nothing. */
export interface Bid { user: number; seal: string; amount: number; salt: string; auto: boolean }

/** My own part. bid: of this round; last: what I used in the one before; fallen: in which round I fell. */
export interface PondMe {
  runs: boolean;
  points: number;
  last: number | null;
  bid: Bid | null;
  fallen: number | null;
  rounds: MyRound[];
}

/** One of my rounds: what I used, my seal and salt. */
export interface MyRound { round: number; amount: number; seal: string; salt: string; auto: boolean }

/** Where somebody came in, and their prize. rank: 1 is best, equals share it. */
export interface Placed { user: number; rank: number; coins: number }

/** Today's duplicates, one for each game with luck, then those of the days before that somebody has played. */
export interface DuplicateDays {
  next: string | null;
  today: string;
  ends_at: number;
  now: number;
  rows: DuplicateDay[];
  past: DuplicateDay[];
}

/** A game's duplicate of a day in the list. begun, played: how many have; mine: None: I have not begun it. */
export interface DuplicateDay {
  game: string;
  day: string;
  begun: number;
  played: number;
  closed: boolean;
  mine: "played" | "playing" | null;
}

/** The page of a duplicate of the day, and the people that it names. now: ms; today: whether it can be begun.

    proof: None where nobody has asked for it yet. */
export interface DuplicateShown {
  duplicate: DuplicatePage;
  proof: DealProof | null;
  people: User[];
  now: number;
  today: boolean;
}

/** A duplicate of the day. seat: where people sit; level: of the bots; ends_at: until when it can be begun, ms.

    begun, played: how many have begun and finished it; closed: the deal is open to all; mine: None: I have not begun.
    table: of my game that goes on; rows: the best first, None: not to be seen yet. */
export interface DuplicatePage {
  game: string;
  terms: GameTerms;
  day: string;
  seats: number;
  seat: number;
  level: string;
  ends_at: number;
  begun: number;
  played: number;
  closed: boolean;
  mine: "played" | "playing" | null;
  table: number | null;
  rows: DuplicateRow[] | null;
}

/** A result. rank, points, percent, difference: None for who has left, or while the others are None.

    percent: matchpoints; difference: from the average of the others, in points. */
export interface DuplicateRow {
  user: number;
  rank: number | null;
  points: number | null;
  percent: number | null;
  difference: number | null;
  game_id: string | null;
}

/** What proves that the deal was drawn before it was first played. server_seed: None before it is opened. */
export interface DealProof { id: string; commitment: string; server_seed: string | null }

/** My timeline, newest first; how many notices are unread, the number of the newest one. */
export interface EventRows { next: string | null; rows: EventRow[]; unread: number; newest: number }

/** Something of my timeline. kind `game`: facts tell of a finished game; else those of a notice. at: seconds. */
export interface EventRow { at: number; kind: string; path: string; facts: Json; read: boolean }

/** Interviews, newest first. mine: those I work on; edit: whether I may open one. */
export interface InterviewRows { next: string | null; rows: InterviewRow[]; mine: InterviewRow[]; edit: boolean }

/** An interview in a list. at: when it was published, before that when it was begun; seconds. */
export interface InterviewRow {
  id: number;
  editor: User | null;
  player: User | null;
  at: number;
  state: "asked" | "ended" | "open" | "published";
  title: string;
  lang: string;
  comments: number;
}

/** The number of the new interview. */
export interface InterviewMade { interview: number }

/** An interview. html: what stands above the questions; text: the same as it was typed, to who edits it.

    edits, answers, asks: whether I do that here now; corrected: something was corrected since it was published. */
export interface InterviewView {
  row: InterviewRow;
  html: string;
  text: string | null;
  questions: QuestionRow[];
  edits: boolean;
  answers: boolean;
  asks: boolean;
  corrected: boolean;
}

/** A question with its answer, as HTML. source: the answer as it was typed, to the player; mine: I have asked it. */
export interface QuestionRow {
  id: number;
  author: User | null;
  at: number;
  html: string;
  text: string;
  picked: boolean;
  answer: string | null;
  source: string | null;
  mine: boolean;
}

/** Comments, oldest first. */
export interface CommentRows { next: string | null; rows: CommentRow[] }

/** A comment. */
export interface CommentRow { id: number; author: User | null; at: number; html: string; text: string }

/** The number of my comment. */
export interface CommentMade { comment: number }

/** What was corrected, newest first. */
export interface CorrectionRows { rows: CorrectionRow[] }

/** What stood there before. question: whose answer it was; None: title and text of the interview. */
export interface CorrectionRow { id: number; question: number | null; by: User | null; at: number; html: string }

/** The editors; moderators are it without being named. */
export interface EditorRows { rows: EditorRow[] }

/** An editor whom an administrator has named. at: since when, seconds. */
export interface EditorRow { user: User; at: number }

/** The first lessons of this hall. */
export interface LearnRows { next: string | null; rows: LearnRow[] }

/** A game that has a first lesson, and the names of its steps. */
export interface LearnRow { game: string; steps: string[] }

/** The first lesson of a game. words: its sentences in the language asked for; tips: the asks that have one. */
export interface LessonPage {
  game: string;
  seat: number;
  seats: number;
  options: Json;
  steps: LessonStep[];
  tips: string[];
  words: Record<string, string>;
}

/** A step as the learner sees it. `watch` has several moments; `choose` what to choose among, and what is right. */
export interface LessonStep {
  name: string;
  kind: "choose" | "do" | "play" | "tell" | "watch";
  moments: LessonView[];
  among: string[];
  right: string | null;
}

/** A moment of a lesson as the learner's seat sees it. */
export interface LessonView {
  view: Json;
  turn: number[];
  ask: string | null;
  legal: Json[];
  more: boolean;
  hints: Json;
  told: Json[];
}

/** What becomes of a learner's action. answer: the name of its sentence in the step, None for a refusal. */
export interface Judged { good: boolean; answer: string | null; refusal: Refusal | null; after: LessonView | null }

/** Why an action is not allowed; a value, not an exception. */
export interface Refusal { code: string; facts: Record<string, Json> }

/** What has happened in a guided deal since the learner's last action. points: the learner's, once it is over. */
export interface GuidedMoves { moments: LessonView[]; refusal: Refusal | null; points: number | null }

/** What is meant at a step, or what the steady bot would do; None where the deal is over. */
export interface GuidedMove { action: Json }

/** All steps that I have done, by game, in the order of the lesson. */
export interface StepsDone { done: Record<string, string[]> }

/** The tables of card games where people sit (P-72), by number; the socket's list `cards` tells what changes. */
export interface CardRows { next: string | null; rows: CardTable[] }

/** A table of a card game where people sit, in the list of all of them (扑克台, P-72): a row of its room, and more.

    seats: whoever hides that they are online is not named. free: the seats that anybody may take by the table's state.
    factor, fee: the stake of a coin room, coins for a point and for the hall. contest: it belongs to a contest.
    watch: whether it can be watched now. */
export interface CardTable {
  table: number;
  room: number;
  game: string;
  no: number;
  kind: "coin" | "friendly" | "pass" | "score";
  state: "between" | "closed" | "open" | "playing";
  seats: RoomSeat[];
  free: number[];
  watchers: number;
  watch: boolean;
  factor: number;
  fee: number;
  contest: boolean;
  options: Json;
  pass?: number;
  terms?: Json;
}

/** The winners, the newest first (P-39). */
export interface WinnerRows { next: string | null; rows: WinnerRow[] }

/** Who has won a contest. kind: `tournament`, `teams`, `stairs` or `pond`; at: s since 1970.

    users, teams: the winners: people, or teams by their names. Stairs, which have no end, are won by who holds the top
    alone for seven days: `stairs` is their name at `/stairs/<name>`, where the others have `name` and `number`. */
export interface WinnerRow {
  kind: string;
  at: number;
  users: User[];
  teams: string[];
  number: number;
  name: string | null;
  stairs: string | null;
  game: string | null;
  variant: string | null;
}

/** What is coming in this hall, the next first (P-12). now: ms. */
export interface CalendarPage { next: string | null; rows: CalendarRow[]; now: number }

/** What is coming. what: a kind of contest that begins (`tournament`, `teams`, `pond`), `passes`: the month's
    rewards of the pass rooms are paid, `renumber`: the empty steps of the stairs are taken out, `maintenance`.

    at, until: ms since 1970. words: what the hall's keeper says of it, by language. mine: I have entered it. */
export interface CalendarRow {
  what: string;
  at: number;
  until: number | null;
  name: string | null;
  number: number | null;
  game: string | null;
  words: Record<string, string>;
  mine: boolean;
}

/** My threads, the one with the newest mail first; how many mails are unread. */
export interface MailThreads { next: string | null; rows: MailThreadRow[]; unread: number }

/** A thread of mine with its newest mail. user: with whom, None: the hall; excerpt: how that mail begins. */
export interface MailThreadRow {
  user: User | null;
  unread: number;
  id: number;
  at: number;
  mine: boolean;
  excerpt: string;
  kind: string | null;
  facts: Json;
  removed: boolean;
}

/** A thread, newest mail first. user: with whom, None: the hall. seen: the newest mail that the other has read.

    closed: the code with which a mail from me would be refused, None: it would not. */
export interface MailThread {
  next: string | null;
  user: User | null;
  rows: MailRow[];
  seen: number;
  closed: string | null;
}

/** A mail. mine: I have written it. html: what it says, "" where the hall writes: then kind and facts make its
    sentence, as in a notice, and path is the page it leads to. removed: by a moderator. */
export interface MailRow {
  id: number;
  at: number;
  mine: boolean;
  html: string;
  kind: string | null;
  facts: Json;
  path: string | null;
  removed: boolean;
}

/** The invitations in the hall (P-66). */
export interface InviteRows { next: string | null; rows: InviteRow[] }

/** An invitation. refusal: why I cannot take it up, None: I can, or it is mine.

    to: for whom alone; group: to how many of a group of friends, group_name: what its inviter calls it, to themselves.
    seats: how many play, taken: how many have come to the table, where that stands already. */
export interface InviteRow {
  id: number;
  owner: User;
  to: User | null;
  group: number | null;
  group_name: string | null;
  mine: boolean;
  game: string;
  variant: string | null;
  preset: string | null;
  seats: number;
  taken: number;
  options: Json;
  clock: Json;
  rated: boolean;
  rating_min: number | null;
  rating_max: number | null;
  colour: "alternate" | "mine" | "random" | "theirs";
  note: string;
  made_at: number;
  until: number;
  table: number | null;
  refusal: Refused | null;
}

/** Why something is refused. */
export interface Refused { code: string; facts: Record<string, Json> }

/** The table and seat where I sit now. */
export interface Seated { table: number; seat: number }

/** Where I sit once I am paired; else since when I have waited, and whether a bot is offered by now. */
export interface Pairing { table: number | null; seat: number | null; since: number | null; bot: boolean }

/** Whether the other is in the hall and has heard that I want to play on at once (P-77). */
export interface Called { here: boolean }

/** The months of which there are files, the newest first; each file is at `/open-data/<name>`.

    games, moves, bytes: of all files together; monthly: whether this hall writes such files when a month is over. */
export interface OpenData {
  license: string;
  months: Month[];
  games: number;
  moves: number;
  bytes: number;
  monthly: boolean;
}

/** The files of a month. whole: it was over when they were written. */
export interface Month { format: number; month: string; license: string; whole: boolean; files: File[] }

/** A file of a month. sha256: of the compressed file, hex. */
export interface File { name: string; game: string; games: number; moves: number; bytes: number; sha256: string }

/** Its number in the queue. */
export interface Reported { report: number }

/** The moderators' queue, oldest first; for moderators of rooms, what happened in these. */
export interface ReportRows { next: string | null; rows: ReportRow[] }

/** A report as moderators see it. by: None: the hall itself has noticed it, then `facts` tell what led to it.

    room: where it happened; None: nowhere, or nobody can tell. */
export interface ReportRow {
  id: number;
  at: number;
  by: User | null;
  kind: "abuse" | "appeal" | "cheating" | "contact" | "flag" | "name" | "picture" | "stalling";
  user: User | null;
  ref: string;
  text: string;
  state: "dismissed" | "done" | "open";
  moderator: User | null;
  answer: string | null;
  facts: Record<string, Json> | null;
  other: User | null;
  room: number | null;
  own: boolean;
}

/** A report with what stands around it.

    lines: what was said; played: the game; together: recent games of the accused with `other`; rulings: what was done
    about the accused before; reports: how often somebody has reported them: both in the whole hall, or, for moderators
    of rooms, in the room of the report; evidence: what a flag of the hall can be seen by. */
export interface ReportView {
  report: ReportRow;
  lines: SaidRow[];
  played: Played | null;
  other: User | null;
  together: Together[];
  rulings: RulingRow[];
  reports: number;
  piece: PieceView | null;
  evidence: Evidence | null;
}

/** Something that was said; at: ms since 1970. */
export interface SaidRow {
  id: number;
  place: string;
  at: number;
  user: User | null;
  text: string | null;
  phrase: string | null;
  removed: boolean;
}

/** A game: where and when (seconds). ended_at: None while it goes on; it has no page yet then. */
export interface Played { game_id: string; game: string; table: number; begun_at: number; ended_at: number | null }

/** A game that two people have played together. points: of the accused, and of the other. */
export interface Together { game_id: string; game: string; at: number; points: [number, number]; counted: boolean }

/** What was done about somebody. appeal: the state of their appeal, None: there is none; answer: what came of it.

    at, until: seconds since 1970. room: where that was which it is about; a mute counts there alone. */
export interface RulingRow {
  id: number;
  at: number;
  what: "ban" | "kick" | "level" | "level_own" | "mute" | "remove" | "unban" | "unmute" | "warn";
  reason: string;
  until: number | null;
  appeal: "dismissed" | "done" | "open" | null;
  answer: string | null;
  room: number | null;
}

/** A text or a picture of the community that is reported. ref: which; path: the page that shows it, or "". */
export interface PieceView {
  ref: string;
  author: User | null;
  text: string;
  path: string;
  picture: string | null;
  removed: boolean;
}

/** What a flag of the hall can be seen by: times in its game, results beside what the ratings promise. */
export interface Evidence { times: AnswerTime[]; results: RatedResult[] }

/** A decision of the accused in the game that a flag is about. answers: how many there were, None: unknown. */
export interface AnswerTime { ms: number; answers: number | null }

/** A rated game of the accused: what they had, 0 to 1, and what the ratings had promised. at: seconds. */
export interface RatedResult { game_id: string; at: number; got: number; expected: number }

/** What was done about me, newest first. */
export interface RulingRows { next: string | null; rows: RulingRow[] }

/** Until when it counts, seconds since 1970. */
export interface Ruled { until: number | null }

/** The link, which is shown this once, and until when it is good, seconds since 1970. */
export interface ResetMade { link: string; until: number }

/** Those that are shut now, the last first. */
export interface ShutRows { next: string | null; rows: ShutRow[] }

/** An address from which nobody may come in. until, at: seconds since 1970. */
export interface ShutRow { address: string; until: number; reason: string; by: User | null; at: number }

/** The addresses, and until when, seconds since 1970. */
export interface ShutMade { addresses: string[]; until: number | null }

/** What moderators and administrators have done, newest first. */
export interface ActRows { next: string | null; rows: ActRow[] }

/** A line of the audit. user: whom it was about. */
export interface ActRow {
  id: number;
  at: number;
  actor: User | null;
  user: User | null;
  stream: string;
  type: string;
  data: Json;
}

/** What I have after it. */
export interface Held { coins: number; hearts: number; member_until: string | null }

/** The code. */
export interface CodeMade { code: string }

/** Moderators and administrators: of the whole hall, then room by room. */
export interface RoleRows { next: string | null; rows: RoleRow[] }

/** A moderator or an administrator. room: only there; by, at: who named them there and when, seconds since 1970. */
export interface RoleRow {
  user: User;
  role: "admin" | "moderator";
  room: number | null;
  by: User | null;
  at: number | null;
}

/** The user who is now signed in. */
export interface SignedIn { user: User; token?: string }

/** The ways to sign in to this hall, beside name and password. */
export interface Ways { passkeys: boolean; mail: boolean }

/** What the browser is given (WebAuthn, PublicKeyCredential…OptionsJSON). */
export interface PasskeyAsked { options: Json }

/** Whose password a link sets; until: when it is good for nothing any more, seconds since 1970. */
export interface ResetFor { user: User; until: number }

/** My e-mail address, which nobody else sees. */
export interface MyEmail { email: string | null }

/** My second factor. since: seconds since 1970, None: it is off; codes: recovery codes that are left. */
export interface MyFactor { since: number | null; codes: number }

/** What a program on a phone has to know; link: the same as otpauth://, for a picture. */
export interface FactorBegun { secret: string; link: string }

/** Recovery codes, shown only this once; each works once. */
export interface FactorCodes { codes: string[] }

/** My passkeys, oldest first. */
export interface PasskeyRows { next: string | null; rows: PasskeyRow[] }

/** A passkey of mine. host: for which name of the hall it is good; made_at, used_at: seconds since 1970. */
export interface PasskeyRow { id: number; name: string; host: string; made_at: number; used_at: number | null }

/** My programs' tokens. */
export interface TokenRows { next: string | null; rows: Token[] }

/** A program's token as the list of tokens shows it; the secret itself is shown once. */
export interface Token { id: number; name: string; scopes: string[]; made_at: number }

/** The token is shown this once. */
export interface TokenMade { id: number; token: string }

/** Me. coins and hearts are null in a hall without coins, and for minors (P-107).

    counts: what waits for me, as in a `note`; invitations: how many I could take up, those for everybody among them.
    moderates: the rooms whose moderator I am. second_factor: wanted: with one I could keep the order. vacation: the
    hours I have left this year (P-87). blocked: by me. */
export interface Me {
  user: User;
  role: "admin" | "bot" | "guest" | "moderator" | "user";
  coins: number | null;
  hearts: number | null;
  scores: Record<string, Account>;
  credibility: number;
  passes: Record<string, Pass>;
  tables: number[];
  settings: Settings;
  counts: Record<string, number>;
  invitations: number;
  moderates: number[];
  second_factor: "off" | "on" | "wanted";
  vacation: number;
  blocked: number[];
}

/** What a user has in one game. */
export interface Account { score: number; grade: number; won: number; lost: number; drawn: number }

/** A player's progress in a game: their present pass 当前关, their highest pass 最高关, pass points 关积分. */
export interface Pass { pass: number; highest: number; points: number }

/** What a user has set, the same on every device (P-5); what was never set is left out. */
export interface Settings {
  lang?: "en" | "zh-CN" | "zh-Hant" | null;
  zone?: string;
  dates?: "auto" | "dmy" | "mdy" | "ymd";
  theme?: "auto" | "dark" | "light";
  cloth?: "indigo" | "pine" | "umber";
  suits?: 2 | 4;
  pieces?: "latin" | "pictures" | "simplified" | "traditional";
  sound?: boolean;
  volume?: number;
  speed?: "fast" | "none" | "normal" | "slow";
  confirm_move?: boolean;
  auto_vacation?: boolean;
  after_move?: "home" | "next" | "stay";
  songs?: boolean;
  bot_talk?: boolean;
  reduced_motion?: boolean;
  high_contrast?: boolean;
  left_handed?: boolean;
  rows?: 20 | 50 | 100 | 200;
  tips?: boolean;
  minor?: boolean;
  daily_loss?: number | null;
  show_about?: "friends" | "me" | "public";
  show_country?: "friends" | "me" | "public";
  show_language?: "friends" | "me" | "public";
  show_registered?: "friends" | "me" | "public";
  show_seen?: "friends" | "me" | "public";
  show_hours?: "friends" | "me" | "public";
  show_member?: "friends" | "me" | "public";
  show_score?: "friends" | "me" | "public";
  show_wins?: "friends" | "me" | "public";
  show_passes?: "friends" | "me" | "public";
  show_games?: "friends" | "me" | "public";
  show_coins?: "friends" | "me" | "public";
  open_name?: boolean;
  open_moments?: boolean;
  invited_by?: "anyone" | "friends" | "nobody";
  mailed_by?: "anyone" | "friends" | "nobody";
  push?: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
  letters?: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
  hide_online?: boolean;
}

/** What I tell of myself, and the countries that can be named and the pictures to choose from. */
export interface MyProfile {
  about: string;
  country: string | null;
  online_s: number;
  picture: string | null;
  countries: string[];
  pictures: string[];
}

/** What somebody tells of themselves (P-4), and for how many seconds they have had a line into the hall.

    picture: one of PICTURES, drawn on a piece of their colour. */
export interface SelfDescription { about: string; country: string | null; online_s: number; picture: string | null }

/** What the moves led to. n: how many were taken; text: the position, null when it is over. */
export interface Sandboxed {
  options: Record<string, Json>;
  seats: number;
  n: number;
  views: Json[];
  view: Json;
  turn: number[];
  asked: AskedHere[];
  legal: Legal | null;
  hints: Json;
  told: Json[];
  refusal: RefusedHere | null;
  outcome: EndedHere | null;
  text: string | null;
}

/** A seat that may act: its question, its actions as a table has them, and what a client may light up. */
export interface AskedHere { seat: number; ask: string; legal: Legal; hints: Json }

/** Why the last move is refused. rule: the ruling that says so, where it is known. */
export interface RefusedHere { code: string; facts: Record<string, Json>; rule: string | null }

/** How it ended. */
export interface EndedHere { points: number[]; places: number[]; why: string }

/** What a bot would do in my seat now. */
export interface Advice { action: Json }

/** The games. */
export interface GameRows { next: string | null; rows: GameInfo[] }

/** A game. */
export interface GameInfo {
  game: string;
  name: Record<string, string>;
  seats: number[];
  sides: number[][];
  options: OptionInfo[];
  presets: Record<string, Json>;
  variants: string[];
  bots: string[];
  luck: boolean;
  clock: Json;
  formats: string[];
  analysis: boolean;
  lessons: boolean;
  lesson: boolean;
  pauses: boolean;
  standing: string[];
  daily: string | null;
  cards: boolean;
  familiar: string[];
  played: number;
}

/** A house rule: its values where they are few, its limits where it is a number. */
export interface OptionInfo {
  name: string;
  kind: "bool" | "choice" | "list" | "number" | "other" | "text";
  default: Json;
  values: Json[] | null;
  least: number | null;
  most: number | null;
  group: string | null;
}

/** Boards to try a game's rules on; what a task holds is the game's own, but for its `name`. */
export interface LessonRows { next: string | null; rows: Json[] }

/** Rooms. */
export interface RoomRows { next: string | null; rows: RoomRow[] }

/** A room in the list of rooms. */
export interface RoomRow {
  room: number;
  game: string;
  name: Json;
  kind: "coin" | "friendly" | "pass" | "score";
  variant: string | null;
  preset: string | null;
  options: Json;
  clock: Json;
  terms: Json;
  watch: Watch;
  bots: boolean;
  seats: number;
  tables: number;
  most_people: number;
  passes?: number;
  moderators: User[];
  duplicate: boolean;
  board_tables?: number;
  people: number;
  playing: number;
}

/** key and link: of a private table. */
export interface OpenedTable { table: number; key?: string; link?: string }

/** The table that a private link leads to. */
export interface Linked { table: number; game: string }

/** A game from its start to its end. rows: [seat, action, ms, why?]. */
export interface FinishedGame {
  game_id: string;
  deal: number;
  table: number;
  game: string;
  variant: string | null;
  rules: number;
  options: Json;
  carry: Json;
  seats: Json[];
  bench?: Json[];
  first_seated: number;
  fair: Proof;
  rows: Json[];
  result: Result | null;
  at: number;
  formats: string[];
  brought?: FromFile;
  start?: DealStart;
}

/** The proof that a deal was fair (P-91). board: the shared deal whose luck it used (P-94). */
export interface Proof {
  commitment: string | null;
  server_seed: string | null;
  client_seeds: string[] | null;
  board?: string;
}

/** What the file of a game says that the rules do not know (0041). */
export interface FromFile {
  date: string;
  titles: Record<string, string>;
  notes: Record<string, string>;
  asides: Aside[];
  beyond: number;
}

/** A variation 变着 of a game's moves. */
export interface Aside { after: number; words: Record<string, string> }

/** A plain page (P-85). own: this hall has written it; at: when, seconds since 1970.

    link: to the hall, for those who are invited, where the page is that of invitations. */
export interface PlainPage {
  name: string;
  lang: string;
  html: string;
  own: boolean;
  at: number | null;
  link: string | null;
}

/** Its number in the moderators' queue. */
export interface Contacted { report: number }

/** A plain page as an administrator edits it. version: of this text; shipped: what comes with the hall. */
export interface PageSource { text: string; version: string; own: boolean; shipped: string; most: number }

/** The last texts of a page, newest first. */
export interface PageEdits { next: string | null; rows: PageEdit[] }

/** A text that a page has had. by: None: written on the disk by hand, or by somebody who has gone. */
export interface PageEdit { id: number; at: number; by: User | null; version: string }

/** A text that a page has had. */
export interface OldText { text: string }

/** All tips: so many that come with the hall (`ui.tips.t0` …), then its own. mine: what I have suggested.

    waiting: what administrators have to judge, for them alone. today: the number of the day's tip. chars: of a tip. */
export interface TipRows {
  next: string | null;
  rows: TipRow[];
  shipped: number;
  today: number;
  mine: TipRow[];
  waiting: TipRow[];
  chars: number;
}

/** A tip that somebody has written; an empty text: not in this language. */
export interface TipRow {
  id: number;
  at: number;
  by: User | null;
  zh: string;
  en: string;
  state: "declined" | "removed" | "taken" | "waiting";
  reason: string;
}

/** Its number. */
export interface TipMade { id: number }

/** Levels and limits of this hall, and how I stand. until: the last day; days: how many are left, with today.

    day_price: coins for a day in the shop, None where this hall knows no coins. */
export interface Membership {
  limits: LimitRow[];
  level: "knight" | "pawn" | "rook" | null;
  until: string | null;
  days: number;
  day_price: number | null;
  coins: number | null;
}

/** A limit at each level; 0: none. The name is that of the key in `hall.toml` without the level. */
export interface LimitRow { name: string; pawn: number; knight: number; rook: number }

/** Polls, newest first. make: whether I may make one here. */
export interface PollRows { next: string | null; rows: PollRow[]; make: boolean }

/** A poll. mine: what I have voted for; may: whether I may vote now, or change my vote. */
export interface PollRow {
  id: number;
  author: User | null;
  at: number;
  closes: number;
  question: string;
  options: PollOption[];
  who: "club" | "everybody" | "members";
  club: number | null;
  changeable: boolean;
  voters: number;
  open: boolean;
  mine: number | null;
  may: boolean;
}

/** An answer to choose. votes, percent (cut, not rounded): None while I may not know. */
export interface PollOption { text: string; votes: number | null; percent: string | null }

/** The number of the new poll. */
export interface PollMade { poll: number }

/** The games whose positions can be set up. */
export interface EditorGames { rows: EditorGame[] }

/** A game whose positions can be set up; start: how a deal of it begins. */
export interface EditorGame { game: string; start: string | null }

/** Positions, the newest first. */
export interface PositionRows { next: string | null; rows: PositionRow[] }

/** A position that somebody keeps. options: those that differ from the default; at: seconds. */
export interface PositionRow {
  id: number;
  at: number;
  author: User | null;
  game: string;
  variant: string | null;
  options: Record<string, Json>;
  text: string;
  name: string;
  goal: string;
  note: string;
  public: boolean;
}

/** Its number. */
export interface Kept { id: number }

/** Today's problems, and those that I have made. */
export interface ProblemsPage { day: string; games: DailyProblem[]; mine: ProblemRow[] }

/** A game's problem of today, and how I stand there. */
export interface DailyProblem { game: string; problem: ProblemRow | null; me: SolverRow | null }

/** A problem in a list. done: whether I have solved it, null when I have not answered. */
export interface ProblemRow {
  id: number;
  game: string;
  source: "game" | "mistake" | "position" | "shipped";
  author: User | null;
  title: string;
  rating: number;
  sure: boolean;
  tried: number;
  solved: number;
  done: boolean | null;
  today: boolean;
}

/** How I stand at the problems of a game. sure: whether the rating is settled; streak: days in a row. */
export interface SolverRow {
  rating: number;
  sure: boolean;
  tried: number;
  solved: number;
  streak: number;
  best: number;
}

/** A problem, without its solution. choices: how many were weighed; open: its text tells nothing that is hidden. */
export interface ProblemPage {
  row: ProblemRow;
  options: Record<string, Json>;
  seats: number;
  seat: number;
  unit: string;
  choices: number;
  good: number;
  start: string | null;
  origin: string | null;
  me: SolverRow | null;
  next: number | null;
}

/** The problems of a game, newest first. */
export interface ProblemRows {
  next: string | null;
  game: string;
  day: string;
  today: ProblemRow | null;
  me: SolverRow | null;
  rows: ProblemRow[];
}

/** What my answer is worth. choice: what was weighed of it; solution: the good ones, when I know them now.

    first: whether it was the first, which counts; before, after: my rating, null when it was not rated. */
export interface ProblemVerdict {
  right: boolean;
  choice: Graded | null;
  solution: Graded[];
  first: boolean;
  rated: boolean;
  before: number | null;
  after: number | null;
  streak: number;
  row: ProblemRow;
}

/** A choice that a search has weighed, beside the others of the same moment. */
export interface Graded { a: Json; said: string; worth: number; behind?: number; error?: number; line?: string[] }

/** The number of the problem. */
export interface ProblemMade { problem: number }

/** What was made. looked: how many mistakes were looked at; games: analysed games of mine there are. */
export interface MistakesMade { problems: number[]; looked: number; games: number }

/** A ranking (P-39), of people or of bots; club: of its members alone (P-40). */
export interface RankRows {
  next: string | null;
  game: string;
  by: "pass" | "rating" | "score";
  pool: string | null;
  pools: string[];
  of: "bots" | "people";
  club: ClubNamed | null;
  rows: RankRow[];
}

/** A club by its number and name. */
export interface ClubNamed { id: number; name: string }

/** Somebody in a ranking; equals share a rank (1, 2, 2, 4). */
export interface RankRow { rank: number; user: User; value: number; detail: Record<string, Json> }

/** Who has played a board of the day, the quickest first; equals share a rank. today: the day that it is now. */
export interface DailyRows { next: string | null; game: string; day: string; today: string; rows: DailyRow[] }

/** Somebody's first game of a board of the day. ms: how long it took; null, without a rank: not finished. */
export interface DailyRow { rank: number | null; user: User; ms: number | null; begun: number }

/** The list of players (P-39). countries: that can be asked for; on the first page. */
export interface PlayerRows { next: string | null; rows: PlayerRow[]; countries: string[] }

/** Somebody in the list of players. registered_at, seen_at: null where they are hidden (P-4). */
export interface PlayerRow { user: User; registered_at: number | null; seen_at: number | null; online: boolean }

/** A person as the one who asks may see them (P-4). hidden: the fields they do not show, null or empty here.

    country: of ISO 3166, two letters; online_s: seconds with a line into the hall. topics (主题), posts (帖子), essence
    (精华), reading_level (阅读权限): of the discussion boards, the last one as `POST /users/<id>/reading` may set it. */
export interface Profile {
  user: User;
  role: string;
  about: string | null;
  country: string | null;
  language: "en" | "zh-CN" | "zh-Hant" | null;
  registered_at: number | null;
  seen_at: number | null;
  online_s: number | null;
  online: boolean;
  member_until: string | null;
  credibility: number;
  scores: Record<string, Reached>;
  passes: Record<string, Pass>;
  ratings: Record<string, Shown>;
  coins: number | null;
  table: number | null;
  hidden: ("about" | "coins" | "country" | "games" | "hours" | "language" | "member" | "passes" | "registered" | "score" | "seen"
    | "wins")[];
  topics: number;
  posts: number;
  essence: number;
  reading_level: number;
}

/** Somebody's results in a game: the grade, and what else they show. */
export interface Reached {
  score: number | null;
  grade: number;
  won: number | null;
  lost: number | null;
  drawn: number | null;
}

/** A rating as people see it; not sure: with a question mark.

    FIBS's has no deviation, and for it the lengths of the matches are added up instead of the games (P-116). */
export interface Shown { rating: number; deviation: number | null; sure: boolean; games: number }

/** The fourteen grades, and where I stand in each game (P-37). */
export interface Grades { rows: GradeRow[]; mine: Record<string, Account> }

/** A grade: its name stands in the language files under `grade.<number>`. */
export interface GradeRow { grade: number; name: string; least: number | null }

/** How the pass rooms work here, and where I stand (P-41 to P-46). */
export interface Climbing {
  passes: number;
  tables_per_pass: number;
  up: number;
  down: number;
  strict: boolean;
  record_coins: number;
  month_coins: number;
  mine: Record<string, Pass>;
}

/** What it takes to help somebody up by losing on purpose (P-47). */
export interface Collude { users: number; games: number; series: number }

/** The hall in numbers (P-75). */
export interface Statistics {
  users: number;
  online: number;
  peak: number;
  today: number;
  games: number;
  events: number;
  rows: GameStatistics[];
}

/** How the games of one kind have ended: by who was first (a seat, `side0` …, `shared`), and by the game's word. */
export interface GameStatistics {
  game: string;
  games: number;
  wins: Record<string, WinRow>;
  reasons: Record<string, WinRow>;
}

/** How often a side has won; percent is cut, not rounded (P-75). */
export interface WinRow { count: number; percent: string }

/** Where I am told. key: the hall's, to subscribe with; None: this hall pushes nothing.

    push, letters: of which kinds of news my devices are told, and which go by e-mail. mail: the hall sends e-mail;
    email: I have given an address. */
export interface Reach {
  key: string | null;
  devices: DeviceRow[];
  push: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
  mail: boolean;
  email: boolean;
  letters: ("contest" | "invite" | "mail" | "order" | "talk" | "turn")[];
}

/** A device of mine that is told. here: it is the one that asks. */
export interface DeviceRow { id: number; name: string; made_at: number; here: boolean }

/** Its key: the page is /review/KEY. */
export interface ReviewMade { key: string }

/** A review. line, n: where its leader looks; away: anybody may take the lead; mine: I lead. */
export interface ReviewPage {
  key: string;
  game_id: string;
  at: number;
  leader: User | null;
  mine: boolean;
  away: boolean;
  line: number;
  n: number;
  lines: LineRow[];
  asks: User[];
  talk: SaidHere[];
}

/** Another line: it leaves its parent (0: the record) after n actions; end: how many it has from the beginning.

    branch: the game that it is, of somebody who has gone on from there (What if); playing: they still do. */
export interface LineRow {
  id: number;
  parent: number;
  n: number;
  end: number;
  at: number;
  by: User | null;
  name: string;
  branch: string | null;
  playing: boolean;
}

/** Something said at a moment of a line. */
export interface SaidHere { id: number; at: number; by: User | null; line: number; n: number; text: string }

/** Whether the lead has gone over; else it was asked for. */
export interface Handed { leads: boolean }

/** Who may act at a moment of a line. */
export interface OpenSeats { rows: OpenSeat[] }

/** A seat that may act at a moment: what it is asked, what it may do, what a client may light up. */
export interface OpenSeat { seat: number; ask: string; legal: Json[]; hints: Json }

/** Where it stands. */
export interface Tried { line: number; n: number }

/** The boards of a room, the newest first, and who has made most of those that are opened.

    most: how many tables play a board; me: my own standing, None before my first opened board. */
export interface RoomBoards {
  next: string | null;
  room: number;
  game: string;
  name: Record<string, Json>;
  most: number;
  rows: BoardLine[];
  top: BoardStanding[];
  me: BoardStanding | null;
  people: User[];
}

/** A board in the list. state: open: more tables may play it; full: it is played to the end; opened: to all.

    tables: how many have begun it; playing: how many of them have not ended; mine: None: I have not met it. */
export interface BoardLine {
  no: number;
  state: "full" | "open" | "opened";
  tables: number;
  playing: number;
  mine: MyRoomBoard | null;
}

/** My game of a board. points: None: it goes on, or was broken off; percent, difference: so far, final once opened.

    percent: matchpoints; difference: from the average of the others in this seat; both None while there are none. */
export interface MyRoomBoard {
  seat: number;
  table: number | null;
  game_id: string | null;
  points: number | null;
  percent: number | null;
  difference: number | null;
}

/** What somebody has made of the opened boards. rank: None below a few boards.

    percent: the mean of their matchpoints; difference: the sum of theirs from the average. */
export interface BoardStanding {
  rank: number | null;
  user: number;
  boards: number;
  percent: number;
  difference: number;
}

/** A board of a room, and the people that it names. until: when it takes no more tables, ms; None: it has none yet.

    rows: by seat, the best first; None: not to be seen yet. */
export interface BoardShown {
  room: number;
  game: string;
  name: Record<string, Json>;
  board: BoardLine;
  most: number;
  seats: number;
  until: number | null;
  rows: BoardResult[][] | null;
  proof: DealProof;
  people: User[];
}

/** What a seat has come to at a table. user: None: a bot of the level `bot`. gone: they left, and a bot played on.

    rank, points, percent, difference: None where the game was broken off; percent also where nobody else has ended. */
export interface BoardResult {
  game_id: string;
  seat: number;
  user: number | null;
  bot: string | null;
  rank: number | null;
  points: number | null;
  percent: number | null;
  difference: number | null;
  gone: boolean;
}

/** The rulings of a game in the order of its chapters. */
export interface RuleTexts {
  rows: RuleRow[];
  codes: Record<string, string>;
  words: Record<string, string>;
  next: string | null;
}

/** A numbered ruling, in the language asked for. */
export interface RuleRow { id: string; chapter: string; text: string; cases: RuleCase[] }

/** A small table beside a ruling, and what the case does there as the worked example. */
export interface RuleCase { id: string; opened: RuleTable }

/** A small table at one of its moments. */
export interface RuleTable {
  scene: Scene;
  worked: RuleAnswer;
  action: Json;
  seat: number | null;
  at: number;
  of: number;
}

/** A small table as it is drawn. */
export interface Scene { rows: SceneRow[]; asks: SceneAsk[]; seat: number | null }

/** A line of a small table. */
export interface SceneRow {
  draw: "backgammon" | "cards" | "fact" | "grid" | "mark" | "tiles" | "xiangqi";
  name: string;
  show: Json;
  seat: number | null;
  on: boolean;
  also: Json;
}

/** A way to act at a small table, or something given that may be changed. */
export interface SceneAsk {
  how: "act" | "choice" | "move" | "number" | "order" | "pair" | "pick";
  verb?: string;
  name?: string;
  of?: Json;
  low?: number;
  high?: number;
  now?: Json;
  action?: Json;
  one?: boolean;
  listed?: boolean;
  said?: string;
  words?: string;
}

/** What a ruling answers: why not, or what follows. */
export interface RuleAnswer { refusal: Refusal | null; says: string; facts: Record<string, Json>; scene: Scene }

/** What the ruling answers; with nothing done, the table as it stands at that moment. */
export interface RuleTried { found: RuleAnswer | null; opened: RuleTable | null }

/** The glossary of a game (术语). */
export interface TermRows { rows: TermRow[]; next: string | null }

/** A term of a game. `also`: its name in the other main language. */
export interface TermRow { id: string; name: string; text: string; also: string }

/** What a search through the rules has found, the best first. */
export interface TextHits { rows: TextHit[]; next: string | null }

/** A place where the rules of a game speak of what was looked for. */
export interface TextHit {
  game: string;
  lang: string;
  chapter: string;
  anchor: string;
  title: string;
  text: string;
  at: [number, number] | null;
}

/** The games that somebody has brought, the newest first. */
export interface BroughtRows { rows: Brought[] }

/** An imported game, as its owner's list shows it. */
export interface Brought {
  id: string;
  game: string;
  at: number;
  players: string[];
  date: string;
  title: string;
  rows: number;
}

/** What became of each game of a file. more: the file has more games than are read at a time. */
export interface Readings { game: string; rows: Reading[]; more: boolean }

/** The result of importing one game of a file: kept, or refused with the reader's message. */
export interface Reading { n: number; kept: Brought | null; unread: Record<string, Json> | null }

/** Team tournaments, newest first (P-69). */
export interface TeamsRows { next: string | null; rows: TeamsRow[] }

/** A team tournament in the list. number: of its page; mine: I am in a team, invited, or its maker. */
export interface TeamsRow { number: number; teams: TeamsLine; mine: boolean }

/** The page of a team tournament, and the people that it names by their numbers. now: ms.

    may_enter: teams of clubs that I lead and that could enter. */
export interface TeamsShown {
  number: number;
  teams: TeamsPage;
  people: User[];
  now: number;
  may_enter: ClubTeamName[];
}

/** A team tournament. round: of the present stage, of so many rounds; next_at: when the next begins, ms. */
export interface TeamsPage {
  id: string;
  state: "cancelled" | "finished" | "open" | "running";
  by: number | null;
  form: TeamsForm;
  teams: TeamRow[];
  stage: number;
  round: number;
  rounds: number;
  next_at: number | null;
  sections: TeamsSection[];
  placed: TeamPlace[];
  me: TeamsMe | null;
}

/** A team. members: the longest first; complete: enough to play; out: why it plays no more, "" while it does.

    struck: the stage whose matches of theirs count for nobody, 0: none. club: whose team it is (P-78). */
export interface TeamRow {
  team: number;
  name: string;
  captain: number | null;
  members: number[];
  complete: boolean;
  out: "" | "empty" | "full" | "incomplete" | "withdrawn";
  struck: number;
  club: number | null;
}

/** A section: its table, best first, who meets whom by rounds, the matches that have begun, the latest first. */
export interface TeamsSection {
  stage: number;
  section: number;
  table: TeamStanding[];
  schedule: [number, number][][];
  matches: MatchRow[];
}

/** A team's line of the table. sb: Sonneborn-Berger on match points; equals share a rank. */
export interface TeamStanding {
  team: number;
  rank: number;
  played: number;
  match_points: number;
  board_points: number;
  sb: number;
}

/** A match of a round. match_points: None: it is not over. */
export interface MatchRow {
  id: string;
  round: number;
  teams: [number, number];
  board_points: [number, number];
  match_points: [number, number] | null;
  boards: BoardRow[];
}

/** A board of a match. users: of the first and the second team, None: nobody; score: None: it is not over. */
export interface BoardRow {
  users: [number | null, number | null];
  games: BoardGame[];
  score: [number, number] | null;
}

/** A game of a board. id: stage, round, section, match, board, game. seats: which team's player has each seat.

    score: of the first and the second team; None: it is not over. from_: when it may begin, ms. */
export interface BoardGame {
  id: string;
  seats: [0 | 1, 0 | 1];
  from: number;
  score?: [number, number] | null;
  why?: string;
  table?: number | null;
  tries?: number;
  game_id?: string | null;
}

/** Where a team came in; equals share a rank. */
export interface TeamPlace { team: number; rank: number }

/** My own part. invitations: the teams that have invited me; games: those that I have to play now. */
export interface TeamsMe { mine: MyTeam | null; invitations: number[]; games: MyBoard[] }

/** My team, which nobody else sees so. order: the line-up of the rounds to come; invited: who has yet to answer. */
export interface MyTeam { team: number; is_captain: boolean; order: number[]; invited: number[] }

/** A game that waits for me. other: my opponent; forfeit_at: when it is lost, None: never so (ms). */
export interface MyBoard {
  game: string;
  board: number;
  other: number;
  from: number;
  table: number | null;
  forfeit_at: number | null;
}

/** A team of a club, by its numbers. */
export interface ClubTeamName { club: number; club_team: number; name: string }

/** Whom I follow, and my groups of them (P-10). */
export interface FriendRows { next: string | null; rows: FriendRow[]; groups: GroupLine[] }

/** Somebody I follow; mutual: who follows me too. table: where they sit now; join: I may take a seat there.

    watch: I may look on there. groups: of mine in which they are. */
export interface FriendRow {
  user: User;
  at: number;
  mutual: boolean;
  online: boolean;
  table: number | null;
  join: boolean;
  watch: boolean;
  groups: number[];
}

/** A group of my friends; people: how many are in it. */
export interface GroupLine { id: number; name: string; people: number }

/** Who follows me, the newest first (P-10). */
export interface FollowerRows { next: string | null; rows: FollowerRow[] }

/** Somebody who follows me; mutual: I follow them too. at: since when, seconds. */
export interface FollowerRow { user: User; at: number; mutual: boolean }

/** People. */
export interface UserRows { next: string | null; rows: User[] }

/** My groups of friends. */
export interface GroupRows { next: string | null; rows: Group[] }

/** A group of friends. */
export interface Group { id: number; name: string; users: User[] }

/** Who is online (P-77). */
export interface OnlineRows { next: string | null; rows: OnlineRow[] }

/** Somebody with a line into the hall, and what they do. met: how many games I have played with them.

    game: the table of a turn-based game that I have running with them (P-77). */
export interface OnlineRow {
  user: User;
  doing: "idle" | "playing" | "seated" | "watching";
  table: number | null;
  met: number;
  game: number | null;
}

/** My opponents online (在线对手, P-77). */
export interface OpponentRows { next: string | null; rows: OpponentRow[] }

/** An opponent who is online. table: where they sit, as in the list of who is online. */
export interface OpponentRow {
  user: User;
  doing: "idle" | "playing" | "seated" | "watching";
  table: number | null;
  games: OpponentGame[];
}

/** A turn-based game that I have running with somebody. turn: I am asked; until: when time is up, ms since 1970.

    here: they look at it now, so that it is played live as soon as I do (P-24). */
export interface OpponentGame { table: number; game: string; turn: boolean; until: number | null; here: boolean }

/** My home page (P-64). invites: how many are for me; waiting: how many of others I see at all (P-66). */
export interface Home {
  now: number;
  tables: TurnRow[];
  friends: FriendRow[];
  invites: number;
  online: number;
  playing: number;
  tip: number;
  waiting: number;
  poll: number | null;
  own_tip: OwnTip | null;
  groups: GroupLine[];
  games: string[];
}

/** A table where I sit. until: when the time is up of who is asked, ms since 1970; turn: I am asked something.

    turn_based: days are given for a move (P-24); there until is told of the other's time, too. */
export interface TurnRow {
  table: number;
  game: string;
  state: string;
  turn: boolean;
  until: number | null;
  seat: number;
  seats: RoomSeat[];
  turn_based: boolean;
}

/** A tip of this hall's own (P-86); an empty text: not in this language. */
export interface OwnTip { id: number; by: User | null; zh: string; en: string }

/** My statement, newest first (P-49).

    games: those it has lines of. lost: what I have lost at tables today; limit: with so much nobody sits down (P-107). */
export interface StatementRows {
  next: string | null;
  rows: Line[];
  coins: number;
  hearts: number;
  games: string[];
  lost: number;
  limit: number | null;
}

/** A line of somebody's statement. amount: the change of their balance in this currency; balance: after it. */
export interface Line {
  id: number;
  at: number;
  currency: "coins" | "hearts";
  amount: number;
  reason: string;
  ref: string;
  game: string | null;
  balance: number;
}

/** What the shop sells and what I can spend (P-55). */
export interface Shelf {
  prices: Prices;
  coins: number;
  hearts: number;
  member_until: string | null;
  tunes: string[];
}

/** What things cost in coins; what a heart is changed into. */
export interface Prices {
  reset_score: number;
  reset_credibility: number;
  song: number;
  member_days: number;
  hearts_to_coins: number;
}

/** What a code has brought, and what there is now. */
export interface Redeemed { coins: number; hearts: number; member_until: string | null; got: Record<string, number> }

/** The branches of a game that I may see. root: the game at which the tree stands; result: of that game. */
export interface WhatIfTree { root: string; result: Ending | null; rows: WhatIfRow[] }

/** How a game has ended. */
export interface Ending { points: number[]; places: number[]; why: string }

/** A branch: it leaves its parent after n actions.

    number: for a report, 0: it has no name. who: who may see it. table: where I play it, while it goes on. review: the
    key of the one in which mine is shown. */
export interface WhatIfRow {
  id: string;
  number: number;
  parent: string;
  n: number;
  seat: number;
  by: User | null;
  name: string;
  who: "all" | "link" | "me";
  mine: boolean;
  at: number;
  table: number | null;
  result: Ending | null;
  review: string | null;
}

/** After how many actions two games of a tree part, and how each has ended; None: that is not known. */
export interface Parted { n: number; results: [Ending | null, Ending | null] }

/** Why a call was refused. */
export interface Fault { code: string; facts: Record<string, Json> }

export type ClientMessage = Hello | Join | Leave | Sit | Stand | Ready | Seed | Act | Try | Back | Standing | Prepare | Shoulder | Set
  | Fill | Remove | OfferCommand | Answer | Say | Enter | Exit | Follow | Hear | Review | Ping;

export type ServerMessage = Welcome | Snapshot | Ev | Ack | Err | RoomSnapshot | RoomEv | ListRows | ReviewNews | Chat | TalkRoom | Note
  | Start | End | Count | Rejoin | Bye | Pong | Wait;

export type TableNews = Opened | SeatedNews | Stood | Swapped | Readied | PropertiesSet | Closed | OfferMade | OfferAnswered
  | PresenceChanged | BotWeakened | PreparedGone | HoldingsChanged | FinedNews | ShoulderNews | TimeReturned | DealCreatedNews | DealSeeded
  | TakenBack | Settled;
