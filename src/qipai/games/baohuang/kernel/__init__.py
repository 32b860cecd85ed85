"""The rules of baohuang as kernels (`core.kernel`): the opening, legality, comparison, order of play, scoring.

`table` the buffers, `sets` what beats what, `score` places to points, `opening` the five questions before play,
`flow` what follows a set, `play` the moves of a whole deal.
"""
