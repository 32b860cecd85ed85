"""Positions, plays and whole matches as the world writes them (backgammon 11)."""
