"""Self-play, matches between bots, and the workers bots think in; no hall needed."""
