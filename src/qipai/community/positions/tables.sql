-- Positions that people keep (P-74). Ordinary rows (X5).
CREATE TABLE positions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,  -- seconds
    author INTEGER NOT NULL,
    game TEXT NOT NULL,
    variant TEXT,
    options TEXT NOT NULL,  -- JSON: those that differ from the default
    text TEXT NOT NULL,  -- as the game writes it
    name TEXT NOT NULL,
    note TEXT NOT NULL,
    goal TEXT NOT NULL,
    public INTEGER NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    cid TEXT
) STRICT;

CREATE INDEX positions_of ON positions (author, id);
CREATE INDEX positions_public ON positions (id) WHERE public AND NOT removed;
CREATE INDEX positions_of_game ON positions (game, id) WHERE public AND NOT removed;
CREATE UNIQUE INDEX positions_once ON positions (author, cid) WHERE cid IS NOT NULL;
