"""Discussion boards (讨论板): threads, replies, quotes, essence, reading levels, favourites, search (platform P-80)."""
