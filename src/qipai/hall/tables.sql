-- What the log says of each table, to find it by; a projection (`qipai rebuild`).
CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    room INTEGER NOT NULL,
    no INTEGER NOT NULL,
    game TEXT NOT NULL,
    made INTEGER NOT NULL,  -- by a person, not by the room
    state TEXT NOT NULL,
    key TEXT,  -- of a private table's link
    people TEXT NOT NULL  -- who sits here, as JSON
) STRICT;

CREATE UNIQUE INDEX tables_by_key ON tables (key) WHERE key IS NOT NULL;
CREATE INDEX tables_of_room ON tables (room) WHERE made = 1 AND state != 'closed';
CREATE INDEX tables_in_use ON tables (id) WHERE people != '[]' OR state = 'playing';

-- Which games were played where; a projection.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    tbl INTEGER NOT NULL,
    game TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;

CREATE INDEX games_of_table ON games (tbl);

-- When the hall was last alive: what lies between this and its next start is given back to the clocks (P-100).
CREATE TABLE marks (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;

-- step 2: how the games have ended (P-75): by the seat that was first alone, "shared" where several were; a projection.
CREATE TABLE ends (
    game TEXT NOT NULL,
    side TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, side)
) STRICT, WITHOUT ROWID;

-- step 3: invitations (P-66); a projection of the streams `invite:<id>`.
CREATE TABLE invites (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    guest INTEGER,  -- for whom; null: for anybody
    state TEXT NOT NULL CHECK (state IN ('open', 'taken', 'declined', 'withdrawn')),
    made_at INTEGER NOT NULL,  -- seconds
    until INTEGER NOT NULL,
    data TEXT NOT NULL,  -- JSON: all that was asked for
    tbl INTEGER  -- where it led
) STRICT;

CREATE INDEX invites_open ON invites (state, id);

-- step 4: who took part in which finished game (P-4, P-95); a projection of `game.ended`.
CREATE TABLE parts (
    user INTEGER NOT NULL,
    id TEXT NOT NULL,  -- of the game
    seat INTEGER NOT NULL,
    game TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    points INTEGER NOT NULL,  -- what the game gave, a leaver's penalty instead
    counted INTEGER NOT NULL,  -- in a room where something counts, and not void
    rating INTEGER,  -- with which he came, null: unrated
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX parts_of_user ON parts (user, at);
CREATE INDEX parts_of_game ON parts (id);
CREATE INDEX parts_by_age ON parts (game, at);

-- step 5: who came first to an invitation, who of two had the first seat, and how many facts it has.
ALTER TABLE invites ADD COLUMN seq INTEGER NOT NULL DEFAULT 1;
ALTER TABLE invites ADD COLUMN taker INTEGER;
ALTER TABLE invites ADD COLUMN first INTEGER;
