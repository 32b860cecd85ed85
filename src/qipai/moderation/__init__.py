"""Keeping the order: reports, the moderators' queue, what they do about it, and the record of all of it."""
