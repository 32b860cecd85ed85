"""A person at a dou dizhu table, the table at a moment of one's choosing, and the moments that are hard on its room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.e2e.cards import CardSitter
from tests.e2e.scene import Scene
from tests.e2e.states import Moment, played

from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Action, Bid, NoBid, Pass, Play, State

__all__ = ["WHOLE", "DoudizhuScene", "Sitter", "after", "moments", "went_out"]

RULES = Doudizhu()
HANDS = ("33445566778899TJQ", "345678TTJJQQKKA22", "456789TJQKKAAA22x")
BOTTOM = "39X"
# As long as a set can be that others answer: 15 cards of a peasant, 16 of a landlord.
FULL = (
    ("3334445556667788", ["plane_ones", "3", 4]),
    ("3456789TJQKA", ["straight", "3", 12]),
    ("777888999TTJJQQ", ["plane_pairs", "7", 3]),
)


# All that a landlord holds, in one set: a plane of eight ranks, and one of ten.
WHOLE = ("3334445556668899TTJJ", "33344455566677789TJQ")


def went_out(seat: int, cards: str) -> State:
    """Return a deal whose landlord has put all cards down at once; both peasants still hold all of theirs."""
    hands = ["3456789TJQKAA22xX", "789TTJJQQKKAA2Q89"]
    hands.insert(seat, cards)
    return after(RULES.place(hands, "3JQ", setup={"landlord": seat, "bid": 3}), (seat, Play(cards)))


class Sitter(CardSitter):
    """Somebody who plays by the hints, and calls `bids` (0: nothing) or the next that is higher."""

    bids = 3

    def special(self, buttons: dict[str, bool]) -> tuple[str, str] | None:
        if "no_bid" not in buttons:
            return None
        for n in range(self.bids, 4) if self.bids else ():
            if f"bid_{n}" in buttons:
                return f"bid_{n}", str(n)
        return "no_bid", "n"


class DoudizhuScene(Scene[Options]):
    """A table of dou dizhu at a moment of one's choosing."""

    game = "doudizhu"
    order = "3 4 5 6 7 8 9 T J Q K A 2 x X"


def after(state: State, *moves: tuple[int, Action], rules: Doudizhu = RULES) -> State:
    """Return the state after these moves, which must be allowed."""
    for seat, action in moves:
        refusal = rules.refuse(state, seat, action)
        assert refusal is None, (seat, action, refusal)
        state = rules.apply(state, seat, action).state
    return state


def moments() -> Iterator[Moment]:
    """Yield what a table of dou dizhu has to bear: calls, long sets, what doubles, and the end."""
    options = Options()
    dealt = RULES.place(HANDS, BOTTOM, 0)
    yield Moment("first call", RULES, dealt, options)
    called = after(RULES.place(HANDS, BOTTOM, 1), (1, Bid(1)), (2, NoBid()))
    yield Moment("call", RULES, called, options, bubbles=True)
    yield replace(Moment("call", RULES, called, options), name="call, watched", seat=None)
    lead = after(called, (0, Bid(3)))
    yield Moment("lead", RULES, lead, options)
    sets = [{"seat": seat, "cards": cards, "form": form} for seat, (cards, form) in enumerate(FULL)]
    crowd = {
        "trick": sets,
        "top": FULL[2][0],
        "form": FULL[2][1],
        "owner": 2,
        "counts": [20, 1, 2],
        "multiple": 96,
        "last": sets,
    }
    asked = after(lead, (0, Play("3")), (1, Pass()), (2, Play("4")))
    long = Moment("three long sets", RULES, asked, options, view=crowd, bubbles=True)
    yield long
    yield replace(long, name="three long sets, watched", seat=None)
    short = RULES.place(("3456789TJQKAA22xX", "55", "789TTJJQQKKA2"), "3AA", setup={"landlord": 1, "bid": 3})
    yield Moment("two left", RULES, short, options)
    # The sheet with the result, which is closed here, opens again only behind a table that plays.
    yield Moment("own plane of twenty", RULES, went_out(0, WHOLE[0]), options, before=".result .x")
    bombed = RULES.place(("33447777", "66665", "xX8"), "344", setup={"landlord": 0, "bid": 2})
    bombed = after(bombed, (0, Play("3")), (1, Play("6666")), (2, Pass()))
    yield Moment("bomb", RULES, bombed, options)
    yield Moment("plane of twenty", RULES, went_out(1, WHOLE[1]), options, before=".result .x")
    sprung = RULES.place(("34567", "89TJQ", "KA22X"), "367", setup={"landlord": 0, "bid": 3})
    yield Moment("spring", RULES, after(sprung, (0, Play("34567"))), options)
    rules, state, _ = played("doudizhu", None)
    yield Moment("over", rules, state, options)
