"""What so many people need follows from the figures, and the page is what is computed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai import cli
from qipai.bench.log import ITSELF, JOURNAL, POSTGRES, SQLITE
from qipai.bench.page import page as figures
from qipai.bench.page import read, tables_of
from qipai.bench.sheet import Check, Line, Sheet, Table
from qipai.bench.sizing import about, costs, most, need, page, partitions
from qipai.core.measure import OURS, Absent

ROOT = Path(__file__).parents[3]


def sheet(command: str, *tables: Table) -> Sheet:
    return Sheet(f"qipai bench {command}", "2026-01-02", False, {}, "a machine", 4, (0, 0, 0), (0, 0, 0), tables)


def one(name: str, figure: float, cpu_us: float | None = None) -> Table:
    return Table(name, "something", (Line(OURS, figure, figure, figure, cpu_us), Line("peer", absent="no peer")))


def log(game: str, *sizes: float) -> Table:
    lines = tuple(Line(who, n, n, n) for who, n in zip((ITSELF, SQLITE, POSTGRES, JOURNAL), sizes, strict=True))
    return Table(f"{game}, an event", "bytes", lines, (), ("120 events of each table, 100 of them actions; 9 tables",))


def server(game: str, seats: int, cpu_us: float) -> Sheet:
    note = f"a move: 80 bytes in, an ack of 50 and {seats} ev of 1000 out; bare servers read and write the same"
    plain = Table(f"{game}, 10 tables of {seats}", "moves a second", one("", 9, cpu_us).lines, (), (note,))
    paced = Table(
        f"{game}, 30 tables, {30 * seats} sockets, a move a second and table", "ms", one("", 1).lines,
        (Check("p99", 20, False, seats / 2),),
    )  # fmt: skip
    return sheet(f"server {game} --tables 10", plain, paced)


SHEETS = [
    server("two", 2, 100.0),
    server("six", 6, 400.0),
    server("nobody", 6, 400.0),
    sheet("log", log("two", 50, 100, 200, 300), log("six", 50, 200, 400, 600)),
    sheet("memory", one("an idle connection, 1 to 2", 20.0), one("a live table", 10.0)),
    sheet("append --store sqlite", one("1000 waiting tables", 50_000)),
    sheet("append --store postgres", one("1 waiting table", 1), one("1000 waiting tables", 100_000)),
    sheet("bots crowd", one("10 strong and 10 steady tables of two", 1.0)),
]


def test_what_a_page_says_is_read_as_it_was_written() -> None:
    (_, section) = read(figures(SHEETS))["qipai bench server six --tables 10"]
    first, second = tables_of(section)
    assert (first.name, first.unit, first.lines) == ("six, 10 tables of 6", "moves a second", one("", 9, 400.0).lines)
    assert second.notes == ("p99: ≤ 20, found 3, reached",)


def test_what_people_need_follows_from_the_figures() -> None:
    found = costs(figures(SHEETS))
    assert list(found.games) == ["two", "six"]  # of the third game there is no log
    # As many play each: of eight tables six are of two, and two of six.
    assert found.seats == pytest.approx(24 / 8)
    assert found.mean("cpu_us") == pytest.approx((6 * 100 + 2 * 400) / 8)
    assert found.tried == (30, 180, 3.0)
    assert found.bot_cores == 4 / 20
    few = need(1_000, found)
    assert few.tables == pytest.approx(250)
    assert few.moves_s == pytest.approx(250 / 3)
    assert few.events_s == pytest.approx(100)
    assert few.events_day == pytest.approx(100 * 86_400 * 0.4)
    assert few.postgres_day == pytest.approx(few.events_day * 250)
    assert few.sqlite_day == pytest.approx(few.events_day * 125)
    assert few.cores == pytest.approx(250 / 3 * 175e-6)
    assert few.memory == pytest.approx(1024 * (1000 * 20 + 250 * 10))
    assert few.bot_cores == pytest.approx(5)
    assert (few.processes, few.shards) == (1, 1)
    many = need(1_000_000, found)
    assert many.processes == 25  # 14.6 cores, of which 60 % are planned for
    assert many.shards == 2  # 100,000 events a second, of which a database is to take 60,000


def test_one_hall_ends_where_its_core_or_its_connections_do() -> None:
    found = costs(figures(SHEETS))
    assert most(found) == int(0.6e6 / 175 * 3 * 3 / 0.75)
    assert need(most(found), found).processes == 1
    assert need(most(found) + 100, found).processes == 2
    quick = costs(figures([server("two", 2, 1.0), *SHEETS[3:]]))
    assert most(quick) == 2**16
    assert need(2**16 + 1, quick).processes == 2


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (2e9, "one a month"),
        (2.1e9, "one for 30 days"),
        (30e9, "one for 2 days"),
        (40e9, "one a day"),
        (65e9, "one a day and 2 by hash of the stream"),
    ],
)
def test_no_partition_is_too_large(day: float, said: str) -> None:
    assert partitions(day) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (0.0319, "0.032"), (9.96, "10"), (18_805, "19 000"), (3_331_917, "3.3 million"), (33.3e9, "33 billion")],
)
def test_no_more_digits_are_said_than_are_known(value: float, said: str) -> None:
    assert about(value) == said


def test_the_command_answers_for_any_number_of_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "sizing", "--people", "5000"]) == 0
    assert capsys.readouterr().out.startswith("| | 5 000 people |\n|---|--:|\n| tables | ")
    assert cli.main(["bench", "sizing", "--people", "0"]) == 1
    assert "--people 0: at least 1" in capsys.readouterr().err


def test_what_is_not_there_is_named() -> None:
    for number, what in ((4, "memory"), (5, "append --store sqlite"), (7, "bots crowd")):
        with pytest.raises(Absent, match=f"no figures of `qipai bench {what}"):
            costs(figures([*SHEETS[:number], *SHEETS[number + 1 :]]))
    with pytest.raises(Absent, match="log"):
        costs(figures([SHEETS[0], *SHEETS[4:]]))


def test_the_page_is_what_is_computed() -> None:
    found = costs((ROOT / "docs" / "bench.md").read_text("utf-8"))
    written = (ROOT / "docs" / "sizing.md").read_text("utf-8")
    assert written == page(found), "run `qipai bench sizing --write docs/sizing.md`"
    # Its columns for the three sizes, and that the largest is told not to be reached.
    assert "| | 1 000 people | 100 000 people | 10 000 000 people |" in written
    (reached,) = re.findall(r"^\| \*\*reached today\*\* \| (.*) \|$", written, re.M)
    assert reached.split(" | ")[-1] == "**no**"
    assert set(re.findall(r"\{\w+\}", written)) == set()
