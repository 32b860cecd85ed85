"""The rules of doudizhu as kernels (`core.kernel`): bidding, legality, comparison, order of play, scoring.

`table` the buffers, `sets` what is a set and what beats what, `flow` what follows a call or a set, `play` the moves
of a whole deal. For the players: `plan` which sets a hand falls into, `policy` how to choose, `search` imagined deals.
"""
