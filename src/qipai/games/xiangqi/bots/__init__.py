"""Bots of xiangqi: an alpha-beta search on the kernel at three levels."""

from qipai.games.xiangqi.bots.players import Easy, Steady, Strong, warm

__all__ = ["Easy", "Steady", "Strong", "warm"]
