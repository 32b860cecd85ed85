"""Players of backgammon and its variants: easy, steady, strong."""
