"""The HTTP calls (platform 13.2). Importing this registers them all."""

from qipai.web.calls import (
    careers,
    community,
    contests,
    duplicates,
    lists,
    meet,
    mine,
    order,
    people,
    places,
    plain,
    ranks,
    shelf,
    teams,
    ties,
    wallet,
)

__all__ = [
    "careers",
    "community",
    "contests",
    "duplicates",
    "lists",
    "meet",
    "mine",
    "order",
    "people",
    "places",
    "plain",
    "ranks",
    "shelf",
    "teams",
    "ties",
    "wallet",
]
