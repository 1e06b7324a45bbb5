# World.
# The steps of doc/operating.md after a wrong clock, as they stand: for each format,
# in several databases, for a table and one that refers to it.

use FlakeidTest qw(clock);
use FlakeidHorizon qw(start_again);
use FlakeidServers;

my $node = new_node('wrong_clock', '', init => { allows_streaming => 1 }, clock => 1);
my %formats = (
	fluid => [ 'fluid_generate', 'fluid' ],
	nanoflake => [ 'nanoflake_generate', 'nanoflake' ],
	ulidflake => [ 'ulidflake_generate', 'ulidflake' ],
	'a b\'c=d' => [ 'ulidflake_scalable_generate', 'ulidflake' ]);
# Actions of the foreign key, which must not change what the steps write
my %action = (
	nanoflake => 'ON UPDATE SET NULL',
	ulidflake => 'ON UPDATE CASCADE',
	'a b\'c=d' => 'ON UPDATE SET DEFAULT');
my $replace = recipe('new ids for rows ahead of the clock, and for the rows that refer to them');

$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;

# Run a loop over all databases, in a folder of its own.
sub each_database
{
	my ($title) = @_;
	my ($out, $err);

	run_log([ 'sh', '-c', 'cd "$1" && eval "$2"', 'sh', FlakeidTest::folder($node),
		recipe($title) ], '>', \$out, '2>', \$err);
	return $out . $err;
}

# Run SQL in a database, in which the extension's schema must be named.
sub in_database
{
	my ($database, $sql) = @_;
	my ($status, $out, $err) = $node->psql($database, "SET search_path = public, ids;\n$sql",
		on_error_stop => 1);

	return $out . $err;
}

foreach my $database (sort keys %formats)
{
	my ($generate) = @{ $formats{$database} };

	$node->safe_psql('postgres', 'CREATE DATABASE "' . $database . '"');
	$node->safe_psql($database, "CREATE SCHEMA ids; CREATE EXTENSION flakeid SCHEMA ids;
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT ids.$generate(), note int);
		CREATE TABLE items (order_id bigint REFERENCES orders " . ($action{$database} // '') .
		', note int)');
}

# Insert rows, and return how many of those of the table are ahead of the clock.
sub insert
{
	my ($database, $from, $to) = @_;

	return in_database($database,
		"WITH made AS (INSERT INTO orders (note) SELECT generate_series($from, $to)
			RETURNING id, note)
		INSERT INTO items SELECT id, note FROM made");
}

sub ahead
{
	my ($database) = @_;
	return in_database($database, "SELECT count(*) FROM orders
		WHERE $formats{$database}[1]_to_timestamptz(id) > clock_timestamp() + interval '10 s'");
}

insert($_, 1, 100) foreach sort keys %formats;
set_clock($node, 3600);
insert($_, 101, 300) foreach sort keys %formats;
set_clock($node, 0);

my $database = 'fluid';

like(in_database($database, 'UPDATE orders SET id = fluid_generate()'),
	qr/violates foreign key constraint/, 'the plain UPDATE fails');

# ------------------------------------------------------ a forgotten database

$node->safe_psql('postgres', 'ALTER DATABASE fluid ALLOW_CONNECTIONS false');

my $warnings = each_database('reset each database, and keep the warnings');

unlike($warnings, qr/ERROR/, 'the reset of each database runs');
like($warnings, qr/WARNING:  after the next restart, $_ ids \d+ to \d+ can/, "... $_ are reset")
	foreach qw(Nanoflake Ulid-Flake);
is(slurp_file(FlakeidTest::folder($node) . '/reset.log'), $warnings,
	'... and the warnings are kept');
$node->safe_psql('postgres', 'ALTER DATABASE fluid ALLOW_CONNECTIONS true');
$node->stop;
start_with_clock($node);

my %status = each_database('look at each database') =~ /^== (.*)\n((?:\w+\|.*\n)+)/mg;

is(scalar keys %status, 5, 'each database that has the extension shows its state');
unlike($status{nanoflake}, qr/\|current$/m, '... no id has used the reset');
like($status{fluid}, qr/^fluid\|0[01]:\d\d:/m, 'a forgotten database is seen');
unlike($status{$_}, qr/\|00:[1-9]|\|0[1-9]:/, "... and \"$_\" is not ahead")
	foreach grep { $_ ne 'fluid' } sort keys %status;

# ------------------------------------------------------------- all databases

unlike(each_database('reset each database, and keep the warnings'), qr/ERROR/, 'all are reset');
$node->stop;
start_with_clock($node);
unlike(each_database('look at each database'), qr/ERROR|\|00:[1-9]|\|0[1-9]:/,
	'... and none is ahead');

# The states of all formats in all databases
sub states
{
	my %found = map { $_ => 1 } each_database('look at each database') =~ /^\w+\|.*\|(.*)$/mg;

	return join ' ', sort keys %found;
}

# Is the first FLUID of each database far ahead on a server that is promoted elsewhere?
sub promoted
{
	my ($name) = @_;
	my $copy = PostgreSQL::Test::Cluster->new($name);

	$node->backup($name);
	$copy->init_from_backup($node, $name, has_streaming => 1);
	start_again($copy, 0);
	$copy->promote;

	my $ahead = join ' ', map {
		$copy->safe_psql($_, "SELECT ids.fluid_to_timestamptz(ids.fluid_generate()) >
			clock_timestamp() + interval '50 min'")
	} sort keys %formats;

	$copy->stop;
	return $ahead;
}

is(states(), 'earlier reset', 'the resets are in effect, and not used');
is(promoted('before'), 't t t t', '... a promoted copy ignores them');
is( join('', map {
			$node->safe_psql($_, 'SET search_path = ids;'
				  . recipe('worth an alarm on any server')) =~ /\|reset$/m ? 1 : 0
		} sort keys %formats),
	1111, '... which the query to watch shows');
unlike(each_database('finish the reset in each database'), qr/ERROR/, 'the reset is finished');
is(states(), 'current', '... everywhere');
unlike(each_database('look at each database'), qr/\|00:[1-9]|\|0[1-9]:/, '... none is ahead');
is(promoted('after'), 'f f f f', '... also on a promoted copy');

foreach my $name (sort keys %formats)
{
	my ($generate, $format) = @{ $formats{$name} };
	my $block = $replace =~ s/^\\set generate .*/\\set generate $generate/mr
		=~ s/^\\set time .*/\\set time ${format}_to_timestamptz/mr;

	is(insert($name, 301, 310), '', "$name: new rows");
	is(ahead($name), 200, '... and rows ahead of the clock');
	is(in_database($name, $name eq 'fluid' ? $replace : $block), '', '... get new ids');
	is(ahead($name), 0, '... none is ahead');
	is( in_database($name,
		"SELECT count(*), count(DISTINCT order_id), count(*) FILTER (WHERE i.note <> o.note),
		(SELECT count(*) FROM (SELECT note, lag(note) OVER (ORDER BY id) AS before FROM orders
		 WHERE note BETWEEN 101 AND 300) AS o WHERE note < before)
		FROM items AS i JOIN orders AS o ON o.id = order_id"),
		'310|310|0|0', '... each row refers to the same one, and their order is kept');
	is( in_database($name,
		q{SELECT condeferrable, convalidated FROM pg_constraint
			WHERE conname = 'items_order_id_fkey'}),
		'f|t', '... and the foreign key is as before');
}

done_testing();
