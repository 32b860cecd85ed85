-- Mails between two people, each once; the hall itself is number 0. Ordinary rows that can be erased (X5).
CREATE TABLE mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    one INTEGER NOT NULL,  -- of the two the smaller number
    two INTEGER NOT NULL,
    author INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    text TEXT NOT NULL,  -- "" where the hall writes
    kind TEXT,  -- what the hall writes: the kind and the facts of its sentence, the page it leads to
    facts TEXT,
    path TEXT,
    cid TEXT,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- by a moderator
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1, 2))  -- 1: `one` has deleted it, 2: `two` has; both: no row
) STRICT;

CREATE INDEX mails_between ON mails (one, two, id);
CREATE UNIQUE INDEX mails_of_command ON mails (author, cid);

-- A thread as one of the two sees it; both have a row from the first mail on.
CREATE TABLE mail_threads (
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    last INTEGER,  -- the newest mail that this side still has; null: none
    unread INTEGER NOT NULL DEFAULT 0,
    seen INTEGER NOT NULL DEFAULT 0,  -- mails up to this number have been read
    since INTEGER NOT NULL DEFAULT 0,  -- mails up to this number have been deleted by this side
    wrote INTEGER NOT NULL DEFAULT 0 CHECK (wrote IN (0, 1)),  -- whether `user` has written here: they may be answered
    PRIMARY KEY (user, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_threads_of ON mail_threads (user, last) WHERE last IS NOT NULL;
CREATE INDEX mail_threads_unread ON mail_threads (user, unread) WHERE unread > 0;
