"""The rules of gouji as kernels (`core.kernel`): legality, comparison, order of play, scoring.

`table` the buffers, `sets` what beats what, `flow` what follows, `tribute`, `play` the moves of a whole deal.
"""
