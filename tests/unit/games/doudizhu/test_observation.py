"""What each seat sees, and what it can imagine."""

from __future__ import annotations

from qipai.core.contract import NATURE, play
from qipai.core.rng import Stream
from qipai.games.doudizhu.imagine import hidden, public_table
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import PACK
from qipai.games.doudizhu.observation import secret
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Bid, Form, NoBid, Pass, Play, State


def dealt(seed: int) -> tuple[Doudizhu, State]:
    rules = Doudizhu()
    state = rules.start({"deal": 1, "first": 0})
    return rules, play(rules, state, NATURE, rules.chance(state, Stream.of_seed(seed))).state


def test_two_deals_with_the_same_own_hand_look_alike() -> None:
    rules = Doudizhu()
    one = rules.place(["34567", "89TJQ", "KA2xX"], "333")
    other = rules.place(["34567", "KA2xX", "89TJQ"], "444")
    for state in (one, other):
        assert rules.observe(state, 0).bottom is None
    assert rules.observe(one, 0) == rules.observe(other, 0)
    assert rules.observe(one, None) == rules.observe(other, None)
    after = [play(rules, state, 0, Bid(3)).state for state in (one, other)]
    assert rules.observe(after[0], 1) != rules.observe(after[1], 1)


def test_the_bottom_cards_stay_known_until_they_are_played() -> None:
    rules = Doudizhu()
    state = play(rules, rules.place(["3447", "5689", "TJQK"], "34A"), 0, Bid(3)).state
    for seat, action in ((0, Play("44")), (1, Pass()), (2, Pass())):
        state = play(rules, state, seat, action).state
    view = rules.observe(state, 1)
    assert view.bottom == "34A"
    # Of the bottom cards the four may be among those played: three and ace are in the landlord's hand.
    unseen = dict(zip(PACK.names, view.unseen, strict=True))
    assert (unseen["3"], unseen["4"], unseen["A"], unseen["7"], unseen["5"]) == (3, 2, 3, 4, 3)
    for seed in range(10):
        dream = rules.imagine(view, Stream.of_seed(seed))
        assert {"3", "A"} <= set(dream.texts.hands[0])
        assert rules.observe(dream, 1) == view
    want, cards = hidden(view, public_table(Options(), view))
    assert want == [3, 0, 4]
    assert len(cards) == sum(view.unseen)
    mine = rules.observe(state, 0)
    assert dict(zip(PACK.names, mine.unseen, strict=True))["3"] == 2


def test_imagined_deals_are_whole_and_differ() -> None:
    rules, state = dealt(4)
    view = rules.observe(state, 0)
    dreams = [rules.imagine(view, Stream.of_seed(seed)) for seed in range(8)]
    for dream in dreams:
        counts = [sum(dream.hands[card :: t.CARDS]) + dream.bottom[card] for card in range(t.CARDS)]
        assert tuple(counts) == PACK.copies
        assert rules.observe(dream, 0) == view
    assert len({dream.texts.hands for dream in dreams}) == 8


def test_a_call_to_be_beaten_is_imagined_with_its_caller() -> None:
    rules, state = dealt(5)
    state = play(rules, play(rules, state, 0, Bid(1)).state, 1, NoBid()).state
    dream = rules.imagine(rules.observe(state, 2), Stream.of_seed(1))
    after = play(rules, dream, 2, NoBid()).state
    assert rules.observe(after, None).landlord == 0


def test_the_cards_as_they_were_dealt_are_secret_and_nothing_else_is() -> None:
    rules = Doudizhu()
    state = rules.start()
    deal = rules.chance(state, Stream.of_seed(1))
    assert secret(state, NATURE, deal)
    assert not any(secret(state, 0, action) for action in (Bid(1), NoBid(), Pass(), Play("3")))


def test_sets_on_the_table_keep_what_they_were_read_as() -> None:
    rules = Doudizhu()
    setup = {"landlord": 0, "bid": 1}
    state = rules.place(["333444555789QQ", "444555666333KK", "6789TJJ"], setup=setup)
    plane = "333444555666"  # alone it is a plane of four, on a plane with single cards it is one too (R12)
    for seat, cards in ((0, "333444555789"), (1, plane)):
        state = play(rules, state, seat, Play(cards)).state
    forms = [("333444555789", Form("plane_ones", "3", 3)), (plane, Form("plane_ones", "4", 3))]
    view = rules.observe(state, 2)
    assert [(made.cards, made.form) for made in view.trick] == forms
    assert view.form == view.trick[-1].form
    for seat in (2, 0):
        state = play(rules, state, seat, Pass()).state
    view = rules.observe(state, 2)
    assert view.trick == ()
    assert [(made.cards, made.form) for made in view.last] == forms


def test_when_it_is_over_all_is_shown() -> None:
    rules = Doudizhu()
    state = rules.place(["3", "45", "xX"], "", setup={"landlord": 0, "bid": 1})
    state = play(rules, state, 0, Play("3")).state
    view = rules.observe(state, None)
    assert [(hand.seat, hand.cards) for hand in view.shown] == [(1, "45"), (2, "xX")]
    assert view.unseen == (0,) * t.CARDS
    assert view.spring
    assert rules.observe(rules.imagine(view, Stream.of_seed(1)), None) == view
