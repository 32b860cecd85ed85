"""What the client may light up: claims and what passing locks, discards and what they wait for, why not."""

from __future__ import annotations

from typing import Any

from qipai.core.contract import NATURE
from qipai.core.rng import Stream
from qipai.games.mahjong.conform import Play
from qipai.games.mahjong.hints import Hints, hints
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.selfplay import ruled
from qipai.games.mahjong.state import Discard, Kong, Pass, Pong


def hinted(given: dict[str, Any], seat: int, *moves: tuple[int, dict[str, Any]]) -> Hints:
    case = Play(given)
    for mover, raw in moves:
        assert case.act(mover, raw) is None
    found = hints(case.rules.options, case.rules.observe(case.state, seat))
    assert found is not None
    return found


WAITING = {
    "hands": ["134458m2457p1369s", "2357m1369p14799s", "56m12345678999p", "1469m147p225788s"],
    "wall": "2s5s8s3s6s9s",
    "drawn": "4m",
}


def test_a_claim_says_what_it_is_worth_and_what_passing_locks() -> None:
    found = hinted(WAITING, 2, (0, {"a": "discard", "t": "4m"}))
    assert found.ask == "claim"
    assert found.win is not None
    assert (found.win.fan, found.win.value, found.win.total, found.win.items) == (0, 1, 1, {})
    assert found.passing is not None
    assert (found.passing.line, found.passing.tiles, found.passing.fan) == ("m147", ("1m", "4m", "7m"), 0)
    assert found.may_pass
    assert not found.forced


def test_a_locked_line_is_shown_and_its_win_is_barred() -> None:
    found = hinted(WAITING, 2, (0, {"a": "discard", "t": "4m"}), (2, {"a": "pass"}))
    assert found.ask is None
    assert [(lock.line, lock.fan) for lock in found.locks] == [("m147", 0)]
    assert [(wait.t, wait.left) for wait in found.waits] == [("4m", 3), ("7m", 4)]


def test_the_last_four_force_a_win() -> None:
    found = hinted({**WAITING, "wall": "2s5s8s"}, 2, (0, {"a": "discard", "t": "4m"}))
    assert found.forced
    assert not found.may_pass
    assert found.passing is None


def test_a_discard_tells_what_the_hand_left_waits_for() -> None:
    hands = ["456m4566789p999p1m", "2357m1369p14799s", "89m1235m17p12358s", "1469m147p225788s"]
    found = hinted({"hands": hands, "wall": "2s5s8s3s6s9s", "drawn": "1m"}, 0)
    throw = next(throw for throw in found.throws if throw.t == "1m")
    assert throw.calls == ("sing", "dance")
    assert [(wait.t, wait.left, wait.fan) for wait in throw.waits] == [("3p", 4, 1), ("6p", 2, 1)], "four nines: a root"
    assert throw.shanten == 0
    assert all(other.shanten > 0 for other in found.throws if not other.waits)


def test_a_dancers_waits_are_off_and_a_song_frees_them() -> None:
    given = {**WAITING, "danced": {"2": ["4m", "7m"]}}
    found = hinted(given, 0)
    assert [(off.t, off.why, off.seats, off.calls) for off in found.off] == [("4m", "danced_tile", (2,), ())]
    singing = {**given, "hands": ["4m1112345678889s", "12357m13469p479s", "56m12345678999p", "14689m1478p2255s"]}
    found = hinted(singing, 0)
    assert found.off[0].calls == ("sing", "dance")
    assert any(throw.t == "4m" for throw in found.throws)


def test_a_kong_says_who_pays() -> None:
    given = {
        "hands": ["15555m2468p13579s", "12368m1369p1479s", "", "1469m12479p2578s"],
        "wall": "3s6s9s2s5s8s",
        "drawn": "1m",
        "won": [2],
    }
    case = Play(given)
    found = hints(case.rules.options, case.rules.observe(case.state, 0))
    assert found is not None
    assert [(kong.t, kong.kind, kong.each) for kong in found.kongs] == [("5m", "concealed", 2)]


def test_hints_never_offer_what_the_rules_refuse() -> None:
    for seed in range(12):
        options = ruled(seed * 31 + 2)
        rules, luck = Mahjong(options), Stream.of_seed(seed)
        state = rules.start(None, (4,))
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            if seat == NATURE:
                state = rules.apply(state, seat, rules.chance(state, luck)).state
                continue
            listed = list(rules.legal(state, seat))
            found = hints(options, rules.observe(state, seat))
            assert found is not None
            assert found.ask == rules.turn(state).ask
            offered = {(throw.t, call) for throw in found.throws for call in throw.calls}
            assert offered == {(a.t, a.call) for a in listed if isinstance(a, Discard) and a.call}
            assert {kong.t for kong in found.kongs} == {a.t for a in listed if isinstance(a, Kong)}
            assert found.pong == (Pong() in listed)
            assert found.may_pass == (Pass() in listed)
            state = rules.apply(state, seat, listed[luck.below(len(listed))]).state


def test_who_watches_has_no_hints() -> None:
    case = Play(WAITING)
    assert hints(Options(), case.rules.observe(case.state, None)) is None
