"""Moderation: reports, the moderators' queue, rulings, and the record of all of it."""
