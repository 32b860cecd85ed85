from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai import cli, games
from qipai.bench import jobs as benches
from qipai.bench.floor import Room
from qipai.bench.jobs import Job, carried_out, jobs
from qipai.bench.page import page, read, slug, write
from qipai.bench.plot import plot
from qipai.bench.sheet import Check, Sheet, Table, line, markdown, text
from qipai.cli.bench import met, verdict
from qipai.core.measure import Absent

Progress = Callable[[str], None]


def table(*checks: Check) -> Table:
    return Table("moves", "moves a second", (line("qipai", [3.0, 1.0, 2.0], [5.0]), line("peer", [20.0])), checks)


def fine(told: Progress) -> Any:
    told("at work")
    return [table(Check("a", 1.0, True, 2.0))], {"peer": "7"}


def absent(told: Progress) -> Any:
    raise Absent("no such store")


def broken(told: Progress) -> Any:
    raise RuntimeError("it fell over")


def interrupted(told: Progress) -> Any:
    raise KeyboardInterrupt


def sheets(*measures: Any, quick: bool = False, room: Room = Room.ALONE) -> list[Sheet]:
    found = [Job(measure.__name__, measure, room) for measure in measures]
    return list(carried_out(found, quick=quick, told=lambda what: None))


def test_a_bench_gives_a_sheet_with_its_versions_and_the_machine() -> None:
    (found,) = sheets(fine)
    assert found.command == "qipai bench fine"
    assert found.versions["peer"] == "7"
    assert found.reached
    assert found.trouble == ""
    assert found.others is None or 0 <= found.others <= 1


def test_what_goes_wrong_with_one_is_told_and_the_others_go_on() -> None:
    found = sheets(absent, broken, fine)
    assert [one.trouble for one in found] == ["absent: no such store", "it failed: it fell over", ""]
    assert [one.reached for one in found] == [False, False, True]
    assert [met(one) for one in found] == [True, False, True]
    assert all(not one.tables for one in found[:2])
    assert "NOT MEASURED: absent: no such store" in text(found[0])
    assert "**Not measured:** it failed: it fell over." in markdown(found[1])


@pytest.mark.parametrize(("quick", "room"), [(False, Room.ALONE), (True, Room.ALONE), (True, Room.LANE)])
def test_an_interrupt_leaves_what_was_found_and_no_figure_of_the_rest(quick: bool, room: Room) -> None:
    found = sheets(fine, interrupted, fine, quick=quick, room=room)
    assert [one.trouble for one in found][1] == "interrupted"
    assert found[2].trouble == ("interrupted" if room is Room.ALONE else found[2].trouble)
    assert all(bool(one.tables) is not bool(one.trouble) for one in found)
    assert found[0].tables or room is Room.LANE  # there it may be overtaken
    written = page(found)
    assert "| `qipai bench interrupted` | everything | | | not measured: interrupted |" in written


def test_two_lanes_give_the_sheets_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benches.os, "cpu_count", lambda: 2)  # type: ignore[attr-defined]
    found = [Job(f"{n}", fine, list(Room)[n % 3], turn=n % 2) for n in range(6)]
    assert [one.command[-1] for one in carried_out(found, quick=True, told=lambda what: None)] == list("012345")


@pytest.mark.parametrize("quick", [True, False])
def test_a_bench_in_parts_is_carried_out_to_its_end(quick: bool) -> None:
    def in_parts(told: Progress) -> Any:
        told("first")
        yield Room.LANE
        told("second")
        yield Room.ALONE
        return fine(told)

    def fails_later(told: Progress) -> Any:
        yield Room.ALONE
        raise RuntimeError("in the end")

    found = sheets(in_parts, fails_later, in_parts, quick=quick, room=Room.BESIDE)
    assert [one.trouble for one in found] == ["", "it failed: in the end", ""]
    assert [bool(one.tables) for one in found] == [True, False, True]


def test_an_interrupt_ends_a_bench_in_parts_and_what_it_has_started() -> None:
    ended: list[str] = []

    def in_parts(told: Progress) -> Any:
        try:
            yield Room.ALONE
            return fine(told)
        finally:
            ended.append("in_parts")

    def interrupted_later(told: Progress) -> Any:
        yield Room.ALONE
        raise KeyboardInterrupt

    found = sheets(interrupted_later, in_parts, quick=True, room=Room.BESIDE)
    assert [one.trouble for one in found] == ["interrupted", "interrupted"]
    assert ended == ["in_parts"]


def test_a_busy_machine_is_told() -> None:
    (found,) = sheets(fine)
    busy = benches.with_others(found, 0.4)
    assert busy.busy
    assert "others took 40% of the machine: IT WAS BUSY" in text(busy)
    quiet = benches.with_others(found, 0.02)
    assert not quiet.busy
    assert "BUSY" not in text(quiet)


def test_the_verdict_names_what_was_missed_and_what_could_not_be_judged() -> None:
    def missed(told: Progress) -> Any:
        return [table(Check("a", 4.0, True, 3.0), Check("b", 1.0, True, None), Check("c", 1.0, True, 1.0))], {}

    said = verdict(sheets(missed, broken))
    assert "qipai bench missed: moves: a: ≥ 4, found 3, NOT REACHED" in said
    assert "b: ≥ 1, peer: absent" in said
    assert "qipai bench broken: not measured, it failed: it fell over" in said
    assert said.endswith("1 of 3 targets reached")


def test_there_is_a_job_for_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [job.words.split()[0] for job in jobs("all", None, quick=True)]
    assert list(dict.fromkeys(found)) == [
        *(
            "engine",
            "selfplay",
            "bots",
            "server",
            "load",
            "memory",
            "start",
            "replay",
            "append",
            "bus",
            "community",
            "codec",
            "web",
        )
    ]
    assert "chaos" in [job.words for job in jobs("all", None, quick=False)]  # it looks at the clock, and takes its time
    assert found.count("engine") == len(games.names())
    assert found.count("bots") == len(games.names()) + 1  # and a crowd of tables
    assert found.count("server") == 2
    assert found.count("append") == 2
    assert [job.words for job in jobs("append", None, quick=True, store="postgres")] == ["append --store postgres"]
    with pytest.raises(Absent, match="xiangqi"):
        jobs("engine", "no-such-game", quick=True)


@pytest.mark.parametrize("quick", [True, False])
def test_every_job_gives_its_bench_what_that_takes(quick: bool) -> None:
    for job in jobs("all", None, quick=quick):
        if isinstance(job.measure, partial):
            inspect.signature(job.measure.func).bind(*job.measure.args, print)


def test_the_page_has_a_picture_of_every_sheet_and_none_of_another_time(tmp_path: Path) -> None:
    found = sheets(fine, absent)
    old = tmp_path / "img" / "bench" / "old.svg"
    old.parent.mkdir(parents=True)
    old.write_text("<svg/>")
    write(tmp_path / "bench.md", found)
    assert not old.exists()
    drawn = (old.parent / f"{slug(found[0])}.svg").read_text("utf-8")
    assert drawn.startswith("<svg")
    assert ">peer<" in drawn
    assert not (old.parent / "absent.svg").exists()
    assert "![qipai bench fine](img/bench/fine.svg)" in (tmp_path / "bench.md").read_text("utf-8")


def test_what_is_measured_alone_is_written_into_the_page(tmp_path: Path) -> None:
    file, pictures = tmp_path / "bench.md", tmp_path / "img" / "bench"
    write(file, sheets(fine, absent))
    before = file.read_text("utf-8")
    assert page([], before=before) == before
    (one,) = sheets(fine)
    write(file, [msgspec.structs.replace(one, command="qipai bench fine --more")], whole=False)
    said = read(file.read_text("utf-8"))
    assert list(said) == ["qipai bench fine", "qipai bench fine --more", "qipai bench absent"]
    assert {**said, "qipai bench fine --more": 0} == {**read(before), "qipai bench fine --more": 0}
    assert {each.name for each in pictures.iterdir()} == {"fine.svg", "fine-more.svg"}
    other = msgspec.structs.replace(one, tables=(table(Check("other", 4.0, True, 3.0)),))
    write(file, [other], whole=False)
    found = file.read_text("utf-8")
    assert found.count("## `qipai bench fine`\n") == 1
    assert "| `qipai bench fine` | moves: other | ≥ 4 | 3 | NOT REACHED |" in found
    assert "| `qipai bench fine` | moves: a |" not in found


def test_a_picture_is_well_formed_and_shows_what_was_missed() -> None:
    from xml.etree import ElementTree

    (found,) = sheets(lambda told: ([table(Check("a < b", 4.0, True, 3.0))], {}))
    root = ElementTree.fromstring(plot(found))
    words = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert "a < b: ≥ 4, found 3, NOT REACHED" in words


def test_the_crowd_of_bots_is_measured_by_the_name_its_page_has() -> None:
    assert [job.words for job in jobs("bots", "crowd", quick=True)] == ["bots crowd"]
    with pytest.raises(Absent):
        jobs("engine", "crowd", quick=True)


def test_attackers_are_refused_where_they_are_of_no_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "codec", "--attackers"]) == 1
    said = "qipai bench: --attackers is of `qipai bench load`, not of `qipai bench codec`\n"
    assert capsys.readouterr().err == said
