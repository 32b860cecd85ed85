// What a tournament is, in words, and who is who in it (P-67, P-68).
import { has, say } from "../../lang.svelte";
import { localName, catalog } from "../../net/catalog.svelte";
import type { Clock, Json, User } from "../../net/protocol";
import type { EntrantRow, MeetingRow, Row, StagePage, TournamentForm, TournamentPage } from "../../net/protocol.gen";
import { clockWords, gameName, optionsWords } from "../../table/terms";
import { enough } from "./prizes";
import { type Column, columnsOf, type Standing } from "./standings";
import { seatWord } from "./words";

export type Format = TournamentForm["format"];
export const FORMATS: readonly Format[] = ["knockout", "sections", "swiss", "arena"];

/** What may be left out of a form, as the hall reads it. */
const USUAL = {
  min_players: 4,
  max_players: 64,
  section_size: 8,
  games_per_pair: 1 as 1 | 2,
  rounds: 5,
  minutes: 60,
  unrated: true,
  by_rating: false,
  private: false,
  fee: 0,
  prizes: [] as number[],
  start: "full" as number | "full",
  final_wins: 3,
  forfeit_minutes: 5,
  reserves: 0,
  seats: 2,
  vacation: true,
};
export type Form = TournamentForm & Required<Pick<TournamentForm, keyof typeof USUAL>>;
export const whole = (form: TournamentForm): Form => ({ ...USUAL, ...form });

/** Two sides meet at a table: two players, or two teams. */
export const duels = (form: TournamentForm): boolean => form.partners === "fixed" || (form.seats ?? USUAL.seats) === 2;
export const teamSize = (form: TournamentForm): number => (form.partners === "fixed" ? (form.seats ?? USUAL.seats) / 2 : 1);
export const byDays = (form: TournamentForm): boolean => (form.terms.clock as Clock | null | undefined)?.type === "days";
/** Do those of every second seat win together? sides: by seat. */
export const partnered = (sides: readonly number[]): boolean => sides.length >= 4 && sides.every((side, seat) => side === seat % 2);

/** "象棋", "双陆 · 白俄", "升级 · 从十打起". */
export function playedWords({ terms, seats }: TournamentForm): string {
  const named = (kind: string, one: string) => (has(`${terms.game}.${kind}.${one}`) ? say(`${terms.game}.${kind}.${one}`) : one);
  const many = (catalog.games.find((one) => one.game === terms.game)?.seats.length ?? 1) > 1;
  return [
    localName(catalog.games.find((one) => one.game === terms.game)?.name) || gameName(terms.game),
    terms.variant ? named("variant", terms.variant) : "",
    terms.preset ? named("preset", terms.preset) : "",
    many ? say("ui.meet.n_players", { n: seats ?? USUAL.seats }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

export function clockText({ terms }: TournamentForm): string {
  const clock = terms.clock as Clock | null | undefined;
  if (clock) return clock.type === "days" ? say("ui.tournament.days", { n: clock.days }) : clockWords(clock);
  const usual = catalog.games.find((one) => one.game === terms.game)?.clock as Clock | undefined;
  return usual && usual.type !== "none" ? clockWords(usual) : say("ui.meet.clock_usual");
}

export const optionsText = ({ terms }: TournamentForm): string[] => optionsWords(terms.game, (terms.options ?? {}) as Record<string, Json>);

/** How it goes, in sentences: what a newcomer must know of it. */
export function courseWords(of: TournamentForm): string[] {
  const form = whole(of);
  const same = of.duplicate ? say("ui.tournament.course_duplicate") : "";
  if (!duels(of))
    return [
      say("ui.tournament.course_tables", { n: form.rounds, seats: form.seats }),
      form.format === "sections" ? say("ui.tournament.course_tables_sections", { n: form.section_size }) : "",
      form.partners === "drawn" ? say("ui.tournament.course_drawn") : "",
      same,
    ].filter(Boolean);
  const pair = say("ui.tournament.course_pair", { n: form.games_per_pair });
  const final = say("ui.tournament.course_final", { n: form.final_wins });
  const found: Record<Format, string[]> = {
    knockout: [say("ui.tournament.course_knockout"), pair, say("ui.tournament.course_level", { side: seatWord(of.terms.game, 1) }), final],
    sections: [say("ui.tournament.course_sections", { n: form.section_size }), pair, say("ui.tournament.course_next"), final],
    swiss: [say("ui.tournament.course_swiss", { n: form.rounds }), pair],
    arena: [say("ui.tournament.course_arena", { n: form.minutes }), say("ui.tournament.course_streak")],
  };
  const teams = form.partners === "fixed" ? say("ui.tournament.course_fixed", { n: teamSize(of) }) : "";
  return [teams, ...found[form.format], same].filter(Boolean);
}

/** Who may enter, in sentences. */
export function whoWords(of: TournamentForm): string[] {
  const form = whole(of);
  const { rating_min: low, rating_max: high } = form;
  const range =
    low != null && high != null
      ? say("ui.tournament.rating_both", { low, high })
      : low != null
        ? say("ui.tournament.rating_low", { low })
        : high != null
          ? say("ui.tournament.rating_high", { high })
          : "";
  return [
    of.club ? say("ui.club.only_members") : "",
    range || (form.unrated ? say("ui.tournament.rating_any") : ""),
    form.unrated ? (range ? say("ui.tournament.unrated_too") : "") : say("ui.tournament.unrated_not"),
    form.private ? say("ui.tournament.private_is") : "",
    form.by_rating ? say("ui.tournament.by_rating_is") : "",
    form.reserves ? say("ui.tournament.reserves_are", { n: form.reserves }) : "",
  ].filter(Boolean);
}

/** What it costs and brings. */
export function feeWords(of: TournamentForm): string[] {
  const { fee, prizes } = whole(of);
  if (!fee) return [];
  return [
    say("ui.tournament.fee_is", { n: fee }),
    say("ui.tournament.split_is", { percents: prizes.map((one) => `${one}%`).join(" · ") }),
    say("ui.tournament.begins_with", { n: enough(prizes[0] ?? 1) }),
  ];
}

/** An entrant's name: a player's, or those of a team. */
export function nameOf(entrant: EntrantRow | undefined, people: ReadonlyMap<number, User>): string {
  if (!entrant) return "";
  return entrant.users.map((user) => (user === null ? say("ui.tournament.bot") : (people.get(user)?.name ?? `#${user}`))).join(" · ");
}

/** What the columns of its tables are: the score as this format counts it, then what parts equals. */
export function columns(page: TournamentPage, stage: StagePage): Column[] {
  const tables = !duels(page.form);
  const { format } = page.form;
  const score = tables
    ? page.form.duplicate
      ? "difference"
      : "points"
    : format === "arena"
      ? "arena"
      : format === "knockout"
        ? "through"
        : "score";
  return columnsOf([score, ...stage.ties]);
}

export const standing = (row: Row, page: TournamentPage, people: ReadonlyMap<number, User>): Standing => {
  const entrant = page.entrants[row.no - 1];
  return {
    key: row.no,
    place: row.place,
    name: nameOf(entrant, people),
    users: (entrant?.users ?? []).flatMap((user) => (user === null ? [] : (people.get(user) ?? []))),
    mine: page.mine?.no === row.no,
    numbers: [row.score, ...row.ties],
    played: row.played,
    out: entrant?.state === "out",
  };
};

/** What a round of a knockout is called: by how many matches are left. */
export function roundName(round: number, rounds: number, knockout: boolean): string {
  const matches = 2 ** (rounds - round);
  if (knockout && matches === 1) return say("ui.tournament.final");
  if (knockout && matches === 2) return say("ui.tournament.semifinal");
  if (knockout && matches === 4) return say("ui.tournament.quarterfinal");
  return say("ui.tournament.round", { n: round });
}

/** A meeting is called by stage, round, section and board: "2.1.3.1"; a game of it has its number behind. */
export const meetingOf = (game: string): string => game.slice(0, game.lastIndexOf("."));
export const roundOf = (id: string): number => Number(id.split(".")[1] ?? 0);

/** Games won by each side, where a meeting has several; else what it has brought. */
export function scoreOf(meeting: MeetingRow): readonly number[] | null {
  const results = meeting.results ?? [];
  if (results.length > 1) return meeting.sides.map((_, side) => results.reduce((sum, one) => sum + (one.scores[side] ?? 0), 0));
  return meeting.score ?? results[0]?.scores ?? null;
}

/** Why a meeting, or its last game, ended without being played out; nothing where it was. */
export function endWords(meeting: MeetingRow): string {
  const why = meeting.why || meeting.results?.at(-1)?.why || "";
  return has(`ui.tournament.end_${why}`) ? say(`ui.tournament.end_${why}`) : "";
}

/** The round that is looked at first: where I have a game, else the first that is not over, else the last. */
export function roundNow(page: TournamentPage, stage: StagePage): number {
  const mine = page.mine?.games?.[0]?.game;
  if (mine && Number(mine.split(".")[0]) === stage.no) return roundOf(mine);
  const open = stage.sections.flatMap((one) => one.meetings).filter((one) => one.score == null);
  if (page.form.format === "arena" || !open.length) return Math.max(1, stage.round);
  return Math.min(...open.map((one) => one.round));
}
