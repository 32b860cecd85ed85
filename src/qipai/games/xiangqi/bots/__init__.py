"""Bots of xiangqi: an alpha-beta search on the kernel at five levels."""

from qipai.games.xiangqi.bots.players import Casual, Easy, Sharp, Steady, Strong, warm

__all__ = ["Casual", "Easy", "Sharp", "Steady", "Strong", "warm"]
