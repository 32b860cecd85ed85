-- What SQLite has and PostgreSQL lacks, for the statements of the hall (0064). They stand in the hall's own schema.
CREATE OR REPLACE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS 'SELECT greatest($1, $2)';

CREATE OR REPLACE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS 'SELECT least($1, $2)';

CREATE OR REPLACE FUNCTION instr(text, text) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS 'SELECT strpos($1, $2)';

-- A path of SQLite ($.paid[3].score, $.left."0") as one of PostgreSQL ({paid,3,score}).
CREATE OR REPLACE FUNCTION json_path_of(path text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$SELECT coalesce(array_agg(coalesce(m[1], m[2], m[3]) ORDER BY n), '{}')
    FROM regexp_matches(substr(path, 2), '\."([^"]*)"|\.([^.\[]+)|\[(\d+)\]', 'g') WITH ORDINALITY AS t(m, n)$$;

-- As text; true and false are 1 and 0, as SQLite has them.
CREATE OR REPLACE FUNCTION json_extract(data text, path text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$SELECT CASE json_typeof(CAST(data AS json) #> json_path_of(path))
    WHEN 'boolean' THEN CASE CAST(data AS json) #>> json_path_of(path) WHEN 'true' THEN '1' ELSE '0' END
    ELSE CAST(data AS json) #>> json_path_of(path) END$$;

CREATE OR REPLACE FUNCTION json_each(data text) RETURNS TABLE (key bigint, value text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 20
AS $$SELECT n - 1, v FROM json_array_elements_text(CAST(data AS json)) WITH ORDINALITY AS t(v, n)$$;

CREATE OR REPLACE FUNCTION json_array_length(data text, path text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$SELECT CAST(json_array_length(CAST(data AS json) #> json_path_of(path)) AS bigint)$$;

CREATE OR REPLACE FUNCTION strftime(format text, at bigint, unit text) RETURNS text LANGUAGE sql IMMUTABLE STRICT
AS $$SELECT to_char(to_timestamp(at) AT TIME ZONE 'UTC',
    replace(replace(replace(format, '%Y', 'YYYY'), '%m', 'MM'), '%d', 'DD'))$$;

CREATE OR REPLACE FUNCTION sum_of_truths(bigint, boolean) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT CASE WHEN $2 IS NULL THEN $1 ELSE coalesce($1, 0) + CAST($2 AS int) END';

CREATE OR REPLACE AGGREGATE sum(boolean) (SFUNC = sum_of_truths, STYPE = bigint);

CREATE OR REPLACE FUNCTION json_of_numbers(bigint[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT CAST(array_to_json($1) AS text)';

CREATE OR REPLACE AGGREGATE json_group_array(bigint) (
    SFUNC = array_append, STYPE = bigint[], INITCOND = '{}', FINALFUNC = json_of_numbers
);

-- The number after the last one, as SQLite gives it to a row of a table without AUTOINCREMENT: what is made anew from the
-- log gets the same numbers again. One hall alone writes.
CREATE OR REPLACE FUNCTION next_of(tbl text, col text) RETURNS bigint LANGUAGE plpgsql VOLATILE
AS $$DECLARE found bigint;
BEGIN
    EXECUTE format('SELECT coalesce(max(%I), 0) + 1 FROM %I', col, tbl) INTO found;
    RETURN found;
END$$;
