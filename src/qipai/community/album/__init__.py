"""Albums 相册: pictures that people show to everybody, to their friends, or keep for themselves (platform P-8)."""
