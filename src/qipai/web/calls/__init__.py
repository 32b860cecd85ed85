"""The HTTP calls (platform 13.2). Importing this registers them all."""

from qipai.web.calls import careers, contests, lists, meet, mine, order, people, places, ranks, shelf, ties, wallet

__all__ = [
    "careers",
    "contests",
    "lists",
    "meet",
    "mine",
    "order",
    "people",
    "places",
    "ranks",
    "shelf",
    "ties",
    "wallet",
]
