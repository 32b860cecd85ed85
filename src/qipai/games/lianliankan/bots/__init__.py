"""Players made of code, with eyes and hands: how long each takes, what it sees, how far it looks ahead."""

from qipai.games.lianliankan.bots.players import Casual, Easy, Sharp, Steady, Strong, pace

__all__ = ["Casual", "Easy", "Sharp", "Steady", "Strong", "pace"]
