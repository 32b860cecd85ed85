"""The rules proper of the whole family: one board, one generator of turns, a few branches where a variant differs."""
