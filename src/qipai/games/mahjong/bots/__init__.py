"""Players of mahjong."""
