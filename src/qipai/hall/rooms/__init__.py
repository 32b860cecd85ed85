"""Rooms and people: lists, new tables, invitations, matchmaking, who is where, what they may stake, what is said."""
