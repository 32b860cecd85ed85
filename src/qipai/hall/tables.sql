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

-- step 6: of each part all that its player is shown, for the halls of before, too.
DROP TABLE parts;
CREATE TABLE parts (
    user INTEGER NOT NULL,
    id TEXT NOT NULL,  -- of the game
    seat INTEGER NOT NULL,
    game TEXT NOT NULL,
    variant TEXT,
    at INTEGER NOT NULL,  -- of its end, seconds
    n INTEGER NOT NULL,  -- of the user's games, in the order of their ends
    points INTEGER NOT NULL,  -- what the game gave, a leaver's penalty instead
    counted INTEGER NOT NULL,  -- in a room where something counts, and not void
    sign INTEGER,  -- 1 won, -1 lost, 0 drawn (P-36); null: it was broken off
    score INTEGER,  -- what the room gave for it
    coins INTEGER,
    pool TEXT,  -- in which it was rated
    rating INTEGER,  -- with which he came, null: unrated
    shown INTEGER,  -- with which he went
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX parts_of_user ON parts (user, n);
CREATE INDEX parts_of_game ON parts (id);
CREATE INDEX parts_by_age ON parts (game, at);

INSERT OR IGNORE INTO parts
SELECT user, id, seat, game, variant, at, row_number() OVER (PARTITION BY user ORDER BY event),
    coalesce(score, points), why NOT IN ('void', 'stopped') AND trust IS NOT NULL,
    CASE WHEN why IN ('void', 'stopped') THEN NULL WHEN score IS NULL AND went IS NOT NULL THEN -1
        ELSE sign(coalesce(score, points)) END,
    score, coins, CASE WHEN shown IS NULL THEN NULL ELSE pool END, shown - change, shown
FROM (
    SELECT e.id AS event, e.at AS at, substr(e.stream, 6) AS id, s.key AS seat,
        json_extract(s.value, '$.user') AS user,
        json_extract(c.data, '$.game') AS game, json_extract(c.data, '$.variant') AS variant,
        json_extract(e.data, '$.why') AS why, json_extract(e.data, '$.pool') AS pool,
        json_extract(e.data, '$.points[' || s.key || ']') AS points,
        json_extract(e.data, '$.left."' || s.key || '"') AS went,
        json_extract(e.data, '$.paid[' || s.key || '].score') AS score,
        json_extract(e.data, '$.paid[' || s.key || '].coins') AS coins,
        json_extract(e.data, '$.paid[' || s.key || '].credibility') AS trust,
        json_extract(e.data, '$.paid[' || s.key || '].rating.shown') AS shown,
        json_extract(e.data, '$.paid[' || s.key || '].rating.change') AS change
    FROM events e JOIN events c ON c.stream = e.stream AND c.seq = 1, json_each(c.data, '$.seats') s
    WHERE e.type = 'game.ended' AND e.stream > 'game:' AND e.stream < 'game;'
) WHERE user IS NOT NULL;

-- step 7: how the games have ended, in the game's words (P-75); a projection. And the most who were ever here at once.
CREATE TABLE reasons (
    game TEXT NOT NULL,
    why TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, why)
) STRICT, WITHOUT ROWID;

CREATE TABLE peaks (name TEXT PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;

INSERT INTO reasons
SELECT g.game, json_extract(e.data, '$.why') AS why, count(*)
FROM events e JOIN games g ON e.stream = 'game:' || g.id
WHERE e.type = 'game.ended' AND e.stream > 'game:' AND e.stream < 'game;' AND why NOT IN ('void', 'stopped')
GROUP BY 1, 2;

-- step 8: what is known of a turn-based table while it sleeps, JSON (P-24); a projection. And when the hall was down, ms.
ALTER TABLE tables ADD COLUMN slow TEXT;
CREATE TABLE outages (since INTEGER NOT NULL, until INTEGER PRIMARY KEY) STRICT;

-- step 9: the hours of vacation that a user has had in a year (P-87); a projection of the stream `vacation`.
CREATE TABLE vacations (
    user INTEGER NOT NULL,
    year INTEGER NOT NULL,
    hours INTEGER NOT NULL,
    PRIMARY KEY (user, year)
) STRICT, WITHOUT ROWID;

-- step 10: a turn-based table that sleeps is known by its row alone, so it is found by who sits there, by its room, and by
-- when something is due; what is read at the start is in use and not turn-based.
ALTER TABLE tables ADD COLUMN one INTEGER AS (json_extract(people, '$[0]')) VIRTUAL;
ALTER TABLE tables ADD COLUMN two INTEGER AS (json_extract(people, '$[1]')) VIRTUAL;
ALTER TABLE tables ADD COLUMN soon INTEGER AS (json_extract(slow, '$.soon')) VIRTUAL;
ALTER TABLE tables ADD COLUMN idle INTEGER AS (json_extract(slow, '$.idle')) VIRTUAL;
CREATE INDEX slow_one ON tables (one) WHERE slow IS NOT NULL;
CREATE INDEX slow_two ON tables (two) WHERE slow IS NOT NULL;
CREATE INDEX slow_soon ON tables (soon) WHERE slow IS NOT NULL;
CREATE INDEX slow_idle ON tables (idle) WHERE slow IS NOT NULL;
CREATE INDEX slow_of_room ON tables (game, room, state) WHERE slow IS NOT NULL;
DROP INDEX tables_of_room;
CREATE INDEX tables_of_room ON tables (room, no) WHERE made = 1 AND state != 'closed';
DROP INDEX tables_in_use;
CREATE INDEX tables_in_use ON tables (id) WHERE slow IS NULL AND (people != '[]' OR state = 'playing');

-- step 11: games that people have brought from files of other programs (decision 0041); their own, no projection.
CREATE TABLE brought (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    game TEXT NOT NULL,
    found TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX brought_by ON brought (user, at, id);

-- step 12: who has played which board of the day, his first game of it (P-75); a projection.
CREATE TABLE dailies (
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    user INTEGER NOT NULL,
    id TEXT NOT NULL,  -- of the game
    begun INTEGER NOT NULL,  -- ms
    ms INTEGER,  -- how long it took; null: it is not finished
    PRIMARY KEY (game, day, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX dailies_by_game ON dailies (id);

-- step 13: which game of which contest a table is for: each has one table, whoever opens it, and however often.
ALTER TABLE tables ADD COLUMN contest TEXT;
CREATE UNIQUE INDEX tables_by_contest ON tables (contest) WHERE contest IS NOT NULL;
CREATE INDEX tables_of_contests ON tables (id) WHERE contest IS NOT NULL AND state != 'closed';

-- step 14: shared deals (P-94), a projection of the streams `board:<id>`; and which game was played of which.
CREATE TABLE boards (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,  -- whose it is: a contest's stream, and its name there
    commitment TEXT NOT NULL,
    opened INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE games ADD COLUMN board TEXT;
CREATE INDEX games_of_board ON games (board) WHERE board IS NOT NULL;

-- step 15: shared deals of rooms: whose which is; and who sat where in each game of one, what that came to, and what it is
-- worth beside the other tables' (P-94); a projection of `game.created`, `game.ended` and `board.opened`.
ALTER TABLE boards ADD COLUMN room INTEGER;
ALTER TABLE boards ADD COLUMN no INTEGER;
CREATE UNIQUE INDEX boards_of_room ON boards (room, no) WHERE room IS NOT NULL;

CREATE TABLE board_seats (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    board TEXT NOT NULL,
    user INTEGER,
    bot TEXT,  -- its level
    points INTEGER,  -- null: it goes on, or was broken off
    gone INTEGER NOT NULL DEFAULT 0,  -- they have left, and a bot has played on
    percent REAL,  -- matchpoints, once the board is opened; null where nothing is compared with it
    difference REAL,  -- from the average of the others
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_seats_of ON board_seats (board);
CREATE INDEX board_seats_by ON board_seats (user, board) WHERE user IS NOT NULL;

-- step 16: games that go on from a moment of another game (What if): after so many of its actions, who plays, at which
-- seat; root: the game at which the tree stands. Null in all others. And what people have made of their own, ordinary
-- rows, which are there as soon as one differs from what it begins as.
ALTER TABLE games ADD COLUMN origin TEXT;
ALTER TABLE games ADD COLUMN ply INTEGER;
ALTER TABLE games ADD COLUMN root TEXT;
ALTER TABLE games ADD COLUMN player INTEGER;
ALTER TABLE games ADD COLUMN seat INTEGER;
CREATE INDEX games_of_root ON games (root, begun_at) WHERE root IS NOT NULL;
CREATE INDEX games_grown_by ON games (player, begun_at) WHERE root IS NOT NULL;

CREATE TABLE branches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL DEFAULT '',
    who TEXT NOT NULL DEFAULT 'me' CHECK (who IN ('me', 'link', 'all')),
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- its name, by a moderator
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1))  -- deleted by its player
) STRICT;

-- step 17: how each game of somebody's ended, in the game's words; and what their page shows of them, each found by an
-- index: the days of a year, the win with the most points, the one whose end is rarest (P-4).
ALTER TABLE parts ADD COLUMN why TEXT;
UPDATE parts SET why = (
    SELECT json_extract(e.data, '$.why') FROM events e
    WHERE e.stream = 'game:' || parts.id AND e.type = 'game.ended' ORDER BY e.seq DESC LIMIT 1
);
CREATE INDEX parts_by_day ON parts (user, at);
CREATE INDEX parts_by_points ON parts (user, game, sign, points);
CREATE INDEX parts_by_why ON parts (user, game, sign, why);
