"""The pure table: a table is its events, folded; what it is told makes events. No I/O, no other package of the hall."""
