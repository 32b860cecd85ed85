"""`qipai bench`: every figure as a ratio of one run."""
