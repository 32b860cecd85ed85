"""Tables at work: their inboxes and commits, those in memory, timers, turns of bots, recovery from the log."""
