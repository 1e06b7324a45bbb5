--
-- The ends of an index, which the planner reads for a range near them
--
CREATE FUNCTION pg_temp.rows(first integer, behind integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE format('EXPLAIN (FORMAT json) SELECT FROM range_end WHERE uuid_v7_in_range(id, %L, %L)',
    '2025-01-01Z'::timestamptz + first * interval '1 s', '2025-01-01Z'::timestamptz + behind * interval '1 s') INTO plan;
  RETURN plan->0->'Plan'->>'Plan Rows';
END $$;

-- A row per second, in 100 bins
CREATE TABLE range_end WITH (autovacuum_enabled = off) AS
SELECT uuid_v7_min('2025-01-01Z'::timestamptz + i * interval '1 s') AS id FROM generate_series(1, 10000) AS i;
CREATE INDEX ON range_end (id);
ANALYZE range_end;
SELECT pg_temp.rows(31, 61) AS first_bin, pg_temp.rows(9860, 9890) AS last_but_one, pg_temp.rows(9950, 9980) AS last_bin;

-- Without the rows of one bin and a half at each end, which the statistics still have.
-- That pages are read in the visibility map, too, leaves no warning.
DELETE FROM range_end WHERE id < uuid_v7_min('2025-01-01 00:02:30Z') OR id >= uuid_v7_min('2025-01-01 02:44:10Z');
VACUUM range_end;
SELECT relallvisible > 50 AS all_visible FROM pg_class WHERE oid = 'range_end'::regclass;
SELECT pg_temp.rows(31, 61) AS first_bin, pg_temp.rows(9860, 9890) AS last_but_one, pg_temp.rows(9950, 9980) AS last_bin;
DROP TABLE range_end;
