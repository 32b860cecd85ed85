"""Deals in numbers: every word is a legal action, every legal action has a word, numbers are those of the view."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import islice, pairwise
from typing import Any

import pytest

from qipai import games
from qipai.core.arrays import DONE, WAIT
from qipai.core.contract import NATURE
from qipai.research.deal import Deal, Kind, NotOffered, WrongToken

GAMES = [name for name in games.names() if games.find(name).arrays is not None]


class Watched:
    """Rules that check whatever is applied."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.acted: list[tuple[int, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def apply(self, state: Any, seat: int, action: Any) -> Any:
        assert self.rules.refuse(state, seat, action) is None, (seat, action)
        if seat != NATURE:
            self.acted.append((seat, action))
        return self.rules.apply(state, seat, action)


def watched(game: str, seed: int, **more: Any) -> tuple[Deal, Watched]:
    kind: Any = Kind(game, **more)
    kind.rules = rules = Watched(kind.rules)
    return Deal(kind, seed), rules


def test_all_seven_games_and_the_example_are_offered() -> None:
    assert len(GAMES) == 8


@pytest.mark.parametrize("game", GAMES)
def test_random_tokens_play_legal_deals_to_their_end(game: str) -> None:
    luck, asked = random.Random(game), 0
    for seed in range(3):
        deal, rules = watched(game, seed)
        while deal.seat is not None:
            legal = deal.legal()
            assert legal, "whoever is asked has an answer"
            mask = deal.mask()
            assert [i for i, may in enumerate(mask) if may] == legal
            if asked % 7 == 0:
                for seat in range(deal.kind.seats):
                    assert len(deal.observe(seat)) == deal.kind.size
            asked += 1
            deal.step(luck.choice(legal))
        assert deal.outcome is not None
        assert rules.acted
        assert deal.legal() == []
        with pytest.raises(WrongToken):
            deal.step(0)


def spelled(deal: Deal, most: int) -> set[tuple[str, ...]] | None:
    """Return all words that may be spelled here; None where they are more than so many."""
    found: set[tuple[str, ...]] = set()
    waiting = [deal]
    while waiting:
        now = waiting.pop()
        for token in now.legal():
            after = now.copy()
            before, word = len(rules_of(after).acted), (*now.word, now.kind.tokens[token])
            after.step(token)
            if len(rules_of(after).acted) > before:
                found.add(word)
            elif word != (WAIT,):
                waiting.append(after)
            if len(found) > most:
                return None
    return found


def rules_of(deal: Any) -> Watched:
    rules: Watched = deal.rules
    return rules


@pytest.mark.parametrize("game", GAMES)
def test_words_are_exactly_the_legal_actions(game: str) -> None:
    luck, compared = random.Random(game + "words"), 0
    for seed in range(12):
        deal, _ = watched(game, seed, **({"options": {"decks": 1}} if game == "shengji" else {}))
        asked = 0
        while deal.seat is not None and asked < 400:
            asked += 1
            if not deal.word and luck.random() < 0.08:
                actions = list(islice(deal.rules.legal(deal.state, deal.seat), 121))
                if len(actions) <= 120:
                    words = {tuple(deal.kind.arrays.spell(action)) for action in actions}
                    assert len(words) == len(actions), "no two actions have one word"
                    assert spelled(deal, 200) == words, (deal.seat, actions[:3])
                    compared += 1
            deal.step(luck.choice(deal.legal()))
        if compared > 40:
            return
    assert compared > 5


def test_no_word_begins_another() -> None:
    """Else a word could be taken for whole too early."""
    luck = random.Random(3)
    for game in GAMES:
        deal, _ = watched(game, 1)
        for _ in range(60):
            if deal.seat is None:
                break
            actions = list(islice(deal.rules.legal(deal.state, deal.seat), 300))
            words = {tuple(deal.kind.arrays.spell(action)) for action in actions}
            assert not any(word[:n] in words for word in words for n in range(1, len(word)))
            deal.step(luck.choice(deal.legal()))


def test_a_kitty_and_a_lead_of_millions_are_spelled_without_a_list() -> None:
    deal, rules = watched("shengji", 2, options={"decks": 2})
    luck, kitties, leads = random.Random(4), 0, 0
    while deal.seat is not None:
        before = len(rules.acted)
        deal.step(luck.choice(deal.legal()))
        if len(rules.acted) > before:
            action = rules.acted[-1][1]
            kitties += type(action).__name__ == "Bury"
            leads += type(action).__name__ == "Play" and len(action.cards) > 1
    assert kitties == 1
    assert leads


def test_a_kitty_of_few_points_stays_within_its_limit() -> None:
    kind: Any
    kind, buried = Kind("shengji", {"decks": 2, "kitty_points_limit": 5}), 0
    kind.rules = rules = Watched(kind.rules)
    for seed in range(6):
        deal, luck = Deal(kind, seed), random.Random(seed)
        while deal.seat is not None and not any(type(action).__name__ == "Bury" for _, action in rules.acted):
            deal.step(luck.choice(deal.legal()))
        (kitty,) = [action for _, action in rules.acted if type(action).__name__ == "Bury"]
        points = {"5": 5, "T": 10, "K": 10}
        assert sum(points.get(card[0], 0) for card in kitty.cards) <= 5
        buried += 1
        rules.acted.clear()
    assert buried == 6


def test_the_same_seed_is_the_same_deal_and_another_another() -> None:
    def course(seed: int) -> list[list[int | float]]:
        seen: list[list[int | float]] = []
        deal, luck = Deal(Kind("mahjong"), seed), random.Random(1)
        while deal.seat is not None and len(seen) < 60:
            seen.append(deal.observe(deal.seat))
            deal.step(luck.choice(deal.legal()))
        return seen

    assert course(1) == course(1) != course(2)


@pytest.mark.parametrize("game", GAMES)
def test_what_others_hold_does_not_change_what_a_seat_is_shown(game: str) -> None:
    """The numbers come from the view; a state imagined from it shows the same."""
    from qipai.core.rng import Stream

    deal, luck = Deal(Kind(game), 5), random.Random(game)
    for _ in range(120):
        if deal.seat is None:
            break
        view = deal.rules.observe(deal.state, deal.seat)
        other = deal.rules.imagine(view, Stream.of_seed(luck.randrange(1000)))
        assert deal.kind.numbers(deal.rules.observe(other, deal.seat)) == deal.kind.numbers(view)
        deal.step(luck.choice(deal.legal()))


def test_phases_are_told_whatever_they_are_called() -> None:
    for game in GAMES:
        kind = Kind(game)
        at = next((at for at, _, name, _ in kind.legend() if name == "phase"), None)
        if at is None:
            continue
        size = next(size for _, size, name, _ in kind.legend() if name == "phase")
        for seed in range(4):
            deal, luck = Deal(kind, seed), random.Random(seed)
            while deal.seat is not None:
                assert sum(deal.observe(deal.seat)[at : at + size]) == 1, (
                    game,
                    deal.rules.observe(deal.state, deal.seat),
                )
                deal.step(luck.choice(deal.legal()))


@pytest.mark.parametrize("game", ["gouji", "shengji"])
def test_copies_go_their_own_ways(game: str) -> None:
    deal, luck = Deal(Kind(game), 3), random.Random(1)
    for _ in range(90):
        deal.step(luck.choice(deal.legal()))
    for other in (copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))):
        assert other.legal() == deal.legal()
        here, there = deal.copy(), other
        one, two = random.Random(2), random.Random(2)
        while here.seat is not None and there.seat is not None:
            assert here.observe(here.seat) == there.observe(there.seat)
            here.step(one.choice(here.legal()))
            there.step(two.choice(there.legal()))
        assert here.outcome == there.outcome is not None
    assert deal.outcome is None


def test_dice_by_hand_are_listed_with_their_chances() -> None:
    deal = Deal(Kind("backgammon"), 0, by_hand=True)
    chances = deal.chances()
    assert chances is not None
    assert len(chances) == 36  # of the opening, doubles among them (R28)
    assert sum(chance for _, chance, _ in chances) == pytest.approx(1)
    deal.happen(chances[1][2])
    assert deal.seat is not None
    assert deal.chances() is None


def test_what_is_not_offered_is_said() -> None:
    for words in (("chess",), ("gouji", None, 5), ("gouji", {"nonsense": 1})):
        with pytest.raises(NotOffered):
            Kind(*words)
    deal = Deal(Kind("gouji"), 1)
    with pytest.raises(WrongToken, match="may not come here"):
        deal.step(deal.kind.number[DONE])
    with pytest.raises(WrongToken):
        deal.step(10_000)
    assert deal.word == ()


def test_the_legend_covers_all_numbers() -> None:
    for game in GAMES:
        kind = Kind(game)
        rows = kind.legend()
        assert rows[0][0] == 0
        assert all(at + size == after for (at, size, _, _), (after, _, _, _) in pairwise(rows))
        assert rows[-1][0] + rows[-1][1] == kind.size
        assert len(set(kind.tokens)) == len(kind.tokens)
