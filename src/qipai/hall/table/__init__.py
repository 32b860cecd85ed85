"""The pure table: a table is its facts, folded; what it is told makes facts. No I/O, no other package of the hall."""
