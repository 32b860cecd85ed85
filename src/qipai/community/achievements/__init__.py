"""Achievements 成就 (platform P-13): a fold of the log, so that a new one is computed back over old games."""
