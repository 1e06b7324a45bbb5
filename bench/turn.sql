-- A turn of bench/insert: store time and writes of a statement in figure.  The
-- statement works on one table, and no other session is active.
SELECT pg_stat_force_next_flush();
SELECT wal_fpi AS full_pages FROM pg_stat_wal \gset
SELECT heap_blks_read AS heap_read, idx_blks_read AS index_read
FROM pg_statio_user_tables WHERE relid = :'table'::regclass \gset
SELECT pg_current_wal_insert_lsn() AS lsn, clock_timestamp() AS began \gset

:statement;

SELECT clock_timestamp() AS ended, pg_current_wal_insert_lsn() AS lsn_after \gset
SELECT pg_stat_force_next_flush();
INSERT INTO figure (part, name, round, rows, seconds, wal_bytes, lsn, lsn_after,
	full_pages, heap_read, index_read, held, heap_bytes, index_bytes, density)
SELECT :'part', :'name', :round, :rows,
	   extract(epoch FROM :'ended'::timestamptz - :'began'),
	   :'lsn_after'::pg_lsn - :'lsn', :'lsn', :'lsn_after', wal_fpi - :full_pages,
	   heap_blks_read - :heap_read, idx_blks_read - :index_read,
	   pg_total_relation_size(relid), pg_relation_size(relid),
	   pg_relation_size(indexrelid), avg_leaf_density
FROM pg_stat_wal, pg_statio_user_tables JOIN pg_index ON indrelid = relid,
	 pgstatindex(indexrelid)
WHERE relid = :'table'::regclass AND indisprimary;
