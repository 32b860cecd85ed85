"""`qipai bench`: measurements, every figure as a ratio of one run."""
