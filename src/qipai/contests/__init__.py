"""Tournaments, team matches, stairs, ponds, passes."""
