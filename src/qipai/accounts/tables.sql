-- Who somebody is. A guest that registers keeps its row and so its games (P-3).
CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('guest', 'user', 'bot', 'moderator', 'admin')),
    password TEXT,  -- how it was hashed, and the hash; null for guests
    email TEXT,
    settings TEXT NOT NULL DEFAULT '{}',
    made_at INTEGER NOT NULL,  -- the first visit
    registered_at INTEGER,
    seen_at INTEGER NOT NULL
) STRICT;

-- Cookies and tokens in force, by the hash of the secret.
CREATE TABLE logins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES users (id),
    cookie INTEGER NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    scopes TEXT NOT NULL DEFAULT '',  -- words; a cookie covers everything
    made_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT;

CREATE INDEX logins_of_user ON logins (user);

-- step 2: who has deleted his account (P-96) keeps his number, under which his games stay; his name is kept for a while.
ALTER TABLE users ADD COLUMN deleted_at INTEGER;

CREATE TABLE kept_names (folded TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;

-- step 3: what somebody tells of himself (P-4), and how long he has had a line into the hall.
ALTER TABLE users ADD COLUMN about TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN country TEXT;
ALTER TABLE users ADD COLUMN online_s INTEGER NOT NULL DEFAULT 0;

-- step 4: the picture that stands for somebody, one of those the hall has.
ALTER TABLE users ADD COLUMN picture TEXT;

-- step 5: links by which who has forgotten the password sets another, by the hash of the secret; each is good once.
CREATE TABLE resets (
    key BLOB PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id),
    way TEXT NOT NULL CHECK (way IN ('moderator', 'terminal', 'mail')),  -- who has made it
    by INTEGER,  -- the moderator
    noted INTEGER NOT NULL,  -- 0: made at the terminal beside the hall, which has not written it into its log yet
    made_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX resets_of_user ON resets (user, way);  -- the last one is good, those before it are not

-- step 6: a second factor (0042): a secret that a program on somebody's phone shares, and codes for when it is lost.
CREATE TABLE factors (
    user INTEGER PRIMARY KEY REFERENCES users (id),
    secret TEXT NOT NULL,  -- base32; the hall must know it to check a code
    on_at INTEGER,  -- null: it was shown, and no code has confirmed it yet
    used INTEGER NOT NULL DEFAULT 0  -- the number of the last code that was taken, in half minutes since 1970
) STRICT;

CREATE TABLE recovery_codes (
    key BLOB PRIMARY KEY,  -- the hash of user and code
    user INTEGER NOT NULL REFERENCES users (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX recovery_codes_of_user ON recovery_codes (user);

-- step 7: passkeys (0042): what is known of a key that is on somebody's device and never leaves it.
CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    credential BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES users (id),
    host TEXT NOT NULL,  -- the hall's name for which it was made, and alone is good
    public BLOB NOT NULL,
    count INTEGER NOT NULL,  -- how often the device says that it was used; it never goes back
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;

CREATE INDEX passkeys_of_user ON passkeys (user);

-- step 8: who forgot the password may be found by the e-mail address, too.
CREATE INDEX users_by_email ON users (email COLLATE NOCASE) WHERE email IS NOT NULL;

-- step 9: whose deletion has begun (P-96): what a kill leaves undone of it is done at the next start.
CREATE TABLE departures (
    user INTEGER PRIMARY KEY REFERENCES users (id),
    at INTEGER NOT NULL  -- seconds
) STRICT;
