--
-- SCRU160 in a schema outside the search_path, beside types with implicit
-- casts
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET client_min_messages = warning;
CREATE EXTENSION citext;
CREATE EXTENSION hstore;
RESET client_min_messages;

\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.answers(queries text[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  query text;
  answer text;
BEGIN
  FOREACH query IN ARRAY queries LOOP
    answer := substring(public.error_of('SELECT ' || query) FROM '[^|]*');
    IF answer = 'no error' THEN
      EXECUTE 'SELECT ' || query INTO answer;
    END IF;
    RETURN NEXT query || ' -> ' || coalesce(answer, 'NULL');
  END LOOP;
END $$;

-- Inside the search_path: none of their operators is chosen instead
CREATE TABLE scru160_beside AS
SELECT '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'::scru160 AS id,
       '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'::citext AS c, 'a=>1'::hstore AS h;
SELECT * FROM pg_temp.answers(ARRAY[
  'id = ''05ttup1hncpnh30vek64kdqt9bsnu4c4'' FROM scru160_beside',
  '''05ttup1hncpnh30vek64kdqt9bsnu4c4'' >= id FROM scru160_beside',
  'id IN (''05ttup1hncpnh30vek64kdqt9bsnu4c4'') FROM scru160_beside',
  'id = ANY (''{05ttup1hncpnh30vek64kdqt9bsnu4c4}'') FROM scru160_beside',
  'id <> NULL FROM scru160_beside',
  'id BETWEEN ''00000000000000000000000000000000'' AND id FROM scru160_beside',
  'lower(id::text) = c FROM scru160_beside',
  'id::citext = c FROM scru160_beside',
  'c::text::scru160 = id FROM scru160_beside',
  'c = ''x'' FROM scru160_beside',
  'h -> ''a'' FROM scru160_beside',
  'h = ''a=>1'' FROM scru160_beside',
  '''a'' = ''A''',
  '''a'' < ''b''',
  'id || ''!'' FROM scru160_beside',
  'id = c FROM scru160_beside',
  'id = h FROM scru160_beside',
  'id = id::text FROM scru160_beside']);
DROP TABLE scru160_beside;

-- Outside the search_path
CREATE SCHEMA ids;
ALTER EXTENSION flakeid SET SCHEMA ids;
CREATE TABLE scru160_there (id ids.scru160 PRIMARY KEY
  DEFAULT ids.scru160_generate(), n integer, c citext, h hstore);
INSERT INTO scru160_there (n, c, h)
SELECT i, 'x' || i, hstore('a', i::text) FROM generate_series(1, 1000) AS i;
INSERT INTO scru160_there (id, n)
VALUES ('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', 0);
CREATE INDEX ON scru160_there USING hash (id);
CREATE INDEX ON scru160_there USING brin (id);
ANALYZE scru160_there;
SELECT * FROM pg_temp.answers(ARRAY[
  'count(DISTINCT id) FROM scru160_there',
  'count(*) FROM (SELECT n, row_number() OVER (ORDER BY id) - 1 AS by_id
    FROM scru160_there) AS s WHERE n IS DISTINCT FROM by_id',
  'n FROM scru160_there ORDER BY id LIMIT 1',
  'ids.min(id) FROM scru160_there',
  'n FROM scru160_there WHERE id OPERATOR(ids.=) ''05TTUP1HNCPNH30VEK64KDQT9BSNU4C4''',
  'count(*) FROM scru160_there WHERE ids.scru160_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'')',
  'count(*) FROM scru160_there AS a JOIN scru160_there AS b ON a.id OPERATOR(ids.=) b.id',
  'count(*) FROM (SELECT id FROM scru160_there UNION SELECT id FROM scru160_there) AS s',
  'n FROM scru160_there WHERE id = ''05TTUP1HNCPNH30VEK64KDQT9BSNU4C4''',
  'n FROM scru160_there WHERE c = ''X7''',
  'n FROM scru160_there WHERE h @> ''a=>7''']);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT * FROM plan_of('SELECT FROM scru160_there WHERE
  ids.scru160_in_range(id, ''2021-01-01'', ''2021-01-02'')');

DROP TABLE scru160_there;
ALTER EXTENSION flakeid SET SCHEMA public;
DROP SCHEMA ids;
DROP EXTENSION citext;
DROP EXTENSION hstore;
