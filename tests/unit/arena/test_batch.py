"""Many deals at once: the same questions and the same points as deal by deal; what is known is what the view says."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from qipai import games  # noqa: E402
from qipai.arena.batch import Batch, NotBatched  # noqa: E402
from qipai.core.kernel import buffer  # noqa: E402
from qipai.core.rng import Stream  # noqa: E402
from qipai.research.deal import Kind  # noqa: E402

BATCHED = [name for name in games.names() if games.find(name).batched is not None]


def test_mahjong_is_played_in_batches() -> None:
    assert "mahjong" in BATCHED


@pytest.mark.parametrize("game", BATCHED)
def test_deals_go_on_for_ever_and_end_in_between(game: str) -> None:
    batch, luck, ended = Batch(game, 8, seed=3), np.random.default_rng(1), 0
    for _ in range(400):
        assert ((batch.seats >= 0) & (batch.many > 0)).all()
        rows, of = batch.answers()
        assert len(rows) == batch.many.sum() == len(of)
        assert (np.bincount(of, minlength=8) == batch.many).all()
        for i in range(8):
            own = rows[of == i]
            assert len(np.unique(own, axis=0)) == len(own), "every answer is another in numbers"
        batch.step((luck.random(8) * batch.many).astype(int))
        for i in np.flatnonzero(batch.ended):
            assert batch.points[i].sum() == 0
            ended += 1
    assert ended > 8


@pytest.mark.parametrize("game", BATCHED)
def test_the_same_seed_is_the_same_course(game: str) -> None:
    def course(seed: int) -> list[list[int]]:
        batch, found = Batch(game, 3, seed), []
        for k in range(50):
            found.append([*batch.seats.tolist(), *batch.many.tolist(), int(batch.known.sum())])
            batch.step([k % int(n) for n in batch.many])
        return found

    assert course(1) == course(1) != course(2)


def test_what_the_kernel_writes_is_what_the_view_says() -> None:
    """For every seat, asked or not; so nothing that is hidden from it is written."""
    from qipai.games.mahjong.kernel import look
    from qipai.games.mahjong.rules import Mahjong

    rules, luck, kind, compared = Mahjong(), Stream.of_seed(5), Kind("mahjong"), 0
    assert kind.size - len(kind.tokens) == look.KNOWN
    for _ in range(2):
        state = rules.start()
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            if seat >= 0:
                table, known = rules.table(state), buffer(look.KNOWN, 16)
                for viewer in range(4):
                    look.look(table, viewer, known, buffer(4, 64))
                    said = kind.numbers(rules.observe(state, viewer))[: look.KNOWN]
                    assert [int(n) for n in known] == said, (seat, viewer)
                    compared += 1
            action = rules.chance(state, luck) if seat < 0 else rules.sample(state, seat, luck)
            state = rules.apply(state, seat, action).state
    assert compared > 300


def test_bad_choices_change_nothing() -> None:
    batch = Batch("mahjong", 2)
    before = batch.known.copy()
    for wrong in ([0], [0, 10_000], [-1, 0]):
        with pytest.raises(ValueError, match="number of one of its answers"):
            batch.step(wrong)
    assert (batch.known == before).all()
    for words in (("xiangqi2",), ("mahjong", 2, 1, {"nonsense": 1})):
        with pytest.raises(NotBatched):
            Batch(*words)
