"""Positions, plays and whole matches in the notations and files that other programs use (backgammon 11)."""
