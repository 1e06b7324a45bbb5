--
-- The same results with and without just-in-time compilation, which inlines the
-- functions of the library.  Where the server has none, both run without it.
--
CREATE TABLE sample AS
SELECT fluid_min('2026-01-01 00:00:00Z'::timestamptz + i * interval '1 h') + i AS f,
       uuid_v7_min('2026-01-01 00:00:00Z'::timestamptz + i * interval '1 h') AS u,
       scru160_min('2026-01-01 00:00:00Z'::timestamptz + i * interval '1 h') AS s
FROM generate_series(1, 1000) AS i;
CREATE FUNCTION digest(OUT result text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT md5(string_agg(concat_ws('','', fluid_to_timestamptz(f), fluid_get_sequence(f),
      fluid_to_f58(f), fluid_from_f58(fluid_to_f58(f)), uuid_to_timestamptz(u), uuid_to_text(u, ''base58''),
      uuid_v7_get_ticks(u), scru160_to_timestamptz(s), s::text, s = s::text::scru160,
      uuid_v7_in_range(u, ''2026-01-10'', ''2026-01-20''), scru160_in_range(s, ''2026-01-10'', ''infinity'')),
      ''|'' ORDER BY s))
    FROM sample' INTO result;
END $$;
SET jit = off;
SELECT digest() AS without \gset
SET jit = on;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
SELECT digest() = :'without' AS alike;
-- A process has one state of each generator, also for compiled calls.
CREATE TABLE made AS SELECT i, fluid_generate() AS f, uuid_generate_v7() AS u, scru160_generate() AS s
FROM generate_series(1, 1000) AS i;
SET jit = off;
INSERT INTO made SELECT i, fluid_generate(), uuid_generate_v7(), scru160_generate()
FROM generate_series(1001, 2000) AS i;
SELECT count(*), bool_and(f > f_before AND u > u_before AND s > s_before) AS in_order
FROM (SELECT *, lag(f) OVER w AS f_before, lag(u) OVER w AS u_before, lag(s) OVER w AS s_before
      FROM made WINDOW w AS (ORDER BY i)) AS m;
SET jit = on;
SELECT error_of('SELECT fluid_from_f58(f::text) FROM sample');
DROP TABLE sample, made;
DROP FUNCTION digest;
