"""The pairings of a Swiss answer to an independent program, py4swiss, and to the rules of FIDE that can be counted."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest

from qipai.contests.tournaments.swiss import Round, SwissPlayer, legal, paired


class Cup:
    """A Swiss that is written down twice: as our history, and as the report that the other program reads."""

    def __init__(self, count: int, rounds: int) -> None:
        self.count, self.rounds = count, rounds
        self.score = dict.fromkeys(range(1, count + 1), 0.0)
        self.colours: dict[int, list[Any]] = {no: [] for no in self.score}
        self.floats: dict[int, list[Any]] = {no: [] for no in self.score}
        self.byes = dict.fromkeys(self.score, 0)
        self.met: dict[int, set[int]] = {no: set() for no in self.score}
        self.lines: dict[int, list[str]] = {no: [] for no in self.score}

    def players(self) -> list[SwissPlayer]:
        return [
            SwissPlayer(
                no,
                no,
                self.score[no],
                tuple(self.colours[no]),
                tuple(self.floats[no]),
                self.byes[no],
                met=frozenset(self.met[no]),
            )
            for no in self.score
        ]

    def play(self, round: Round, rng: random.Random) -> None:
        before = dict(self.score)
        for white, black in round.pairs:
            got = rng.choices([1.0, 0.5, 0.0], [4, 2, 3])[0]
            for no, other, colour, points in ((white, black, "white", got), (black, white, "black", 1 - got)):
                self.score[no] += points
                self.colours[no].append(colour)
                self.met[no].add(other)
                mine, theirs = before[no], before[other]
                self.floats[no].append("down" if mine > theirs else "up" if mine < theirs else "none")
                self.lines[no].append(f"{other:4} {colour[0]} {'1' if points == 1 else '0' if points == 0 else '='}")
        if round.bye is not None:
            self.score[round.bye] += 1
            self.byes[round.bye] += 1
            self.floats[round.bye].append("down")
            self.lines[round.bye].append("0000 - U")

    def judged(self) -> Round:
        """Return how the other program pairs the next round."""
        from py4swiss.engines import DutchEngine
        from py4swiss.trf import ParsedTrf
        from py4swiss.trf.codes import PlayerCode
        from py4swiss.trf.results import RoundResult
        from py4swiss.trf.sections import PlayerSection, XSection

        sections = [
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=no,
                points_times_ten=round(10 * self.score[no]),
                rank=no,
                results=[RoundResult.from_string(line) for line in self.lines[no]],
            )
            for no in self.score
        ]
        found = DutchEngine.generate_pairings(
            ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=self.rounds))
        )
        pairs = tuple((pair.white, pair.black) for pair in found if pair.black)
        return Round(pairs, next((pair.white for pair in found if not pair.black), None))


CUPS = [(count, rounds, seed) for count, rounds in ((6, 4), (8, 5), (9, 5), (12, 6), (13, 6)) for seed in range(10)]


@pytest.mark.slow
def test_an_independent_program_pairs_hundreds_of_rounds_alike() -> None:
    """The other program knows the edition up to January 2026.

    That of February gives byes at the lowest score (C.5) and has no collapsed last bracket, so a few rounds differ.
    """
    PairingError = pytest.importorskip("py4swiss.engines.common", exc_type=ImportError).PairingError
    alike = byes = others = 0
    for count, rounds, seed in [*CUPS, (30, 6, 0), (31, 6, 0)]:
        rng = random.Random(f"{count} {seed}")
        cup = Cup(count, rounds)
        for number in range(1, rounds + 1):
            players = cup.players()
            ours = paired(players, number, rounds)
            if ours is None:
                with pytest.raises(PairingError):
                    cup.judged()
                break
            assert legal(players, ours)
            theirs = cup.judged()
            if ours.bye != theirs.bye:
                assert ours.bye is not None
                assert theirs.bye is not None
                assert cup.score[ours.bye] < cup.score[theirs.bye]
                byes += 1
            elif {frozenset(pair) for pair in ours.pairs} == {frozenset(pair) for pair in theirs.pairs}:
                assert set(ours.pairs) == set(theirs.pairs)  # the colours, too
                alike += 1
            else:
                others += 1
            cup.play(ours, rng)
    assert alike + byes + others > 250
    assert others <= 0.02 * alike
    assert byes <= 0.03 * alike


@pytest.mark.parametrize(("count", "seed"), [(60, 1), (75, 2), (99, 3)])
def test_a_large_field_is_paired_legally_with_fair_colours(count: int, seed: int) -> None:
    rng = random.Random(seed)
    cup = Cup(count, 6)
    for number in range(1, 7):
        players = cup.players()
        found = paired(players, number, 6)
        assert found is not None
        assert legal(players, found)
        assert max(abs(cup.score[one] - cup.score[other]) for one, other in found.pairs) <= 1
        cup.play(found, rng)
    for colours in cup.colours.values():
        assert abs(2 * colours.count("white") - len(colours)) <= 2
        assert all(len(set(colours[at : at + 3])) > 1 for at in range(len(colours) - 2))


def test_nobody_loads_the_library_who_pairs_nothing() -> None:
    code = (
        "import sys, qipai.contests.tournaments.kind; "
        "print(sorted({'networkx', 'caissify_pairings'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_where_everybody_has_met_there_is_no_round() -> None:
    everybody = range(1, 5)
    players = [SwissPlayer(no, no, floats=("none",) * 3, met=frozenset({*everybody} - {no})) for no in everybody]
    assert paired(players, 4, 9) is None


def test_nobody_stays_out_twice() -> None:
    players = [SwissPlayer(no, no, byes=1) for no in range(1, 4)]
    assert paired(players, 2, 9) is None
    players[1] = SwissPlayer(2, 2)
    found = paired(players, 2, 9)
    assert found is not None
    assert found.bye == 2
