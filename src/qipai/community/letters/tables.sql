-- Letters to be written and sent (community/queue.py): at most one of a kind to anybody. What stands in it is made when
-- it is sent, so that no link to a new password lies here, and news are told together.
CREATE TABLE letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('reset', 'news')),
    lang TEXT NOT NULL,  -- for whom has chosen none
    at INTEGER NOT NULL,  -- seconds
    tries INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL
) STRICT;

CREATE INDEX letters_due ON letters (next_at);
CREATE UNIQUE INDEX letters_to ON letters (user, kind);

-- Who gets news: by which link they stop them, up to which notice and when the last was sent.
CREATE TABLE letter_readers (
    user INTEGER PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    told INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER NOT NULL DEFAULT 0
) STRICT;
