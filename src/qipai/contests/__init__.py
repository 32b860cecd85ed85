"""Contests: tournaments, team matches, stairs, ponds."""
