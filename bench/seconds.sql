-- Seconds that a count takes; all measurements are based on it.
CREATE FUNCTION pg_temp.seconds(expression text, relation text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	began timestamptz;
	n bigint;
BEGIN
	began := clock_timestamp();
	EXECUTE format('SELECT count(%s) FROM %I', expression, relation) INTO n;
	RETURN extract(epoch FROM clock_timestamp() - began);
END $$;
