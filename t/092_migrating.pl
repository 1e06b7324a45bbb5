# doc/migrating.md: every recipe of it, run as it stands there, on tables as
# they would be.  What Debian has no package of, pg_uuidv7 and pgEdge's
# snowflake, is stood in for by functions of the same names, in SQL.

use strict;
use warnings;

use FlakeidDoc;
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my ($major) = qx{pg_config --version} =~ /(\d+)/;
my $sharedir = qx{pg_config --sharedir};

chomp $sharedir;
plan skip_all => "$sharedir/extension is not ours to write"
  unless -w "$sharedir/extension";

my @written;

sub is_installed
{
	my ($name) = @_;

	return -e "$sharedir/extension/$name.control";
}

# An extension that is SQL alone, unless the real one is installed
sub stand_in
{
	my ($name, $control, $sql) = @_;

	return if is_installed($name);
	foreach (
		[ "$name.control", "default_version = '1.0'\n$control" ],
		[ "$name--1.0.sql", $sql ])
	{
		my ($file, $text) = @$_;
		push @written, "$sharedir/extension/$file";
		append_to_file($written[-1], $text);
	}
	return;
}
END { unlink @written }

stand_in('pg_uuidv7', "relocatable = true\n", q{
CREATE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE sql VOLATILE STRICT
RETURN overlay(gen_random_uuid()::text PLACING
  lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint >> 16), 8, '0') || '-' ||
  lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint & 65535), 4, '0') || '-7'
  FROM 1)::uuid;
CREATE FUNCTION uuid_v7_to_timestamptz(uuid) RETURNS timestamptz LANGUAGE sql STABLE STRICT
RETURN to_timestamp(('x0000' || left(replace($1::text, '-', ''), 12))::bit(64)::bigint / 1000.0);
CREATE FUNCTION uuid_timestamptz_to_v7(timestamptz, zero bool = false) RETURNS uuid
LANGUAGE sql STABLE STRICT RETURN NULL::uuid;
CREATE FUNCTION uuid_v7_to_timestamp(uuid) RETURNS timestamp LANGUAGE sql STABLE STRICT
RETURN NULL::timestamp;
CREATE FUNCTION uuid_timestamp_to_v7(timestamp, zero bool = false) RETURNS uuid
LANGUAGE sql STABLE STRICT RETURN NULL::uuid;
});

# As version 2.4 lays out its ids; a counter that does not begin anew
stand_in('snowflake', "schema = 'snowflake'\n", q{
CREATE FUNCTION snowflake.nextval(regclass) RETURNS bigint LANGUAGE sql
RETURN (((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1672531200000) << 22)
  | (current_setting('snowflake.node')::bigint << 12)
  | (pg_catalog.nextval($1) & 4095);
});

my $node = new_node('migrating');
my $now = q{now() - interval '1 minute' AND now() + interval '1 minute'};

# What came of a recipe: an SQL condition that has to hold
sub holds
{
	my ($database, $condition, $what) = @_;

	is($node->safe_psql($database, "SELECT $condition"), 't', "... $what");
	return;
}

sub refused
{
	my ($database, $statement, $pattern, $what) = @_;
	my $err;

	isnt($node->psql($database, $statement, stderr => \$err), 0, "... $what");
	like($err, $pattern, '... and the error says why');
	return;
}

# The next block under a heading
sub recipe
{
	my ($database, $heading, %options) = @_;

	return run_block($node, $database, $heading, %options);
}

my $has_uuid_ossp = is_installed('uuid-ossp');

read_page('migrating.md', $has_uuid_ossp ? undef : qr/^uuid-ossp/);

# ------------------------------------------------------------------ pg_uuidv7

my $with_pg_uuidv7 = q{
	CREATE EXTENSION pg_uuidv7;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), note text);
	CREATE TABLE replies (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
	  event uuid NOT NULL REFERENCES events);
	INSERT INTO events (note) VALUES ('old');
	INSERT INTO replies (event) SELECT id FROM events;
};
my $heading = 'pg_uuidv7';

new_database($node, 'one_table', $with_pg_uuidv7 . q{
	ALTER TABLE replies ALTER id DROP DEFAULT;
	CREATE TABLE before AS SELECT id FROM events;
});
is(recipe('one_table', $heading), 'default value for column id of table events',
	'... names what depends on it');
refused('one_table', 'DROP EXTENSION pg_uuidv7', qr/other objects depend on it/,
	'what is there holds it');
recipe('one_table', $heading);
$node->safe_psql('one_table', q{INSERT INTO events (note) VALUES ('new')});
holds('one_table', q{array_agg(e.note ORDER BY e.id) = '{old,new}'
	AND bool_and(uuid_get_version(e.id) = 7)
	AND count(b.id) = 1 FROM events AS e LEFT JOIN before AS b USING (id)},
	'the old row has its id, the new one comes after it');
holds('one_table', qq{bool_and(uuid_v7_to_timestamptz(id) BETWEEN $now) FROM events},
	'their times are read');

# With a table in another schema, and a name to be quoted
new_database($node, 'all_tables', $with_pg_uuidv7 . q{
	CREATE SCHEMA "Other";
	CREATE TABLE "Other"."Table" ("Id" uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	CREATE TABLE other_default (id uuid DEFAULT gen_random_uuid());
	CREATE VIEW times AS SELECT uuid_v7_to_timestamptz(id) AS at FROM events;
});
my $error = recipe('all_tables', $heading, fails => qr/other objects depend on it/);
like($error, qr/view times depends/, '... naming the view');
holds('all_tables', q{count(*) = 4 FROM pg_attrdef}, 'nothing has changed');
$node->safe_psql('all_tables', 'DROP VIEW times');
block_again($heading);
recipe('all_tables', $heading);
$node->safe_psql('all_tables', q{
	INSERT INTO events (note) VALUES ('new');
	INSERT INTO replies (event) SELECT id FROM events WHERE note = 'new';
	INSERT INTO "Other"."Table" DEFAULT VALUES;
	INSERT INTO other_default DEFAULT VALUES;
});
holds('all_tables', q{count(*) = 3 FROM pg_attrdef AS d
	JOIN pg_depend AS calls ON calls.classid = 'pg_attrdef'::regclass AND calls.objid = d.oid
	JOIN pg_depend AS member ON member.objid = calls.refobjid AND member.deptype = 'e'
	JOIN pg_extension AS e ON member.refobjid = e.oid AND e.extname = 'flakeid'},
	'every default is now ours');
holds('all_tables', q{uuid_get_version(id) = 4 FROM other_default},
	'others are as they were');

# --------------------------------------------- uuid-ossp and gen_random_uuid

$heading = 'uuid-ossp and gen_random_uuid';
SKIP:
{
	skip 'uuid-ossp is not installed', 5 unless $has_uuid_ossp;
	new_database($node, 'random', q{
		CREATE EXTENSION "uuid-ossp";
		CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT uuid_generate_v4());
		CREATE TABLE invoices (id uuid PRIMARY KEY DEFAULT uuid_generate_v1(),
		  customer uuid NOT NULL REFERENCES customers);
		INSERT INTO customers SELECT FROM generate_series(1, 10);
		INSERT INTO invoices (customer) SELECT id FROM customers;
		CREATE EXTENSION flakeid;
	});
	recipe('random', $heading);
	$node->safe_psql('random', q{
		INSERT INTO customers SELECT FROM generate_series(1, 5);
		INSERT INTO invoices (customer) SELECT id FROM customers});
	holds('random', q{array_agg(version || ': ' || n ORDER BY version) = '{1: 10,7: 15}' FROM (
		SELECT uuid_get_version(id) AS version, count(*) AS n FROM invoices GROUP BY 1) AS v},
		'both keep what they have, and get version 7');
	my $answer = recipe('random', $heading);
	like($answer, qr/^4\|10\|\n7\|5\|\d{4}-.*\n5$/,
		'... version 4 is seen to have no time');
	holds('random', qq{bool_and(uuid_to_timestamptz(id) BETWEEN $now) FROM invoices},
		'versions 1 and 7 are read alike');
}

# ------------------------------------------------------- bigserial, identity

my $flakeid = 'CREATE EXTENSION flakeid;';

$heading = 'bigserial and identity';
new_database($node, 'sequences', $flakeid . q{
	CREATE TABLE orders (id bigserial PRIMARY KEY, n integer);
	CREATE TABLE items (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	  "order" bigint NOT NULL REFERENCES orders);
	CREATE TABLE payments (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n integer);
	INSERT INTO orders (n) SELECT generate_series(1, 100);
	INSERT INTO payments (n) SELECT generate_series(1, 100);
	INSERT INTO items ("order") SELECT id FROM orders;
});
is(recipe('sequences', $heading), 't', '... is true');
recipe('sequences', $heading) foreach 1 .. 2;
$node->safe_psql('sequences', q{
	INSERT INTO orders (n) SELECT generate_series(101, 200);
	INSERT INTO payments (n) SELECT generate_series(101, 200);
	INSERT INTO items ("order") SELECT id FROM orders;
});
foreach my $table ('orders', 'payments')
{
	holds('sequences', qq{array_agg(n ORDER BY id) = array_agg(n ORDER BY n)
		AND count(*) FILTER (WHERE id = n) = 100
		AND count(*) FILTER (WHERE fluid_to_timestamptz(id) BETWEEN $now) = 100 FROM $table},
		"$table: old ids stay, new ones come after them");
}
holds('sequences', q{array_agg(relname::text) = '{items_id_seq}'
	FROM pg_class WHERE relkind = 'S'}, 'their sequences are gone');
is(recipe('sequences', $heading), 100, '... the last id of the sequence');
$node->safe_psql('sequences',
	'INSERT INTO orders VALUES (4611686018427387904, 0)');
block_again($heading, 0);
is(recipe('sequences', $heading), 'f', '... is false with an id from elsewhere');
block_again($heading, 4);

# --------------------------------------------------------- serial and integer

$heading = 'serial and integer';
new_database($node, 'integers', $flakeid . q{
	CREATE TABLE tickets (id serial PRIMARY KEY, n integer);
	CREATE TABLE lines (ticket integer NOT NULL REFERENCES tickets);
	INSERT INTO tickets (n) SELECT generate_series(1, 100);
	INSERT INTO lines SELECT id FROM tickets;
	CREATE TABLE parcels (id serial PRIMARY KEY, n integer);
	CREATE TABLE scans (parcel bigint NOT NULL REFERENCES parcels);
	INSERT INTO parcels (n) SELECT generate_series(1, 25000);
	INSERT INTO scans SELECT id FROM parcels;
});
refused('integers', 'ALTER TABLE tickets ALTER id SET DEFAULT fluid_generate(); INSERT INTO tickets DEFAULT VALUES',
	qr/integer out of range/, 'an integer holds none');
recipe('integers', $heading);
$node->safe_psql('integers', q{
	WITH made AS (INSERT INTO tickets (n) VALUES (101) RETURNING id)
	INSERT INTO lines SELECT id FROM made});
holds('integers', q{count(*) = 101 AND count(*) FILTER (WHERE id = n) = 100
	FROM tickets JOIN lines ON ticket = id}, 'a small table');

# While the large one is being changed, rows come and change.
foreach my $n (1 .. 3)
{
	recipe('integers', $heading);
	$node->safe_psql('integers', qq{
		INSERT INTO parcels (n) VALUES (25000 + $n);
		UPDATE parcels SET n = n WHERE id = 100 * $n;
		INSERT INTO scans SELECT max(id) FROM parcels});
}
recipe('integers', $heading);
$node->safe_psql('integers', q{
	WITH made AS (INSERT INTO parcels (n) VALUES (0) RETURNING id)
	INSERT INTO scans SELECT id FROM made});
holds('integers', q{count(*) = 25004 AND count(*) FILTER (WHERE id = n) = 25003
	AND max(id) = max(id) FILTER (WHERE n = 0)
	FROM parcels JOIN scans ON parcel = id},
	'a large table, with what came meanwhile');
refused('integers', 'INSERT INTO scans VALUES (0)',
	qr/violates foreign key constraint "scans_parcel_fkey"/, 'the foreign key is back');
holds('integers', q{array_agg(conname::text) = '{parcels_pkey}'
	FROM pg_constraint WHERE conrelid = 'parcels'::regclass AND contype <> 'n'},
	'it has its primary key and nothing else');
holds('integers', q{bool_and(convalidated) FROM pg_constraint}, 'all is proved');

# ------------------------------------------------------------ version 1 to 6

$heading = 'Version 1 to version 6';
new_database($node, 'versions', $flakeid . q{
	CREATE FUNCTION v1(n integer) RETURNS uuid LANGUAGE sql RETURN
	  uuid_v6_to_v1(uuid_v6_from_timestamptz('2020-01-01 00:00:00Z'::timestamptz + n * interval '1 s'));
	CREATE TABLE projects (id uuid PRIMARY KEY, n integer);
	CREATE TABLE tasks (project uuid NOT NULL REFERENCES projects, n integer);
	CREATE TABLE books (id uuid PRIMARY KEY, n integer);
	CREATE TABLE pages (book uuid NOT NULL REFERENCES books, n integer);
	INSERT INTO projects SELECT v1(n), n FROM generate_series(1, 1000) AS n;
	INSERT INTO tasks SELECT id, n FROM projects;
	INSERT INTO books SELECT v1(n), n FROM generate_series(1, 1000) AS n;
	INSERT INTO pages SELECT id, n FROM books;
	CREATE TABLE before AS SELECT * FROM projects UNION ALL SELECT * FROM books;
});
foreach (
	[ 'projects', 'tasks', 'project' ],
	[ 'books', 'pages', 'book' ])
{
	my ($parent, $child, $key) = @$_;

	holds('versions', qq{array_agg(n ORDER BY id) <> array_agg(n ORDER BY n)
		AND bool_and(uuid_get_version(id) = 1) FROM $parent},
		"$parent: version 1 does not sort");
	recipe('versions', $heading);
	$node->safe_psql('versions', qq{INSERT INTO $parent (n) VALUES (1001)});
	holds('versions', qq{array_agg(n ORDER BY id) = array_agg(n ORDER BY n)
		AND bool_and(uuid_get_version(id) = 6) FROM $parent}, 'version 6 does');
	holds('versions', qq{count(*) = 1000 FROM $parent JOIN $child ON id = $key
		WHERE $parent.n = $child.n}, 'what refers to it still does');
	holds('versions', qq{count(*) = 1000 FROM $parent JOIN before
		ON before.id = uuid_v6_to_v1($parent.id) AND before.n = $parent.n},
		'the old id is to be had from the new one');
}
holds('versions', q{count(*) = 2 FROM pg_constraint WHERE contype = 'f' AND convalidated},
	'the foreign keys are proved');

# --------------------------------------- a column that holds version 7 alone

$heading = 'A column that holds version 7 alone';
new_database($node, 'sevens', $flakeid . q{
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	INSERT INTO events SELECT FROM generate_series(1, 10);
});
recipe('sevens', $heading) foreach 1 .. 2;
$node->safe_psql('sevens', q{
	CREATE TABLE with_domain (id uuid_v7);
	INSERT INTO with_domain VALUES (NULL), (uuid_generate_v7());
	INSERT INTO events DEFAULT VALUES});

# Version 4, the nil UUID, version 7 of Microsoft's variant
foreach my $id (
	'a2e1c8ac-9a7b-4c1e-8d3f-1b2c3d4e5f60',
	'00000000-0000-0000-0000-000000000000',
	'019b84a0-0000-7000-c000-000000000000')
{
	refused('sevens', "INSERT INTO events VALUES ('$id')",
		qr/violates check constraint "id_is_v7"/, "a table refuses $id");
	refused('sevens', "INSERT INTO with_domain VALUES ('$id')",
		qr/violates check constraint "uuid_v7_check"/, 'a domain too');
}

# -------------------------------- generated columns and indexes on the time

$heading = 'Generated columns and indexes on the time';
new_database($node, 'times', $flakeid . q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT fluid_generate());
	INSERT INTO orders SELECT FROM generate_series(1, 1000);
});
recipe('times', $heading);
holds('times', qq{bool_and(made BETWEEN $now AND made = fluid_to_timestamptz(id)) FROM orders},
	'the column has the time');
like($node->safe_psql('times', q{
	ANALYZE orders;
	SET enable_seqscan = off;
	EXPLAIN (COSTS off) SELECT FROM orders WHERE
	date_trunc('day', fluid_to_timestamptz(id, '2024-01-01 00:00:00Z') AT TIME ZONE 'UTC')
	= timestamp '2026-01-01'}), qr/orders_day/, '... and the index is used');
refused('times', q{ALTER TABLE orders ADD also timestamptz
	GENERATED ALWAYS AS (fluid_to_timestamptz(id)) STORED},
	qr/generation expression is not immutable/, 'not by a setting');
refused('times', q{ALTER TABLE orders ADD also timestamptz
	GENERATED ALWAYS AS (fluid_to_timestamptz(id, '2024-01-01 00:00:00Z'))},
	$major < 18 ? qr/syntax error/ : qr/uses user-defined function/, 'STORED has to be said');

# ---------------------------------------- in a schema outside the search_path

$heading = 'In a schema outside the search_path';
new_database($node, 'schemas', $flakeid . q{
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	CREATE TABLE readings (id scru160 PRIMARY KEY DEFAULT scru160_generate());
	INSERT INTO readings DEFAULT VALUES;
	CREATE ROLE visitor LOGIN;
	GRANT INSERT ON events, readings TO visitor;
});
like(recipe('schemas', $heading), qr/^[0-9a-f-]{36}\n1$/, '... answers');
refused('schemas', 'SELECT uuid_generate_v7()', qr/does not exist/,
	'by name alone it is not found');
refused('schemas', q{SELECT FROM readings WHERE id = '00000000000000000000000000000000'},
	qr/operator does not exist/, 'nor an operator');
$node->safe_psql('schemas', q{
	SET ROLE visitor;
	INSERT INTO events DEFAULT VALUES;
	INSERT INTO readings DEFAULT VALUES});
refused('schemas', 'SET ROLE visitor; SELECT ids.uuid_generate_v7()',
	qr/permission denied for schema ids/, 'who only inserts needs no privilege');
holds('schemas', q{count(*) = 2 FROM readings AS a JOIN readings AS b
	ON a.id OPERATOR(ids.=) b.id}, 'an operator with its schema');

# ---------------------------------------------- uuidv7() of PostgreSQL 18

$heading = 'uuidv7() of PostgreSQL 18';
new_database($node, 'core', $flakeid);
if ($major < 18)
{
	recipe('core', $heading, fails => qr/function uuidv7\(\) does not exist/);
}
else
{
	my @rows = map { [ split /\|/ ] } split /\n/, recipe('core', $heading);

	is(scalar @rows, 2, '... both are in the range');
	is($_->[1], $_->[2], '... and read alike') foreach @rows;
	holds('core', 'bool_and(uuid_get_version(id) = 7) FROM visits',
		'... of version 7');
}

# --------------------------------------------------------------- ids as text

$heading = 'Ids as text';
new_database($node, 'texts', $flakeid . q{
	CREATE TABLE tokens (id text PRIMARY KEY DEFAULT gen_random_uuid()::text);
	INSERT INTO tokens SELECT FROM generate_series(1, 10);
	CREATE TABLE before AS SELECT * FROM tokens;
});
recipe('texts', $heading) foreach 1 .. 2;
holds('texts', q{count(*) = 10 FROM tokens JOIN before ON tokens.id = before.id::uuid},
	'the same ids');
$node->safe_psql('texts', 'INSERT INTO messages SELECT FROM generate_series(1, 1000)');
holds('texts', q{array_agg(id ORDER BY id) = array_agg(id ORDER BY ulidflake_from_text(id))
	FROM messages}, 'text that sorts');
like(recipe('texts', $heading), qr/^2026-.*\n2024-/, '... F58 does not sort');

foreach my $made ('uuid_generate_v7()::text', 'scru160_generate()::text',
	'fluid_to_dothex(fluid_generate())')
{
	holds('texts', qq{array_agg(t ORDER BY n) = array_agg(t ORDER BY t COLLATE "C")
		FROM (SELECT n, $made AS t FROM generate_series(1, 1000) AS n) AS made},
		"$made sorts");
}

# ------------------------------------------ ALTER SYSTEM before PostgreSQL 17

$heading = 'ALTER SYSTEM before PostgreSQL 17';
if ($major < 17)
{
	refused('postgres', 'ALTER SYSTEM SET flakeid.node_id = 3',
		qr/unrecognized configuration parameter/, 'without LOAD');
}
else
{
	$node->safe_psql('postgres', 'ALTER SYSTEM SET flakeid.node_id = 5');
}
recipe('postgres', $heading);
$node->restart;
is($node->safe_psql('postgres',
		q{SELECT node, pending FROM flakeid_status() WHERE format = 'fluid'}),
	'3|{}', '... and the node is in force');

$node->stop;

# --------------------------------------------------------- pgEdge snowflake

$node = new_node('pgedge', "snowflake.node = 7\n");

# Snowflakes of two servers
my $snowflakes = q{
	CREATE EXTENSION flakeid;
	CREATE EXTENSION snowflake;
	CREATE TABLE %1$s (id bigserial PRIMARY KEY, n integer);
	ALTER TABLE %1$s ALTER id SET DEFAULT snowflake.nextval('%1$s_id_seq'::regclass);
	INSERT INTO %1$s (n) SELECT generate_series(1, 100);
	SET snowflake.node = 8;
	INSERT INTO %1$s (n) SELECT generate_series(101, 200);
	INSERT INTO %1$s VALUES (DEFAULT, 201);
};

$heading = 'pgEdge snowflake';
foreach my $table ('readings', 'samples')
{
	$node->safe_psql('postgres', "CREATE DATABASE $table");
	$node->safe_psql($table, 'CREATE SCHEMA snowflake');
	$node->safe_psql($table, sprintf $snowflakes, $table);
}
recipe('postgres', $heading);
$node->restart;

# The last one is ahead of the clock.
$node->safe_psql('readings', q{
	SET snowflake.node = 8;
	UPDATE readings SET id = snowflake.nextval('readings_id_seq') + (800::bigint << 22)
	WHERE n = 201});
like(recipe('readings', $heading), qr/^7\|100\|20.*\n8\|101\|20/m,
	'... names both nodes');
$node->safe_psql('readings', q{INSERT INTO readings (n) SELECT generate_series(202, 300)});
holds('readings', q{array_agg(n ORDER BY id) = array_agg(n ORDER BY n) FROM readings},
	'Nanoflakes come after all snowflakes');
holds('readings', q{bool_and(nanoflake_get_generator(id) = 7) FROM readings WHERE n > 201},
	'with the number of this node');
holds('readings', qq{bool_and(nanoflake_to_timestamptz(id) BETWEEN $now) FROM readings},
	'and the times of all are read');
$node->safe_psql('readings', 'DROP EXTENSION snowflake');

my $until = recipe('samples', $heading);

holds('samples', qq{'$until'::timestamptz - '2023-01-01 00:00:00Z'
	BETWEEN (now() - '2024-01-01 00:00:00Z') * 4 - interval '1 minute'
	AND (now() - '2024-01-01 00:00:00Z') * 4}, 'four times as fast');
holds('samples', q{fluid_min('2024-05-02 00:00:00Z') > nanoflake_max('2024-05-02 00:00:00Z')
	AND fluid_min('2024-05-01 00:00:00Z') < nanoflake_max('2024-05-01 00:00:00Z')
	AND nanoflake_to_timestamptz(fluid_min('2026-12-01 00:00:00Z')) BETWEEN '2034-01-01' AND '2035-01-01'},
	'since May of 2024, to 2034');
is(recipe('samples', $heading), 't', '... true');
$node->safe_psql('samples', q{INSERT INTO samples (n) SELECT generate_series(202, 300)});
holds('samples', q{array_agg(n ORDER BY id) = array_agg(n ORDER BY n) FROM samples},
	'FLUIDs come after all snowflakes');
$node->safe_psql('samples', q{
	DROP SEQUENCE samples_id_seq;
	DROP EXTENSION snowflake});

all_blocks_run();
$node->stop;
done_testing();
