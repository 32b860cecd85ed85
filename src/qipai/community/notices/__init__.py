"""Notices: what has happened for somebody (platform P-12, P-76), kept, told at once, sent to where they are reached."""
