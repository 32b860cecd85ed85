"""A town whose contests are played on a clock that is moved by hand, with kills in between (platform P-66 to P-79)."""
