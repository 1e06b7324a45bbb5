# Shared by tests of several servers.  It runs the SQL of pages as printed.  It has a
# table for each kind of id that several servers can generate, sessions that fill the
# tables on all servers concurrently, and checks.

package FlakeidServers;

use FlakeidTest;
use Exporter qw(import);

our @EXPORT = qw(
  recipe at_home run_recipe new_server kinds for_each_kind
  begin_events end_events check_events conflicts replicate
);

# ----------------------------------------------------------------- recipes

# Return the SQL or shell block of these pages whose first line is this comment.
sub recipe
{
	my ($title) = @_;
	my @blocks = grep { /\A(?:--|#) \Q$title\E\n/ }
	  map { slurp_file("$src/doc/$_") =~ /^```(?:sql|sh)\n(.*?)^```$/gms }
	  qw(operating.md commit-order.md several-servers.md);

	die "the page has not exactly one block \"$title\"" unless @blocks == 1;
	return $blocks[0];
}

# Replace one.example, ... in a recipe by the connection strings of the test's
# servers.
sub at_home
{
	my ($text, %servers) = @_;

	foreach my $name (keys %servers)
	{
		my ($host, $port) = ($servers{$name}->host, $servers{$name}->port);

		$text =~ s/\bhost=$name\.example\b/host=$host port=$port/g;
		$text =~ s/\bhost '$name\.example'/host '$host', port '$port'/g;
	}
	$text =~ s/\bdbname=app\b/dbname=postgres/g;
	$text =~ s/\bdbname 'app'/dbname 'postgres'/g;
	return $text;
}

sub run_recipe
{
	my ($node, $title, %servers) = @_;
	return $node->safe_psql('postgres', at_home(recipe($title), %servers));
}

# ------------------------------------------------------------------ events

# The recipes use a table "event" of FLUIDs.  The tests run them once for each
# kind of id, in tables of that name.
my %kinds = (
	event => [ 'bigint', 'fluid_generate()' ],
	nanoflake => [ 'bigint', 'nanoflake_generate()' ],
	ulidflake => [ 'bigint', 'ulidflake_scalable_generate()' ],
	uuids => [ 'uuid', 'uuid_generate_v7()' ], scru160s => [ 'scru160', 'scru160_generate()' ]);
my @kinds = sort keys %kinds;

# Expressions for the server of an id, given the node bits, and for its time
my %node_of = (
	event => 'fluid_get_generator(id) >> (14 - %d)',
	nanoflake => 'nanoflake_get_generator(id) >> (10 - %d)',
	ulidflake => 'ulidflake_scalable_get_scalability(id)');
my %time_of = (
	event => 'fluid_to_timestamptz(id)',
	nanoflake => 'nanoflake_to_timestamptz(id)',
	ulidflake => 'ulidflake_to_timestamptz(id)',
	uuids => 'uuid_v7_to_timestamptz(id)', scru160s => 'scru160_to_timestamptz(id)');

sub kinds { return @kinds; }

# Repeat the SQL for the table of each kind.
sub for_each_kind
{
	my ($sql) = @_;

	return join "\n", map {
		my ($kind, $one) = ($_, $sql);

		$one =~ s/\bevent(?=_|\b)/$kind/g;
		$one =~ s/\bbigint\b/$kinds{$kind}[0]/g;
		$one =~ s/\bfluid_generate\(\)/$kinds{$kind}[1]/g;
		$one
	} @kinds;
}

# Create a server with its own node_id.
sub new_server
{
	my ($name, $number, $node_bits, $settings, %options) = @_;

	return new_node($name, qq{
max_worker_processes = 20
max_logical_replication_workers = 12
flakeid.node_bits = $node_bits
flakeid.node_id = $number
flakeid.ulidflake_scalability = $number
flakeid.max_wait = 20s
} . ($settings // ''), %options);
}

# Start sessions that insert events of each kind: the given number of
# statements with 20 rows each.
my $sources = 0;

sub begin_events
{
	my ($node, $number, $statements) = @_;
	my @sessions = map { session($node) } 1 .. $number;

	foreach my $session (@sessions)
	{
		my $source = $node->name . ' ' . ++$sources;

		$session->send(join "\n", map {
			for_each_kind(sprintf q{
				INSERT INTO event (source, n)
				SELECT '%s', i FROM generate_series(%d, %d) AS i;},
				$source, 20 * $_ - 19, 20 * $_)
		} 1 .. $statements);
	}
	return @sessions;
}

# Errors that the sessions printed until they ended
sub end_events
{
	my @sessions = @_;
	my $answers = join '', map { $_->receive } @sessions;

	$_->quit foreach @sessions;
	return $answers =~ s/\n//gr;
}

# Check the whole table as this server sees it: the given number of rows, or
# any; no duplicate ids; the ids of a source increase and have its node_id and
# the time.  Ids are ordered to the millisecond across servers: in id order, no
# row that was complete before another one began comes after it, with a
# tolerance of 2 ms.
sub check_events
{
	my ($node, $what, %expected) = @_;

	foreach my $kind (@kinds)
	{
		my $rows = $expected{rows} // $node->safe_psql('postgres', "SELECT count(*) FROM $kind");
		my $node_is = join ' ', map {
			"WHEN starts_with(source, '$_ ') THEN $expected{numbers}{$_}"
		} sort keys %{ $expected{numbers} };
		my $of_another = $node_of{$kind}
		  ? "$node_of{$kind} IS DISTINCT FROM CASE $node_is END"
		  =~ s/%d/$expected{node_bits}/r
		  : 'false';

		is($node->safe_psql('postgres', qq{
			WITH row AS MATERIALIZED (
			  SELECT id, source, noted, $time_of{$kind} AS made,
				$of_another AS of_another, lag(id) OVER w AS id_before,
					lag(noted) OVER w AS noted_before
			  FROM $kind WINDOW w AS (PARTITION BY source ORDER BY n)),
			ordered AS (
			  SELECT noted, max(noted_before) OVER (ORDER BY id) AS begun FROM row)
			SELECT count(*), count(*) - count(DISTINCT id), count(DISTINCT source),
			  count(*) FILTER (WHERE id <= id_before),
			  count(*) FILTER (WHERE of_another),
			  count(*) FILTER (WHERE made > noted + interval '2 ms' OR
				made < date_trunc('ms', noted_before)),
			  (SELECT count(*) FROM ordered WHERE begun > noted + interval '2 ms')
			FROM row}),
			"$rows|0|$expected{sources}|0|0|0|0",
			"$what: $kind: all rows, no duplicate ids, in order, of its server and time");
	}
}

# Messages in a server's log about incoming rows that already existed: of the
# server up to 17, of the server from 18 on, of pglogical
sub conflicts
{
	my ($node) = @_;

	return scalar grep {
		/duplicate key value|conflict detected on relation|CONFLICT: remote/
	} split /\n/, slurp_file($node->logfile);
}

# Fill the tables on all servers at once.  All rows arrive everywhere, and no
# server has a conflict, unless two servers insert the same id.
sub replicate
{
	my ($numbers, %servers) = @_;
	my @names = sort keys %servers;
	my $statements = scaled(60);
	my $rows = @names * 2 * 20 * $statements;
	my $counts = join ', ', map { "(SELECT count(*) FROM $_)" } @kinds;

	is(end_events(map { begin_events($_, 2, $statements) } values %servers),
		'', 'every server generates its ids');
	foreach my $name (@names)
	{
		ok(wait_until(sub {
				$servers{$name}->safe_psql('postgres', "SELECT $counts") eq join '|',
					map { $rows } @kinds
			}, 600), "$name has the rows of all servers");
		check_events($servers{$name}, "on $name", rows => $rows,
			sources => 2 * @names, node_bits => 2, numbers => $numbers);
		is(conflicts($servers{$name}), 0, "$name: no conflicts");
	}

	# Each inserts before it can receive the row of the other.
	my @sessions = map { session($_) } @servers{qw(one two)};

	is(join('', map {
				$_->query(q{BEGIN; INSERT INTO event (id, source, n) VALUES (1, 'by hand', 1)})
			} @sessions), '', 'two servers insert the same id');
	$_->send('COMMIT') foreach @sessions;
	is(end_events(@sessions), '', '... and commit');
	ok(wait_until(sub { conflicts($servers{$_}) }), "... is a conflict that $_ reports")
		foreach qw(one two);
}

1;
