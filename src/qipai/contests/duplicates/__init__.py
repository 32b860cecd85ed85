"""Duplicates of the day (platform P-94, 同牌赛): everybody plays the same deal with the same bots."""
