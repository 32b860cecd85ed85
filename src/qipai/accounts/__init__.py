"""Accounts: sign-up, sign-in, guests, tokens, settings."""
