"""Who you are: sign-up, sign-in, guests, tokens, settings."""
