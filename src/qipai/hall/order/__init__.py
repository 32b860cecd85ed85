"""For moderators: the context of a report, and scans for results that look unfair."""
