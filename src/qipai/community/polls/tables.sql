-- Polls and their votes (P-81). Ordinary rows (X5). How many votes an option has is kept, not counted.
CREATE TABLE polls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    author INTEGER,  -- NULL: they have deleted their account
    at INTEGER NOT NULL,  -- seconds
    closes INTEGER NOT NULL,  -- seconds; a vote in this one is in time
    question TEXT NOT NULL,
    who TEXT NOT NULL CHECK (who IN ('everybody', 'members', 'club')),
    club INTEGER CHECK ((club IS NULL) = (who <> 'club')),
    changeable INTEGER NOT NULL CHECK (changeable IN (0, 1)),
    voters INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX polls_of_command ON polls (author, cid);
CREATE INDEX polls_of_club ON polls (club, id) WHERE removed = 0;
CREATE INDEX polls_by_end ON polls (closes) WHERE removed = 0 AND club IS NULL;

CREATE TABLE poll_options (
    poll INTEGER NOT NULL REFERENCES polls (id),
    no INTEGER NOT NULL,
    text TEXT NOT NULL,
    votes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (poll, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE poll_votes (
    poll INTEGER NOT NULL REFERENCES polls (id),
    user INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    PRIMARY KEY (poll, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX poll_votes_of ON poll_votes (user, poll);
