"""`qipai bench sizing`: what so many people at once need, computed from the figures that stand in `docs/bench.md`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Final

from msgspec import Struct

from qipai.bench.log import JOURNAL, POSTGRES, SQLITE
from qipai.bench.page import read, tables_of
from qipai.bench.sheet import Line, Table, number
from qipai.core.measure import OURS, Absent

__all__ = ["PEOPLE", "Costs", "Game", "Need", "costs", "most", "need", "page", "table"]

PEOPLE: Final = (1_000, 100_000, 10_000_000)
# What people do is not measured but assumed; each stands on the page.
AT_TABLES: Final = 0.75  # of those who are here
PACE_S: Final = 3.0  # between two moves at a table, as `qipai bench load` plays
OF_THE_PEAK: Final = 0.4  # a day's mean of people over its peak
FULL: Final = 0.6  # of a core or a database's rate that is planned for; the rest is for bursts and what is not counted
WITH_BOTS: Final = 0.1  # of the tables have bots at them
PARTITION: Final = 64 * 10**9  # bytes: what a machine with as much memory copies, vacuums and indexes within an hour
CONNECTIONS: Final = 2**16  # that one process opens (cli/serve.py)
DAY_S: Final = 86_400
YEAR: Final = 365  # days


class Game(Struct, frozen=True):
    """What a game costs."""

    seats: int
    cpu_us: float  # of the hall, for a move: rules, commit, and what everybody is sent
    bytes_out: int  # to all, for a move
    events: float  # for an action
    sqlite: float  # bytes of an event
    postgres: float
    journal: float


class Costs(Struct, frozen=True):
    """The figures of the page. Games count alike: as many people play each."""

    games: Mapping[str, Game]
    connection_kb: float
    table_kb: float
    file_s: float  # events a second that the file takes from a thousand tables
    database_s: float  # and a database
    bot_cores: float  # for a table with bots
    tried: tuple[int, int, float]  # the most tables and sockets that were tried, and the p99 in ms
    read: Mapping[str, str]  # of each bench that was read: its date

    def mean(self, what: str) -> float:
        """Return the mean of a figure over what is played: a game with more seats has fewer tables."""
        weights = {name: 1 / game.seats for name, game in self.games.items()}
        whole: float = sum(weights[name] * getattr(game, what) for name, game in self.games.items())
        return whole / sum(weights.values())

    @property
    def seats(self) -> float:
        """Return the people at a table."""
        return self.mean("seats")


class Need(Struct, frozen=True):
    """What so many people at once need."""

    people: int
    tables: float
    moves_s: float
    events_s: float
    events_day: float
    postgres_day: float  # bytes
    sqlite_day: float
    journal_day: float
    sent_s: float  # bytes
    cores: float  # of the hall, at the peak
    processes: int  # that its tables must be divided among; 1: one hall serves them
    memory: float  # bytes
    bot_cores: float
    shards: int  # of the log


class Figures:
    """The page of figures, and the date of whatever was read in it."""

    def __init__(self, text: str) -> None:
        self.sections = {command.removeprefix("qipai bench "): section for command, (_, section) in read(text).items()}
        self.dates: dict[str, str] = {}

    def table(self, command: str, name: str = "") -> Table:
        """Return a table of a bench, by how its name begins; raises Absent where there is none."""
        section = self.sections.get(command, "")
        for each in tables_of(section):
            if each.name.startswith(name) and not each.lines[0].absent:
                self.dates[command] = section.splitlines()[2][:10]
                return each
        raise Absent(f"docs/bench.md has no figures of `qipai bench {command}`{f' for {name}' if name else ''}")

    def median(self, command: str, name: str) -> float:
        """Return what the hall did."""
        return row(self.table(command, name), OURS).mid

    def game(self, command: str) -> Game:
        """Return what the game costs that a bench of the server has played; raises Absent."""
        name = command.split()[1]
        in_log, server = self.table("log", f"{name}, an event"), self.table(command)
        ack, seats, size = numbers(server, r"an ack of (\d+) and (\d+) ev of (\d+) out")
        events, actions = numbers(in_log, r"(\d+) events of each table, (\d+) of them actions")
        sqlite, postgres, journal = (row(in_log, who).mid for who in (SQLITE, POSTGRES, JOURNAL))
        return Game(
            seats=seats,
            cpu_us=row(server, OURS).cpu_us or 0.0,
            bytes_out=seats * size + ack,
            events=events / actions,
            sqlite=sqlite,
            postgres=postgres,
            journal=journal,
        )


def costs(text: str) -> Costs:
    """Return what the page of figures says; raises Absent where it lacks one."""
    figures, games = Figures(text), dict[str, Game]()
    figures.table("log")
    servers = [command for command in figures.sections if command.startswith("server ")]
    for command in servers:
        with suppress(Absent):  # one of the two benches has not played it
            games[command.split()[1]] = figures.game(command)
    if not games:
        raise Absent("docs/bench.md has no game of which both `qipai bench server` and `qipai bench log` have figures")
    paced = [each for command in servers for each in tables_of(figures.sections[command]) if " sockets, " in each.name]
    crowd = figures.table("bots crowd")
    at_once = sum(int(each) for each in re.findall(r"(\d+) (?:strong|steady)", crowd.name))
    (have,) = re.findall(r" × (\d+), load ", figures.sections["bots crowd"])
    return Costs(
        games,
        figures.median("memory", "an idle connection"),
        figures.median("memory", "a live"),
        figures.median("append --store sqlite", "1000 waiting"),
        figures.median("append --store postgres", "1000 waiting"),
        int(have) / at_once,
        max(map(tried, paced), key=lambda each: each[1]),
        figures.dates,
    )


def numbers(table: Table, pattern: str) -> list[int]:
    """Return the numbers that a table's notes say."""
    found = re.search(pattern, "\n".join(table.notes))
    if found is None:
        raise Absent(f"docs/bench.md does not say of {table.name} what was counted")
    return [int(each) for each in found.groups()]


def row(table: Table, who: str) -> Line:
    """Return a contestant's line; raises Absent where it was not measured."""
    for each in table.lines:
        if each.who == who and not each.absent:
            return each
    raise Absent(f"docs/bench.md has no {who} of {table.name}")


def tried(table: Table) -> tuple[int, int, float]:
    """Return the tables and sockets of a bench at a person's pace, and its p99 in ms."""
    tables, sockets = re.findall(r"(\d+) (?:tables|sockets)", table.name)
    (p99,) = re.findall(r"^p99: .* found ([\d. ]+),", "\n".join(table.notes), re.M) or [""]
    return int(tables), int(sockets), float(p99)


def need(people: int, costs: Costs) -> Need:
    """Return what so many people at once need."""
    tables = people * AT_TABLES / costs.seats
    moves_s = tables / PACE_S
    events_s = moves_s * costs.mean("events")
    events_day = events_s * DAY_S * OF_THE_PEAK
    cores = moves_s * costs.mean("cpu_us") / 1e6
    return Need(
        people=people,
        tables=tables,
        moves_s=moves_s,
        events_s=events_s,
        events_day=events_day,
        postgres_day=events_day * costs.mean("postgres"),
        sqlite_day=events_day * costs.mean("sqlite"),
        journal_day=events_day * costs.mean("journal"),
        sent_s=moves_s * costs.mean("bytes_out"),
        cores=cores,
        processes=max(1, math.ceil(cores / FULL), math.ceil(people / CONNECTIONS)),
        memory=1024 * (people * costs.connection_kb + tables * costs.table_kb),
        bot_cores=tables * WITH_BOTS * costs.bot_cores,
        shards=max(1, math.ceil(events_s / (costs.database_s * FULL))),
    )


def most(costs: Costs) -> int:
    """Return how many people at once the one process that leads a hall serves."""
    moves_s = FULL * 1e6 / costs.mean("cpu_us")
    return min(CONNECTIONS, int(moves_s * PACE_S * costs.seats / AT_TABLES))


def partitions(day: float) -> str:
    """Return how a log that grows so many bytes a day is divided, so that no part is larger than `PARTITION`."""
    if 31 * day <= PARTITION:
        return "one a month"
    if day <= PARTITION:
        return f"one for {max(1, int(PARTITION / day))} days" if day * 2 <= PARTITION else "one a day"
    return f"one a day and {math.ceil(day / PARTITION)} by hash of the stream"


def about(value: float) -> str:
    """Return a figure of which no more than two digits are known."""
    unit, words = next(each for each in ((1e9, " billion"), (1e6, " million"), (0, "")) if value >= each[0])
    value /= unit or 1
    digits = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{number(round(value, digits))}{words}"


def size(value: float) -> str:
    """Return bytes as people read them."""
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if value < 1000:
            return f"{about(value)} {unit}"
        value /= 1000
    return f"{about(value)} PB"


def table(needs: Sequence[Need]) -> str:
    """Return the table: a column for each number of people."""
    rows: list[tuple[str, Callable[[Need], str]]] = [
        ("tables", lambda each: about(each.tables)),
        ("moves a second", lambda each: about(each.moves_s)),
        ("events a second", lambda each: about(each.events_s)),
        ("events a day", lambda each: about(each.events_day)),
        ("sent to people, a second", lambda each: size(each.sent_s)),
        ("processor of the hall, cores", lambda each: about(each.cores)),
        ("memory for people and tables, beside the program's", lambda each: size(each.memory)),
        ("processes that divide its tables", lambda each: about(each.processes)),
        ("**reached today**", lambda each: "**yes**, by one hall" if each.processes == 1 else "**no**"),
        ("processor for bots, cores, at most", lambda each: about(each.bot_cores)),
        ("the file (SQLite), a day", lambda each: size(each.sqlite_day)),
        ("the database (PostgreSQL), a day", lambda each: size(each.postgres_day)),
        ("… a year", lambda each: size(YEAR * each.postgres_day)),
        ("… its journal, a day, for copies and replicas", lambda each: size(each.journal_day)),
        ("databases that divide the log", lambda each: number(each.shards)),
        ("… partitions of each", lambda each: partitions(each.postgres_day / each.shards)),
    ]
    lines = ["| | " + " | ".join(f"{number(each.people)} people" for each in needs) + " |"]
    lines.append("|---|" + "--:|" * len(needs))
    lines += [f"| {what} | " + " | ".join(said(each) for each in needs) + " |" for what, said in rows]
    return "\n".join(lines) + "\n"


def page(costs: Costs) -> str:
    """Return the page."""
    tables, sockets, p99 = costs.tried
    needs = [need(people, costs) for people in PEOPLE]
    first = next((each for each in needs if each.shards > 1), None)
    games = "\n".join(
        f"| {name} | {each.seats} | {number(each.cpu_us)} | {number(each.bytes_out)} | {each.events:.2f} |"
        f" {number(each.sqlite)} | {number(each.postgres)} | {number(each.journal)} |"
        for name, each in costs.games.items()
    )
    read = "\n".join(f"- `qipai bench {command}`, {date}" for command, date in costs.read.items())
    text = files("qipai.bench").joinpath("sizing.md").read_text("utf-8")
    return text.format(
        most=about(most(costs)), tables=tables, sockets=number(sockets), p99=number(p99),
        needs=table(needs), games=games, read=read,
        file_s=number(costs.file_s), database_s=number(costs.database_s), bots=number(costs.bot_cores),
        connection=number(costs.connection_kb), table=number(costs.table_kb),
        at_tables=f"{AT_TABLES:.0%}", pace=number(PACE_S), of_the_peak=f"{OF_THE_PEAK:.0%}", full=f"{FULL:.0%}",
        with_bots=f"{WITH_BOTS:.0%}", partition=size(PARTITION), connections=number(CONNECTIONS),
        cut=about(costs.database_s * FULL), cut_people=about(cut(costs)),
        shards="none of these" if first is None else f"{number(first.people)} people",
    )  # fmt: skip


def cut(costs: Costs) -> float:
    """Return the people at once from whom on one database does not take all events."""
    return costs.database_s * FULL / need(1, costs).events_s
