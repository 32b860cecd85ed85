-- Analyses of finished games, one a game, made again when the game's analysis has a newer edition. What waits here when
-- the hall stops is gone through after the next start.
CREATE TABLE analyses (
    id TEXT PRIMARY KEY,  -- of the game
    game TEXT NOT NULL,  -- which it is: xiangqi, …
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
    edition INTEGER NOT NULL DEFAULT 0,  -- of `found`, 0: there is none
    asked INTEGER NOT NULL,  -- ms
    by INTEGER,  -- who asked first; null: nobody, the hall had time
    tries INTEGER NOT NULL DEFAULT 0,  -- begun and not finished
    found BLOB  -- the analysis, JSON, compressed
) STRICT;

CREATE INDEX analyses_waiting ON analyses (by IS NULL, asked) WHERE state = 'waiting';
CREATE INDEX analyses_waiting_by ON analyses (by) WHERE state = 'waiting';

-- What an analysis says of each person in its game. Numbers are in the analysis' unit.
CREATE TABLE skills (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    at INTEGER NOT NULL,  -- of the game's end, seconds
    id TEXT NOT NULL,  -- of the game
    unit TEXT NOT NULL,
    decisions INTEGER NOT NULL,
    loss REAL NOT NULL,  -- the mean of a decision
    accuracy REAL,  -- percent
    result REAL,
    skill REAL,
    error REAL,  -- of `skill`
    luck REAL,
    dealt REAL,
    PRIMARY KEY (user, game, at, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX skills_of ON skills (id);
