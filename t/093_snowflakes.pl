# World.
# doc/migrating.md, "Snowflakes of another generator": with the settings of the
# page, ids of Twitter's layout and Nanoflakes are one sequence with the right
# times; ids of another layout need a floor.

use FlakeidTest;

my ($section) = slurp_file("$src/doc/migrating.md")
  =~ /^## Snowflakes of another generator\n(.*?)(?=^## |\z)/ms;
my ($settings) = $section =~ /^```\n(.*?)^```$/ms;
my ($default, $floor) = map { s/\s+/ /gr } $section =~ /`((?:ALTER TABLE|SELECT)\s[^`]*)`/g;
my $node = new_node('snowflakes', $settings);

# next_id(worker, made), as other generators compute it
$node->safe_psql('postgres', q{
	CREATE SEQUENCE counted;
	CREATE FUNCTION next_id(worker bigint, made timestamptz) RETURNS bigint LANGUAGE sql AS $$
	  SELECT ((extract(epoch FROM made) * 1000)::bigint - 1288834974657 << 22) + (worker << 12)
	    + nextval('counted') % 4096 $$;
	CREATE TABLE posts (id bigint PRIMARY KEY,
	  made timestamptz NOT NULL DEFAULT date_trunc('ms', clock_timestamp()));
	INSERT INTO posts SELECT next_id(n % 512, made), made FROM generate_series(1, 1000) AS n,
	  date_trunc('ms', now() - n * interval '1 day') AS made;
	INSERT INTO posts SELECT next_id(511, now()), date_trunc('ms', now())});
is($node->safe_psql('postgres', 'SELECT fluid_generate() < max(id) FROM posts'),
	't', 'a FLUID is below the old ids');
$node->safe_psql('postgres', "$default; INSERT INTO posts SELECT FROM generate_series(1, 1000)");
is($node->safe_psql('postgres', q{
	SELECT count(*), count(*) FILTER (WHERE new AND earlier),
	  count(*) FILTER (WHERE (nanoflake_get_generator(id) > 511) <> new),
	  count(*) FILTER (WHERE made - nanoflake_to_timestamptz(id) NOT BETWEEN '-1 ms' AND '1 min')
	FROM (SELECT *, row_number() OVER w > 1001 AS new,
	  id < max(id) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
	  FROM posts WINDOW w AS (ORDER BY ctid)) AS p}),
	'2001|0|0|0', 'new ids are above the old ones, with another generator; all times are right');
is($node->safe_psql('postgres', q{
	SELECT count(*), bool_and(made >= now() - interval '10 days'),
	  min(id) = (SELECT min(id) FROM posts WHERE made > now() - interval '10 days')
	FROM posts WHERE nanoflake_in_range(id, now() - interval '10 days', 'infinity')}),
	'1010|t|t', 'a range has rows of both');
is($node->safe_psql('postgres', 'SELECT nanoflake_to_timestamptz(9223372036854775807)::date'),
	($section =~ /until\s(\d{4}-\d\d-\d\d)/)[0], 'the last day');

# Instagram's layout
$node->safe_psql('postgres', q{DELETE FROM posts;
	INSERT INTO posts
	SELECT ((extract(epoch FROM made) * 1000)::bigint - 1314220021721 << 23) + n, made
	FROM generate_series(1, 100) AS n, date_trunc('ms', now() - n * interval '1 day') AS made});
$node->safe_psql('postgres', $floor);
is($node->safe_psql('postgres', 'SELECT fluid_generate() > max(id) FROM posts'),
	't', 'a FLUID after the floor is above ids of another layout');

$node->stop;
done_testing();
