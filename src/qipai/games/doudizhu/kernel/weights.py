"""What sets are worth to a hand, and what the sound player makes of it, in hundredths of a lead: one row of weights.

A low set costs one lead, 100: nobody is beaten by it, so it must be led. A high set costs less than nothing: it goes
down on somebody else's lead and brings the next one. The weights began with the strength of the ranks and were
fitted by self-play (`python -m qipai.games.doudizhu.bots.fit`; doudizhu 14).
"""

from __future__ import annotations

from typing import Final

# where in the row each weight is
SINGLE: Final = 0  # to get rid of a card, by the index of its rank
PAIR: Final = 15  # a pair, by rank; so the next two
TRIPLE: Final = 28
BOMB: Final = 41
ROCKET: Final = 54
STRAIGHT: Final = 55  # a run, by its highest rank, 3 ... A; so the next two
PAIRS: Final = 67
PLANE: Final = 79
NEXT_LEAD: Final = 91  # what the next lead is worth
PARTNER_LEADS: Final = 92  # and when a partner gets it
NEARLY_OUT: Final = 93  # a set that will stand, after which two cards or fewer are left
CALLS: Final = 94  # what the plan of a hand may cost at most for a call of 1, 2, 3
HURRY: Final = 97  # what letting an enemy's set stand costs, by the cards it has left: 0 ... 5
DOUBT_SINGLE: Final = 103  # how much each card that is higher takes from the chance that a card stands
DOUBT_PAIR: Final = 104
DOUBT_MORE: Final = 105
LENGTH: Final = 106  # for each card of a set that is led
KEEP_BOMB: Final = 107  # against leading a bomb
PARTNER_FEW: Final = 108  # for letting the set of a partner stand who has two cards or fewer
BLOCK: Final = 109  # against leading a set that the enemy's last one or two cards may beat; less for each rank
BLOCK_RANK: Final = 110
BOMB_HOME: Final = 111  # for a bomb after which one set is left
SURE: Final = 112  # for leading sets that nothing beats when at most one other set is left
SIZE: Final = 113

FITTED: Final = (
    *(100, 100, 98, 96, 94, 92, 88, 82, 74, 64, 48, 20, -20, -50, -90),
    *(100, 98, 96, 94, 90, 86, 78, 69, 66, 52, 34, 0, -54),
    *(90, 86, 82, 78, 74, 70, 64, 58, 50, 40, 26, 0, -30),
    *(-100, -102, -104, -106, -108, -110, -112, -131, -116, -118, -120, -124, -130),
    *(-160,),
    *(90, 90, 90, 90, 90, 84, 77, 70, 62, 54, 45, 30),
    *(80, 80, 80, 74, 68, 62, 56, 50, 44, 36, 28, 20),
    *(64, 64, 58, 52, 46, 40, 34, 28, 22, 16, 10, 0),
    *(100, 60, 100),
    *(420, 330, 250),
    *(0, 500, 200, 60, 70, 40),
    *(35, 60, 40),
    *(6, 200, 495, 436, 20, 60, 484),
)
