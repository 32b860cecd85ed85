"""Games that have ended: their archive, replays, statistics and histories; what is made again from the log."""
