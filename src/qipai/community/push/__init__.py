"""Messages to people's devices by the push services of their browsers (platform P-5, P-76; RFC 8030, 8291, 8292)."""
