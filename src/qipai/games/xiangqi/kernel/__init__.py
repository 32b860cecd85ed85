"""The rules proper of xiangqi, interpreted in the hall and compiled in searches: board, repetition, end of a game."""
