"""One row of weights for the sound player: what sets cost a hand, and what speaks for a play, in hundredths of a lead.

A low set costs one lead, 100: it beats nothing, so it must be led. A high set has a negative cost: it is played on
another seat's lead and wins the next lead. The weights began with the strength of the ranks and were fitted by
self-play (`python -m qipai.games.doudizhu.bots.fit`); doudizhu 14 says how well a player does with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Final, Generic, NamedTuple, TypeVar

__all__ = ["AT", "FITTED", "ROW", "SIZE", "Weights"]

Part = TypeVar("Part")


class Weights(NamedTuple, Generic[Part]):
    """The parts of the row in order: the weights of each part (`FITTED`), or where each begins (`AT`)."""

    # what it costs to get rid of a set
    single: Part  # by the index of its card, 3 ... X
    pair: Part  # by rank, 3 ... 2; the next two likewise
    triple: Part
    bomb: Part
    rocket: Part
    straight: Part  # a run, by its highest rank, 3 ... A; the next two likewise
    pairs: Part
    plane: Part
    # leads won, and leads given to others
    next_lead: Part  # what the next lead is worth
    partner_leads: Part  # what the next lead is worth when a partner gets it
    nearly_out: Part  # for a set that will probably stand and leaves two cards or fewer
    calls: Part  # the most that the plan of a hand may cost for a call of 1, 2, 3
    hurry: Part  # the cost of passing on an enemy's set, by the cards that the enemy has left: 0 ... 5
    # how much each way to beat a set lowers the chance that it stands
    doubt_single: Part
    doubt_pair: Part
    doubt_more: Part
    # bonuses and penalties of a set
    length: Part  # for each card of a set that is led
    keep_bomb: Part  # against leading a bomb
    partner_few: Part  # for passing on the set of a partner who has two cards or fewer
    block: Part  # against leading a set that an enemy's last one or two cards may beat; BLOCK_RANK less for each rank
    block_rank: Part
    bomb_home: Part  # for a bomb that leaves a single set
    sure: Part  # for leading an unbeatable set when the plan has at most one set that can be beaten


FITTED: Final[Weights[tuple[int, ...]]] = Weights(
    single=(100, 100, 98, 96, 94, 92, 88, 82, 74, 64, 48, 20, -20, -50, -90),
    pair=(100, 98, 96, 94, 90, 86, 78, 69, 66, 52, 34, 0, -54),
    triple=(90, 86, 82, 78, 74, 70, 64, 58, 50, 40, 26, 0, -30),
    bomb=(-100, -102, -104, -106, -108, -110, -112, -131, -116, -118, -120, -124, -130),
    rocket=(-160,),
    straight=(90, 90, 90, 90, 90, 84, 77, 70, 62, 54, 45, 30),
    pairs=(80, 80, 80, 74, 68, 62, 56, 50, 44, 36, 28, 20),
    plane=(64, 64, 58, 52, 46, 40, 34, 28, 22, 16, 10, 0),
    next_lead=(100,),
    partner_leads=(60,),
    nearly_out=(100,),
    calls=(420, 330, 250),
    hurry=(0, 500, 200, 60, 70, 40),
    doubt_single=(35,),
    doubt_pair=(60,),
    doubt_more=(40,),
    length=(6,),
    keep_bomb=(200,),
    partner_few=(495,),
    block=(436,),
    block_rank=(20,),
    bomb_home=(60,),
    sure=(484,),
)
ROW: Final = tuple(weight for part in FITTED for weight in part)
SIZE: Final = len(ROW)


def _begins(parts: Iterable[tuple[int, ...]]) -> Weights[int]:
    """Return where in the row each part begins."""
    *places, _ = accumulate(map(len, parts), initial=0)
    return Weights._make(places)


AT: Final = _begins(FITTED)
SINGLE: Final = AT.single
PAIR: Final = AT.pair
TRIPLE: Final = AT.triple
BOMB: Final = AT.bomb
ROCKET: Final = AT.rocket
STRAIGHT: Final = AT.straight
PAIRS: Final = AT.pairs
PLANE: Final = AT.plane
NEXT_LEAD: Final = AT.next_lead
PARTNER_LEADS: Final = AT.partner_leads
NEARLY_OUT: Final = AT.nearly_out
CALLS: Final = AT.calls
HURRY: Final = AT.hurry
DOUBT_SINGLE: Final = AT.doubt_single
DOUBT_PAIR: Final = AT.doubt_pair
DOUBT_MORE: Final = AT.doubt_more
LENGTH: Final = AT.length
KEEP_BOMB: Final = AT.keep_bomb
PARTNER_FEW: Final = AT.partner_few
BLOCK: Final = AT.block
BLOCK_RANK: Final = AT.block_rank
BOMB_HOME: Final = AT.bomb_home
SURE: Final = AT.sure
