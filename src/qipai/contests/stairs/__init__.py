"""Stairs 楼梯: members stand on steps and challenge each other; a win leads up, a loss down (platform P-70). Pure."""
