-- A projection of the log (`qipai rebuild`): how often somebody has done what, and what they have earned by it.
CREATE TABLE achievement_counts (
    user INTEGER NOT NULL,
    fact TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (user, fact)
) STRICT, WITHOUT ROWID;

CREATE TABLE achievements (
    user INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds, of the event by which it was earned
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE achievement_totals (id TEXT PRIMARY KEY, people INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- How far the log is folded, and by which set of achievements; another set begins at the first event again.
CREATE TABLE achievement_folds (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    edition TEXT NOT NULL,
    event INTEGER NOT NULL
) STRICT;

-- step 2: since when coins are paid for achievements, seconds; no row while they are not. What was earned before is not paid.
CREATE TABLE achievement_pay (one INTEGER PRIMARY KEY CHECK (one = 1), since INTEGER NOT NULL) STRICT;
