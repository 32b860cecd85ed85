-- Total score of a user in a game, and how the games ended; sums of `game.ended`, rebuilt from the log.
CREATE TABLE scores (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    score INTEGER NOT NULL DEFAULT 0,
    won INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    drawn INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;

CREATE TABLE credibility (user INTEGER PRIMARY KEY, value INTEGER NOT NULL) STRICT;

-- step 2: coins and hearts, passes, ratings, codes, membership; all of it folds of the log, made anew by `qipai rebuild`.

-- Double entry (P-49). Accounts are users by number, 0 the house, -1 the grants where coins are made.
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,  -- seconds since 1970
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    currency TEXT NOT NULL CHECK (currency IN ('coins', 'hearts')),
    amount INTEGER NOT NULL CHECK (amount > 0),
    reason TEXT NOT NULL,
    ref TEXT NOT NULL  -- the game, the code, the item
) STRICT;

CREATE INDEX transfers_from ON transfers (source, id);
CREATE INDEX transfers_to ON transfers (target, id);

-- The sums of the transfers, kept with them.
CREATE TABLE balances (
    account INTEGER NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0 OR account = -1),
    PRIMARY KEY (account, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE passes (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    pass INTEGER NOT NULL,
    highest INTEGER NOT NULL,
    points INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- of the last pass game, seconds
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX passes_of_game ON passes (game, pass DESC, points DESC);

CREATE TABLE ratings (
    user INTEGER NOT NULL,
    pool TEXT NOT NULL,
    shown INTEGER NOT NULL,
    sure INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- of the last rated game, seconds
    state TEXT NOT NULL,  -- JSON, exact
    PRIMARY KEY (user, pool)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_of_pool ON ratings (pool, shown DESC);
CREATE INDEX scores_of_game ON scores (game, score DESC);

CREATE TABLE codes (
    code TEXT PRIMARY KEY,
    coins INTEGER NOT NULL,
    hearts INTEGER NOT NULL,
    member_days INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    expires TEXT,  -- the last day it is good
    note TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    made_by INTEGER  -- null: at the terminal
) STRICT;

CREATE TABLE code_uses (
    code TEXT NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (code, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (user INTEGER PRIMARY KEY, level TEXT NOT NULL, until TEXT NOT NULL) STRICT;

-- step 3: who has deleted his account (P-96): lists name him no more, his lines stay, so that the sum does.
CREATE TABLE departed (user INTEGER PRIMARY KEY) STRICT;

-- step 4: of which game a line is, that a statement can be read game by game.
ALTER TABLE transfers ADD COLUMN game TEXT;
UPDATE transfers SET game = (
    SELECT json_extract(data, '$.game') FROM events WHERE stream = 'game:' || ref AND seq = 1
) WHERE reason IN ('game', 'record', 'reversal');
UPDATE transfers SET game = ref WHERE reason IN ('fine', 'reset_score');
UPDATE transfers SET game = substr(ref, 1, instr(ref, ' ') - 1) WHERE reason = 'month';
