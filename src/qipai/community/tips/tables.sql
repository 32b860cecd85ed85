-- Tips of this hall's own, and those that people suggest (P-86). Ordinary rows (X5).
CREATE TABLE tips (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,  -- seconds
    author INTEGER,  -- null: they have deleted their account
    zh TEXT NOT NULL,  -- "": in the other language alone
    en TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'declined', 'removed')),
    by INTEGER,  -- who took or declined it
    reason TEXT NOT NULL DEFAULT '',
    cid TEXT
) STRICT;

CREATE INDEX tips_by_state ON tips (state, id);
CREATE INDEX tips_of ON tips (author, id);
CREATE UNIQUE INDEX tips_once ON tips (author, cid) WHERE cid IS NOT NULL;
