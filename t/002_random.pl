# World.
# All random bits of ids come from pg_strong_random().  Once a session has generated
# the next id, its memory no longer contains the random bits of the previous one.

use FlakeidTest;

plan skip_all => 'a process cannot read its own memory here'
  unless -r '/proc/self/maps' && -r '/proc/self/mem';

my $node = new_node('random');

# The first id of each session: neither half of its random bits is another's.
my @first = map { run_sql($node, 'SELECT uuid_v7_get_rand_b(uuid_generate_v7())')
	=~ /^\\x(\w{8})(\w{8})$/ } 1 .. 5;

is(scalar(keys %{ { map { $_ => 1 } @first } }), 10,
	'each session begins with random bits of its own');

# Memory of the library's variables: its writable mappings, and the unnamed one
# that follows them
$node->safe_psql('postgres', q{
CREATE FUNCTION library_data() RETURNS bytea LANGUAGE sql AS $$
WITH line AS (
  SELECT n, regexp_match(line, '^(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)$') AS field
  FROM regexp_split_to_table(pg_read_file('/proc/self/maps'), '\n')
       WITH ORDINALITY AS l (line, n)),
mapping AS (
  SELECT n, field[3] AS mode, field[4] AS name,
         ('x' || lpad(field[1], 16, '0'))::bit(64)::bigint AS first,
         ('x' || lpad(field[2], 16, '0'))::bit(64)::bigint AS last
  FROM line),
of_library AS (
  SELECT n, mode, first, last, name ~ '/flakeid\.so$' OR
         name = '' AND first = lag(last) OVER w AND
         lag(name) OVER w ~ '/flakeid\.so$' AS is_it
  FROM mapping WINDOW w AS (ORDER BY n))
SELECT string_agg(pg_read_binary_file('/proc/self/mem', first, last - first),
                  '' ORDER BY n)
FROM of_library WHERE is_it AND mode LIKE 'rw%'
$$;

-- The last four bytes of an id are one random word: is it in memory before
-- the call, and after the next one?
CREATE FUNCTION look_for(call text, OUT before boolean, OUT after boolean)
LANGUAGE plpgsql AS $$
DECLARE
  data_before bytea;
  data_after bytea;
  id text;
  word bytea;
  turned bytea;
BEGIN
  EXECUTE 'SELECT ' || call INTO id;
  data_before = library_data();
  EXECUTE 'SELECT ' || call INTO id;
  word = decode(right(replace(id, '-', ''), 8), 'hex');
  EXECUTE 'SELECT ' || call INTO id;
  data_after = library_data();
  turned = substr(word, 4, 1) || substr(word, 3, 1) || substr(word, 2, 1) ||
           substr(word, 1, 1);
  before = position(word IN data_before) > 0 OR
           position(turned IN data_before) > 0;
  after = position(word IN data_after) > 0 OR
          position(turned IN data_after) > 0;
END $$;
});

# musl puts other memory beside the library's variables.
SKIP:
{
	skip 'the C library is not that of GNU',
		4 if system('getconf GNU_LIBC_VERSION >/dev/null 2>&1');

	# By chance, a word is in memory once in 100,000 runs.
	foreach my $call (
		'uuid_generate_v6()', 'uuid_generate_v7()',
		q{uuid_v7_from_timestamptz('2022-02-22 19:22:22+00')},
		q{scru160_to_text(scru160_generate(), 'hex')})
	{
		is($node->safe_psql('postgres', qq{
				SELECT count(*) FILTER (WHERE before), count(*) FILTER (WHERE after) < 3
				FROM generate_series(1, 10) AS i,
					look_for(CASE WHEN i > 0 THEN \$\$$call\$\$ END)}),
			'10|t', "$call: random bits are drawn ahead, and wiped after use");
	}
}

SKIP:
{
	my $constant = shim('random');

	skip 'pg_strong_random() does not use OpenSSL here', 1
	  unless $constant && `ldd \$(which postgres)` =~ /libcrypto/;
	$node->stop;
	{
		local %ENV = (%ENV, LD_PRELOAD => $constant);

		$node->start;
	}
	my $time = 'clock_timestamp()';

	is($node->safe_psql('postgres', qq{
		SELECT uuid_v6_get_clock_sequence(v6), uuid_v6_get_node(v6),
			uuid_v6_get_node(uuid_v6_from_timestamptz($time)),
		  uuid_v7_get_rand_b(uuid_generate_v7()),
		    uuid_v7_get_rand_b(uuid_v7_from_timestamptz($time)),
		  uuid_v7_draft_get_node(uuid_generate_v7_draft('us'), 'us'),
		    uuid_v8_draft_get_node(uuid_generate_v8_draft(60), 60),
		  right(scru160_to_text(scru160_generate(), 'hex'), 24),
		    right(scru160_to_text(scru160_from_timestamptz($time), 'hex'), 28),
		  to_hex(ulidflake_from_timestamptz($time) & 1048575)
		FROM uuid_generate_v6() AS v6}),
		join('|', 0x25a5, '\x' . 'a5' x 6, '\x' . 'a5' x 6, '\x25' . 'a5' x 7, '\x25' . 'a5' x 7,
			'\x' . 'a5' x 6, '\x25' . 'a5' x 6, 'a5' x 12, 'a5' x 14, 'a5a5a'),
		'a source of constant bytes: every random bit is from it');
}

done_testing();
