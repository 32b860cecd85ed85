"""A slow, obvious twin of the kernel: section 4 of the spec word by word, hands as sorted lists of characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

ORDER = "3456789TJQKA2xX"
LINE = {"A": 2, "K": 2, "Q": 3, "J": 4, "T": 5}


def sort(cards: Sequence[str]) -> str:
    return "".join(sorted(cards, key=ORDER.index))


def base(cards: str) -> str:
    return sort(cards)[0]


def is_set(cards: str) -> bool:
    return bool(cards) and len({card for card in cards if card not in "2xX"}) <= 1


def strength(cards: str) -> list[int]:
    rank = base(cards)
    return sorted((ORDER.index(rank if card == "2" and rank not in "2xX" else card) for card in cards), reverse=True)


def beats(cards: str, over: str) -> bool:
    return len(cards) == len(over) and all(a > b for a, b in zip(strength(cards), strength(over), strict=True))


def gouji(cards: str) -> bool:
    rank = base(cards)
    if rank in "2xX" or any(card in "xX" for card in cards):
        return True
    return len(cards) >= LINE.get(rank, 99)


def all_sets(hand: str) -> list[str]:
    """All sets of a hand, in canonical order."""
    found = set()
    twos, smalls, bigs = (hand.count(card) for card in "2xX")
    for rank in {*hand} - {*"2xX"} | {""}:
        for n in range(1, hand.count(rank) + 1) if rank else [0]:
            for t, s, b in product(range(twos + 1), range(smalls + 1), range(bigs + 1)):
                if n + t + s + b:
                    found.add(rank * n + "2" * t + "x" * s + "X" * b)
    return sorted(found, key=lambda cards: (len(cards), [ORDER.index(card) for card in cards]))


def without(hand: str, cards: str) -> str:
    for card in cards:
        hand = hand.replace(card, "", 1)
    return hand


def carries(hand: str) -> bool:
    """The condition of 4.5 in its first wording: a split into sets with a joker each, but for the last."""
    points = {card for card in hand if card not in "2xX"}
    jokers = sum(card in "xX" for card in hand)
    # Each point needs a set of its own, and all but one of these sets a joker.
    return jokers >= len(points) - 1


class Deal:
    """One deal, as the spec tells it."""

    def __init__(self, hands: Sequence[str], leader: int, **options: Any) -> None:
        self.hands = [sort(hand) for hand in hands]
        self.out: list[int] = []
        self.fell: list[int] = []
        self.bound: dict[int, int] = {}
        self.tangle = False
        self.options = {"burn_own_side": True, "end_when_decided": False, "keep_three": False, **options}
        self.clear()
        self.order: list[int] | None = None
        self.scores: list[int] | None = None
        self.last: int | None = None
        self.give_lead(leader)

    def clear(self) -> None:
        self.top: str | None = None
        self.owner = -1
        self.passed: set[int] = set()
        self.wind: int | None = None
        self.suspended = self.dead_top = self.dead_answer = self.restricted = False

    def live(self, seat: int) -> bool:
        return seat not in self.out and seat not in self.fell

    def after(self, seat: int) -> int:
        while True:
            seat = (seat + 1) % 6
            if self.live(seat):
                return seat

    def headless(self, seat: int) -> bool:
        return self.live(seat) and not self.live((seat + 3) % 6)

    # what may be done

    def plays(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        listed = all_sets(hand)
        if self.top is not None:
            listed = [cards for cards in listed if beats(cards, self.top)]
        if seat in self.bound:
            listed = [cards for cards in listed if "x" in cards or "X" in cards or cards == hand]
        if self.options["keep_three"]:
            listed = [cards for cards in listed if "3" not in cards or not {*without(hand, cards)} - {"3"}]
        return listed

    def may_wind(self, seat: int) -> bool:
        return not self.live(self.owner) and not self.restricted and self.wind is None and seat not in self.passed

    def legal(self) -> list[str]:
        if self.phase == "burn":
            return ["burn", "no_burn"]
        listed = [f"play:{cards}" for cards in self.plays(self.turn[0])]
        if self.phase in ("answer", "close"):
            listed.append("pass" if self.phase == "answer" else "close")
            if self.may_wind(self.turn[0]):
                listed.append("wind")
        return listed

    # what is done

    def act(self, text: str) -> None:
        seat = self.turn[0]
        if text.startswith("play:"):
            if self.phase == "burn_play":
                self.bound[seat] = self.owner
            self.put(seat, text[5:])
        elif text == "close":
            self.end_trick()
        elif text in ("pass", "wind"):
            if text == "wind":
                self.wind = seat
            self.passed.add(seat)
            self.who_answers(seat)
        else:
            self.answers[seat] = text == "burn"
            self.resolve()

    def put(self, seat: int, cards: str) -> None:
        self.hands[seat] = without(self.hands[seat], cards)
        self.dead_answer = self.dead_top and seat == (self.owner + 3) % 6
        self.dead_top = False
        self.top, self.owner, self.wind = cards, seat, None
        self.passed.discard(seat)
        high = gouji(cards) and not self.tangle
        if not self.hands[seat]:
            self.out.append(seat)
            self.last = seat
            self.bound.pop(seat, None)
            if self.over():
                return
            if high and len(self.out) <= 2 and self.live((seat + 3) % 6):
                self.dead_top = True
            if len(self.out) >= 2 and not self.tangle:
                if self.dead_top or self.dead_answer or self.suspended:
                    self.suspended = True
                else:
                    self.tangle, self.bound = True, {}
        self.restricted = not self.tangle and gouji(cards) and (self.live((seat + 3) % 6) or self.dead_answer)
        self.answers: dict[int, bool | None] = {}
        if self.restricted:
            for step in (1, 2, 4, 5):
                other = (seat + step) % 6
                if not self.live(other) or other in self.passed or self.headless(other):
                    continue
                if step % 2 == 0 and not self.options["burn_own_side"]:
                    continue
                hand = self.hands[other]
                first = [one for one in all_sets(hand) if beats(one, cards) and carries(without(hand, one))]
                if other in self.bound:
                    first = [one for one in first if "x" in one or "X" in one or one == hand]
                if first:
                    self.answers[other] = None
        self.resolve()

    def resolve(self) -> None:
        for seat, answer in self.answers.items():
            if answer is None:
                self.phase = "burn"
                self.turn = [other for other, said in self.answers.items() if said is None]
                return
            if answer:
                self.phase, self.turn = "burn_play", [seat]
                return
        self.who_answers(self.owner)

    def who_answers(self, pointer: int) -> None:
        closer = (self.owner + 3) % 6
        regular = []
        for step in range(1, 6):
            seat = (pointer + step) % 6
            if seat == self.owner:
                break
            if not self.live(seat) or seat in self.passed:
                continue
            if self.restricted and seat != closer and not self.headless(seat):
                continue
            regular.append(seat)
        if regular:
            self.turn = regular[:1]
            self.phase = "close" if regular == [closer] else "answer"
        elif self.live(closer) and closer in self.passed and self.wind != closer:
            self.turn, self.phase = [closer], "close"
        else:
            self.end_trick()

    def end_trick(self) -> None:
        leader = self.owner
        if not self.live(leader):
            leader = self.wind if self.wind is not None else self.after(leader)
        self.clear()
        if len(self.out) >= 2 and not self.tangle:
            self.tangle, self.bound = True, {}
        self.give_lead(leader)

    def give_lead(self, leader: int) -> None:
        while leader in self.bound and not carries(self.hands[leader]):
            burned = self.bound.pop(leader)
            self.fell.append(leader)
            self.last = leader
            self.hands[leader] = ""
            if self.over():
                return
            leader = burned if self.live(burned) else self.after(burned)
        self.phase, self.turn = "lead", [leader]

    def over(self) -> bool:
        left = [seat for seat in range(6) if self.live(seat)]
        decided = self.options["end_when_decided"] and len({seat % 2 for seat in left}) == 1
        if len(left) > 1 and not decided:
            return False
        assert self.last is not None
        left.sort(key=lambda seat: (seat - self.last - 1) % 6)  # type: ignore[operator]
        self.order = self.out + left + self.fell[::-1]
        points = dict(zip(self.order, (4, 2, 0, 0, -2, -4), strict=True))
        sums = [sum(points[seat] for seat in range(side, 6, 2)) for side in (0, 1)]
        if len({seat % 2 for seat in self.order[:3]}) == 1:
            sums = [2 * total for total in sums]
        self.scores = [sums[seat % 2] for seat in range(6)]
        self.phase, self.turn = "over", []
        return True
