"""Self-play, matches between bots, and the worker processes in which bots think; no hall needed."""
