"""The players: `easy.py` and `steady.py`; a `strong.py` with a class `Strong` would be offered at once."""
