"""Polls 舆论调查 (platform P-81): a question to the hall or to a club, one vote each, the result for who has voted."""
