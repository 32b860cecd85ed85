"""The strong player's imagined hands and its choice of actions to try."""

from __future__ import annotations

from collections import Counter

from tests.unit.games.mahjong.tables import OUT, TASTE, new, positions

from qipai.core.kernel import buffer
from qipai.games.mahjong.kernel import play, policy, search, shape
from qipai.games.mahjong.kernel import table as t


def hidden(s: t.Table, seat: int) -> tuple[t.Table, list[int], list[int]]:
    """Return what a seat sees of a table, how many tiles the others hide, and all tiles that it has not seen."""
    seen, want, tiles = new(), [0] * t.SEATS, []
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
