"""The quick phrases of a table (platform P-22): keys of the language files, under `phrase.`."""

from __future__ import annotations

from typing import Final

__all__ = ["PHRASES"]

PHRASES: Final = (
    "hello",
    "good_luck",
    "nice",
    "well_played",
    "thanks",
    "sorry",
    "oops",
    "think",
    "hurry",
    "wait",
    "again",
    "good_game",
    "bye",
    # Emotes: a sign for a sentence.
    "like",
    "clap",
    "laugh",
    "wow",
    "sad",
    "puzzled",
    "tea",
    "party",
)
