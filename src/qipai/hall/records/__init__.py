"""Records of games that have ended: archive, replays, statistics, histories, and rebuilding from the log."""
