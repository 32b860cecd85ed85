"""Clubs, 联谊会 (platform P-78): members with ranks, news, teams, challenges between the teams of two clubs."""
