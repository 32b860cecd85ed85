-- Problems (P-102). Those that come with the games are written here at the start, so that they have a rating each.
CREATE TABLE problems (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,  -- follows from the position (`core.problems`)
    game TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('shipped', 'position', 'mistake')),
    owner INTEGER,  -- whose position or whose mistake; null: nobody's, or they have deleted their account
    at INTEGER NOT NULL,  -- seconds
    state TEXT NOT NULL CHECK (state IN ('shown', 'own', 'removed')),  -- own: only its owner sees it
    title TEXT NOT NULL DEFAULT '',  -- what its author says of it
    body TEXT NOT NULL,  -- JSON of `core.problems.Problem`
    origin TEXT,  -- of a mistake: the game, and the row of its record
    r REAL NOT NULL,
    rd REAL NOT NULL,
    vol REAL NOT NULL,
    tried INTEGER NOT NULL DEFAULT 0,  -- people's first answers
    solved INTEGER NOT NULL DEFAULT 0,
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX problems_by_key ON problems (key) WHERE state != 'own';
CREATE UNIQUE INDEX problems_of_origin ON problems (owner, origin) WHERE origin IS NOT NULL;
CREATE INDEX problems_of_game ON problems (game, state, id);
CREATE INDEX problems_of ON problems (owner, id) WHERE owner IS NOT NULL;
CREATE UNIQUE INDEX problems_once ON problems (owner, cid) WHERE cid IS NOT NULL;

-- Somebody's first answer to a problem. The ratings before and after stand here, for a repetition after a kill.
CREATE TABLE problem_tries (
    user INTEGER NOT NULL,
    problem INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    solved INTEGER NOT NULL,  -- by the first answer
    later INTEGER NOT NULL DEFAULT 0,  -- solved by a later one
    rated INTEGER NOT NULL,
    before REAL,
    after REAL,
    cid TEXT,
    PRIMARY KEY (user, problem)
) STRICT, WITHOUT ROWID;

-- A person's rating at the problems of a game, and the days in a row on which they solved the day's problem.
CREATE TABLE problem_solvers (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    r REAL NOT NULL,
    rd REAL NOT NULL,
    vol REAL NOT NULL,
    tried INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    streak INTEGER NOT NULL DEFAULT 0,
    best INTEGER NOT NULL DEFAULT 0,
    last TEXT,  -- the last day on which they solved its problem
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;

-- Which problem is that of a day: written down when it is first asked for, so that it stays the same all day.
CREATE TABLE problem_days (
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    problem INTEGER NOT NULL,
    PRIMARY KEY (day, game)
) STRICT, WITHOUT ROWID;

-- step 2: problems of the hall's own games (decision 0075). found: 1 for those; their source is 'position', without an
-- owner, and nothing says of which game they are.
ALTER TABLE problems ADD COLUMN found INTEGER NOT NULL DEFAULT 0;

-- The games that were looked through, for some days; with what was found there as long as it waits to be shown.
CREATE TABLE problem_finds (
    game_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,  -- seconds
    body TEXT  -- JSON of `core.problems.Problem`; null: nothing, or it is shown, or somebody no longer agreed
) STRICT, WITHOUT ROWID;
