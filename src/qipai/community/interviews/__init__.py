"""Interviews 面谈 (platform P-84): an editor and a player, questions of everybody, answers, published with comments."""
