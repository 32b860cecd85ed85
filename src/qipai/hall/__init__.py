"""The hall: the pure table, live tables, rooms and people, records, order. `hall.py` puts them together."""
