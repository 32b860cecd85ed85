"""Bodies and answers of the calls behind the hall's pages, a module for each of `web.calls` (platform P-112)."""
