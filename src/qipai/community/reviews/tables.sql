-- A shared look at a finished game (P-90). Ordinary rows (X5): the record of the game is never touched.
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,  -- of its link
    game TEXT NOT NULL,  -- the id of the game
    at INTEGER NOT NULL,  -- seconds
    owner INTEGER,  -- null: they have deleted their account
    leader INTEGER,
    led_at INTEGER NOT NULL,  -- when the leader was last seen, seconds
    line INTEGER NOT NULL DEFAULT 0,  -- where they look: 0 is the record, else a line of review_lines
    n INTEGER NOT NULL DEFAULT 0,  -- after so many actions
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX reviews_once ON reviews (owner, cid) WHERE cid IS NOT NULL;
CREATE INDEX reviews_of_game ON reviews (game, id);
CREATE INDEX reviews_of_leader ON reviews (leader);

-- What else might have been played: a tree beside the record.
CREATE TABLE review_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    review INTEGER NOT NULL,
    parent INTEGER NOT NULL,  -- 0: the record
    n INTEGER NOT NULL,  -- it leaves its parent after so many actions
    at INTEGER NOT NULL,
    author INTEGER,
    name TEXT NOT NULL,
    rows TEXT NOT NULL,  -- JSON: [[seat, action], …]
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1))  -- its name, by a moderator
) STRICT;

CREATE INDEX review_lines_of ON review_lines (review, id);
CREATE INDEX review_lines_by ON review_lines (author);

-- Who would like to lead.
CREATE TABLE review_asks (
    review INTEGER NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (review, user)
) STRICT, WITHOUT ROWID;

-- The talk beside it, each line at a moment of the game.
CREATE TABLE review_talk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    review INTEGER NOT NULL,
    at INTEGER NOT NULL,
    author INTEGER,
    line INTEGER NOT NULL,
    n INTEGER NOT NULL,
    text TEXT NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE INDEX review_talk_of ON review_talk (review, id);
CREATE INDEX review_talk_by ON review_talk (author);
CREATE UNIQUE INDEX review_talk_once ON review_talk (author, cid) WHERE cid IS NOT NULL;

-- step 2: a line that is a game with which somebody has gone on from the record (What if): `rows` are all of it, from the
-- beginning. And what a repeated request to try a move has done already.
ALTER TABLE review_lines ADD COLUMN branch TEXT;
CREATE INDEX review_lines_branch ON review_lines (branch) WHERE branch IS NOT NULL;

CREATE TABLE review_moves (
    author INTEGER NOT NULL,
    cid TEXT NOT NULL,
    line INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (author, cid)
) STRICT, WITHOUT ROWID;

-- step 3: a line that somebody is still playing from the record (What if), at a table: it has no rows until that is over.
ALTER TABLE review_lines ADD COLUMN tbl INTEGER;
CREATE INDEX review_lines_tbl ON review_lines (tbl) WHERE tbl IS NOT NULL;
