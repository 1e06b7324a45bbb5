-- World.
--
-- Order and uniqueness of 1,000,000 ids of a process, as in sql/order.sql
--
SELECT call, d.*
FROM generator, disorder_of(1000000, call, reader, early, late) AS d ORDER BY n;
