"""What moderators look at: what surrounds a report, and results that look wrong."""
