"""The ladder: which matches there are, Elo against known numbers, rows that replace their like."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai import cli, games
from qipai.arena.duel import Result
from qipai.arena.ladder import Rung, elo, forms_of, key, merged, row, rungs
from qipai.arena.match import Terms

PAGE = "above\n<!-- ladder -->\n<!-- /ladder -->\nbelow\n"


def result(sittings: tuple[int, int, int], mean: float = 1.0, error: float = 0.2, game: str = "xiangqi") -> Result:
    terms = Terms(game, ("strong", "steady"), budget_ms=100)
    return Result(terms, 10, mean, error, sittings, (3.0, 4.0), (0, 0), (1, 1), (0, 0))


def test_every_game_has_its_levels_in_each_form() -> None:
    for game in games.names():
        found = list(rungs(game))
        ours = [rung for rung in found if rung.second in games.find(game).bots]
        assert len(ours) == len(forms_of(game)) * len(games.find(game).bots), "each over the next, strong over steady"
        for rung in found:
            games.find(game).chosen(dict(rung.options))  # raises for options that are none
    assert len(forms_of("backgammon")) == 10
    assert set(forms_of("shengji")) == {"", "one_deck", "three_decks"}
    assert len(forms_of("mahjong")) == 4


def test_elo_is_the_textbooks() -> None:
    found = elo(result((64, 0, 36)))
    assert found is not None
    assert found[0] == pytest.approx(99.95, abs=0.01)  # 64 of 100
    assert found[1] == pytest.approx(36.2, abs=0.1)
    even = elo(result((10, 80, 10)))
    assert even is not None
    assert even[0] == pytest.approx(0)
    assert even[1] < 20  # draws are no spread
    assert elo(result((10, 0, 0))) is None
    assert elo(result((0, 0, 0))) is None


def test_a_difference_is_shown_from_three_errors_on() -> None:
    rung = Rung("xiangqi", "", {}, "strong", "steady", ("strong", "steady"))
    assert "| yes |" in row(rung, result((6, 2, 2), 0.61, 0.2), "here")
    assert "| no |" in row(rung, result((6, 2, 2), 0.59, 0.2), "here")
    assert "| no |" in row(rung, result((5, 0, 5), 0.0, 0.0), "here")
    assert " ± " in row(rung, result((6, 2, 2)), "here")
    dice = Rung("backgammon", "hyper", {"variant": "hyper"}, "strong", "steady", ("strong", "steady"))
    assert " ± " not in row(dice, result((6, 2, 2), game="backgammon"), "here"), "Elo is for games without luck"


def test_a_search_of_a_fixed_size_stands_in_the_row_in_the_place_of_a_time() -> None:
    found = list(rungs("gouji", None, 24))
    assert [rung.bots for rung in found[-3:]] == [
        ("sharp@24", "steady"), ("strong@24", "sharp@24"), ("strong@24", "steady")
    ]  # fmt: skip
    assert (found[-1].first, found[-1].second) == ("strong, 24 deals", "steady")
    one, two = (row(found[-1], result((6, 2, 2), mean, game="gouji"), "here") for mean in (1.0, 2.0))
    assert "| 3.0, 4.0 |" in one
    assert key(one) == key(two)
    assert key(one) != key(row(next(iter(rungs("gouji", None, 48))), result((6, 2, 2), game="gouji"), "here"))
    assert all("@" not in bot for rung in rungs("lianliankan", None, 24) for bot in rung.bots)


def test_a_row_replaces_the_one_about_the_same_match() -> None:
    rung = Rung("xiangqi", "", {}, "strong", "steady", ("strong", "steady"))
    one, two = row(rung, result((6, 2, 2)), "then"), row(rung, result((7, 2, 1)), "now")
    other = row(
        Rung("gouji", "", {}, "strong", "steady", ("strong", "steady")), result((6, 2, 2), game="gouji"), "then"
    )
    assert key(one) == key(two) != key(other)
    page = merged(merged(merged(PAGE, [one]), [other]), [two])
    assert "| then |" in page
    assert "now" in page
    assert one not in page
    assert page.count("| difference |") == 1
    assert page.startswith("above\n")
    assert page.endswith("<!-- /ladder -->\nbelow\n")
    with pytest.raises(ValueError, match="no table"):
        merged("nothing", [one])


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["chess"],
        ["gouji", "--deals", "1"],
        ["gouji", "--form", "moon"],
        ["gouji", "--search", "0"],
        ["backgammon", "--search", "24"],
        ["gouji", "--write", str(tmp_path / "x")],
    ):
        assert cli.main(["ladder", *words]) == 1
        assert "qipai ladder:" in capsys.readouterr().err
    assert cli.main(["ladder", "shengji", "--list"]) == 0
    assert "one_deck: strong against sharp" in capsys.readouterr().out


@pytest.mark.slow
def test_a_short_match_is_written_into_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.arena.ladder.rungs", lambda *asked: list(rungs(*asked))[:2])  # each takes seconds
    page = tmp_path / "strength.md"
    page.write_text(PAGE)
    words = ["ladder", "backgammon", "--form", "hyper", "--deals", "2", "--budget", "5", "--workers", "1"]
    assert cli.main([*words, "--write", str(page)]) == 0
    assert page.read_text().count("| backgammon, hyper |") == 2
    assert capsys.readouterr().out.count("backgammon, hyper") == 2
