"""Positions that people keep 局面: with a name, a note and a goal, for themselves or for all (platform P-74)."""
