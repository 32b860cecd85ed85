-- What has happened for somebody: written in the transaction of what it tells of, told after it. Ordinary rows (X5).
CREATE TABLE notices (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    kind TEXT NOT NULL,
    path TEXT NOT NULL,  -- the page that it leads to
    facts TEXT NOT NULL,  -- JSON, for its sentence
    key TEXT,  -- of what is told once
    told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
    read INTEGER NOT NULL DEFAULT 0 CHECK (read IN (0, 1))
) STRICT;

CREATE INDEX notices_of ON notices (user, id);
CREATE INDEX notices_news ON notices (user, id) WHERE kind NOT IN ('mail', 'turn');
CREATE INDEX notices_of_kind ON notices (user, kind, id);
CREATE INDEX notices_unread ON notices (user) WHERE read = 0;
CREATE INDEX notices_unread_news ON notices (user) WHERE read = 0 AND kind NOT IN ('mail', 'turn');
CREATE INDEX notices_untold ON notices (id) WHERE told = 0;
CREATE UNIQUE INDEX notices_once ON notices (user, key) WHERE key IS NOT NULL;
