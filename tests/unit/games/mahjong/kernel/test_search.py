"""The strong player's imagined hands and its choice of actions to try."""

from __future__ import annotations

from collections import Counter

from tests.unit.games.mahjong.tables import OUT, TASTE, new, positions

from qipai.core.kernel import buffer
from qipai.games.mahjong.kernel import forms, play, policy, search, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.flow import exchange
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.selfplay import fresh


def like(s: t.Table) -> t.Table:
    """Return an empty table with the same house rules."""
    return t.new_table(s.b[t.RULES : t.RULES + t.RULE_CELLS], forms.forms())


def hidden(s: t.Table, seat: int) -> tuple[t.Table, list[int], list[int]]:
    """Return what a seat sees of a table, how many tiles the others hide, and all tiles that it has not seen."""
    seen, want, tiles = like(s), [0] * t.SEATS, []
    t.copy(s, seen)
    for other in range(t.SEATS):
        if other != seat and s.b[t.LIVE] >> other & 1:
            for kind in range(t.KINDS):
                for _ in range(s.b[t.HANDS + other * t.KINDS + kind]):
                    t.take(seen, other, kind)
                    tiles.append(kind)
                    want[other] += 1
    tiles += s.b[t.WALL + s.b[t.FRONT] : t.WALL + s.b[t.BACK]]
    return seen, want, tiles


def test_imagined_hands_are_dealt_from_what_is_unseen_and_as_ripe_as_real_ones() -> None:
    world, seed, worlds = new(), 7, 0
    lacks: dict[str, list[int]] = {"real": [], "imagined": []}
    for s, seat in positions(5, 11):
        seen, want, tiles = hidden(s, seat)
        pool = list(tiles)
        for _ in range(2):
            seed = search.imagine(seen, world, shape.costs(), seat, want, pool, len(pool), seed)
            assert sorted(pool) == sorted(tiles), "the next world is dealt from the same tiles"
        b = world.b
        dealt: Counter[int] = Counter(b[t.WALL + b[t.FRONT] : t.WALL + b[t.BACK]])
        for other in range(t.SEATS):
            hand = b[t.HANDS + other * t.KINDS : t.HANDS + (other + 1) * t.KINDS]
            assert b[other * t.CELLS + t.HELD] == sum(hand) == s.b[other * t.CELLS + t.HELD]
            if want[other]:
                dealt.update({kind: n for kind, n in enumerate(hand) if n})
                if s.b[other * t.CELLS + t.DRAWS] >= 8 and sum(hand) % 3 == 1:
                    lacks["real"].append(shape.short(s, shape.costs(), other))
                    lacks["imagined"].append(shape.short(world, shape.costs(), other))
            else:
                assert hand == s.b[t.HANDS + other * t.KINDS : t.HANDS + (other + 1) * t.KINDS]
        assert dealt == Counter(tiles)
        worlds += 1
    assert worlds > 20
    real, imagined = (sum(found) / len(found) for found in lacks.values())
    assert abs(real - imagined) < 0.6, "a hand dealt by chance lacks about 3.4 tiles here, a real one 1.7"


def test_what_is_tried_is_legal_and_begins_with_the_policy() -> None:
    tried, most = buffer(t.MOST), 0
    for s, seat in positions(3, 5):
        first = policy.sound(s, shape.costs(), TASTE, seat, OUT)
        n = search.shortlist(s, shape.costs(), TASTE, seat, OUT, tried, 4)
        listed = list(tried[:n])
        legal = OUT[: play.legal(s, seat, OUT)]
        assert listed[0] == first
        assert len(set(listed)) == n
        assert set(listed) <= set(legal)
        if s.b[t.PHASE] == t.TURN and t.DO_HU in legal:
            assert listed == [t.DO_HU], "a draw that wins is taken"
        most = max(most, n)
    assert most == 4


def test_no_tile_is_imagined_that_would_have_been_thrown_before_the_last_one() -> None:
    world, seed, costs = new(), 3, shape.costs()
    regrets = hands = 0
    for s, seat in positions(8, 3):
        seen, want, pool = hidden(s, seat)
        seed = search.imagine(seen, world, costs, seat, want, pool, len(pool), seed)
        for other in range(t.SEATS):
            thrown = search.last_thrown(seen, other)
            if want[other] and thrown >= 0 and world.b[other * t.CELLS + t.HELD] % 3 == 1:
                before = list(world.b)
                kind = search.regretted(world, costs, other, thrown)
                assert world.b == before
                hands += 1
                if kind >= 0:
                    regrets += 1
                    assert world.b[t.HANDS + other * t.KINDS + kind]
    assert hands > 60
    assert regrets < hands / 15, "it is a tenth where nothing is put right"


def compared(s: t.Table, seat: int, actions: list[int], alive: int, hands: list[int]) -> tuple[list[int], int]:
    """Return the sums of some actions after so many hands in each call, and the next seed."""
    seen, want, tiles = hidden(s, seat)
    world, work, sums, seed = like(s), like(s), buffer(2 * len(actions), 64), 5
    costs, ledger, most = shape.costs(), buffer(t.SEATS, 64), 48
    for n in hands:
        seed = search.compare(
            seen,
            world,
            work,
            costs,
            TASTE,
            seat,
            actions,
            alive,
            OUT,
            ledger,
            want,
            tiles,
            len(tiles),
            n,
            most,
            sums,
            seed,
        )
    return list(sums), seed


def test_actions_are_compared_in_the_same_hands_however_they_are_counted_out() -> None:
    tried, many = buffer(t.MOST), 0
    for s, seat in positions(8, 3):
        n = search.shortlist(s, shape.costs(), TASTE, seat, OUT, tried, 3)
        if n < 3 or s.b[t.BACK] - s.b[t.FRONT] > 16:
            continue
        actions = list(tried[:n])
        whole = compared(s, seat, actions, 0b110, [3])
        assert compared(s, seat, actions, 0b110, [1, 2]) == whole
        alone = compared(s, seat, actions, 0b100, [3])
        assert alone == ([0, 0, 0, 0, *whole[0][4:6]], whole[1]), "what else is tried changes nothing"
        many += any(whole[0])
        if many == 2:
            break
    assert many == 2


def test_an_exchange_and_a_void_suit_are_tried_and_what_others_have_answered_is_not_looked_at() -> None:
    s, tried = t.new_table(cells(Options(exchange="three", void_rule="declare")), forms.forms()), buffer(t.MOST)
    fresh(s, 5)
    asked = []
    while s.b[t.PHASE] != t.TURN:
        if s.b[t.PHASE] == t.DIE:
            exchange(s, 3)
            continue
        seat = play.to_act(s)
        first = policy.sound(s, shape.costs(), TASTE, seat, OUT)
        if s.b[t.ASKED] in (15, 1 << seat):  # the first of all, and the last
            n = search.shortlist(s, shape.costs(), TASTE, seat, OUT, tried, 3)
            actions = list(tried[:n])
            legal = OUT[: play.legal(s, seat, OUT)]
            assert (actions[0], len(set(actions)), set(actions) <= set(legal)) == (first, 3, True)
            answers = [compared(each, seat, actions, 0b10, [1]) for each in (s, answered_otherwise(s, seat))]
            assert answers[0] == answers[1]
            asked.append(int(s.b[t.PHASE]))
        play.act(s, seat, first)
    assert asked == [t.SWAP, t.SWAP, t.VOIDING, t.VOIDING]


def answered_otherwise(s: t.Table, seat: int) -> t.Table:
    """Return a table like this one, but for the tiles that other seats have put down for an exchange."""
    other = like(s)
    t.copy(s, other)
    for each in range(t.SEATS):
        if each != seat and other.b[each * t.CELLS + t.ANSWER] and other.b[t.PHASE] == t.SWAP:
            for i in range(3):
                other.b[t.SWAPS + each * 3 + i] = 0
    return other
