-- The generator of pg_uuidv7, if the variable pg_uuidv7 names its library, and
-- is not ''.
SELECT :'pg_uuidv7' <> '' AS has_pg_uuidv7 \gset
\if :has_pg_uuidv7
CREATE FUNCTION pg_uuidv7() RETURNS uuid AS :'pg_uuidv7', 'uuid_generate_v7'
	LANGUAGE C VOLATILE STRICT;
\endif
