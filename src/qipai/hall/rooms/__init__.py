"""Rooms and people: lists, new tables, invitations, matchmaking, presence, balances, talk."""
