# What the tests of several servers share: the SQL of doc/servers.md, run as it
# stands there; a table of each kind of id that can be made on several servers;
# sessions that fill it everywhere at once; and what has to be true then.

package FlakeidServers;

use strict;
use warnings;

use Exporter qw(import);
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  recipe at_home run_recipe new_server kinds for_each_kind
  begin_events end_events all_arrive check_events conflicts same_id_on
);

# ----------------------------------------------------------------- recipes

# The block of SQL in doc/servers.md or doc/hosting.md whose first line is this
# comment
sub recipe
{
	my ($title) = @_;
	my $text = join '', map { slurp_file("$src/$_") } 'doc/servers.md',
	  'doc/hosting.md';
	my @blocks = grep { /\A-- \Q$title\E\n/ } $text =~ /^```sql\n(.*?)^```$/gms;

	die "the pages have not one \"$title\"" unless @blocks == 1;
	return $blocks[0];
}

# Text of the recipes, with our servers, by name, in place of one.example, ...
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

# The recipes have a table "event" of FLUIDs.  We run them once for each kind
# of id, each with tables of that name.
my %kinds = (
	event => [ 'bigint', 'fluid_generate()' ],
	nanoflake => [ 'bigint', 'nanoflake_generate()' ],
	ulidflake => [ 'bigint', 'ulidflake_generate_scalable()' ],
	uuids => [ 'uuid', 'uuid_generate_v7()' ],
	scru160s => [ 'scru160', 'scru160_generate()' ]);
my @kinds = sort keys %kinds;

# How an id tells its server, by the node bits; and its time
my %node_of = (
	event => 'fluid_get_generator(id) >> (14 - %d)',
	nanoflake => 'nanoflake_get_generator(id) >> (10 - %d)',
	ulidflake => 'ulidflake_get_scalability(id)');
my %time_of = (
	event => 'fluid_to_timestamptz(id)',
	nanoflake => 'nanoflake_to_timestamptz(id)',
	ulidflake => 'ulidflake_to_timestamptz(id)',
	uuids => 'uuid_v7_to_timestamptz(id)',
	scru160s => 'scru160_to_timestamptz(id)');

sub kinds { return @kinds; }

# The same SQL for the table of each kind
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

# A server with a number of its own
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

# Sessions that insert events of each kind, so many statements of 20 rows
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

# What the sessions complained of until they were through
sub end_events
{
	my @sessions = @_;
	my $answers = join '', map { $_->receive } @sessions;

	$_->quit foreach @sessions;
	return $answers =~ s/\n//gr;
}

# Every row of every kind is there, some time.
sub all_arrive
{
	my ($node, $rows) = @_;
	my $counts = join ', ', map { "(SELECT count(*) FROM $_)" } @kinds;

	return wait_until(sub {
		$node->safe_psql('postgres', "SELECT $counts") eq
		  join '|', map { $rows } @kinds
	}, 120);
}

# The whole table, as this server sees it: so many rows, or any; no id
# twice; the ids of a source increase, and tell its server and the time, so that
# ids are ordered to the millisecond whatever the server: in an order by id
# nothing comes after what was begun when it was done, and 2 ms more.
sub check_events
{
	my ($node, $what, %expected) = @_;
	my $slack = $expected{slack} // '2 ms';

	foreach my $kind (@kinds)
	{
		my $rows = $expected{rows}
		  // $node->safe_psql('postgres', "SELECT count(*) FROM $kind");
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
				$of_another AS of_another, lag(id) OVER w AS id_before, lag(noted) OVER w AS noted_before
			  FROM $kind WINDOW w AS (PARTITION BY source ORDER BY n)),
			ordered AS (
			  SELECT noted, max(noted_before) OVER (ORDER BY id) AS begun FROM row)
			SELECT count(*), count(*) - count(DISTINCT id), count(DISTINCT source),
			  count(*) FILTER (WHERE id <= id_before),
			  count(*) FILTER (WHERE of_another),
			  count(*) FILTER (WHERE made > noted + interval '$slack' OR
				made < date_trunc('ms', noted_before)),
			  (SELECT count(*) FROM ordered WHERE begun > noted + interval '$slack')
			FROM row}),
			"$rows|0|$expected{sources}|0|0|0|0",
			"$what: $kind: all rows, no id twice, in order, of its server and time");
	}
	return;
}

# What a server's log says of rows that were there already when they came:
# the server up to 17, the server from 18 on, pglogical
sub conflicts
{
	my ($node) = @_;

	return scalar grep {
		/duplicate key value|conflict detected on relation|CONFLICT: remote/
	} split /\n/, slurp_file($node->logfile);
}

# Servers insert one id, each before it can know of the others.
sub same_id_on
{
	my @sessions = map { session($_) } @_;

	my $answers = join '', map {
		$_->query(q{BEGIN; INSERT INTO event (id, source, n) VALUES (1, 'by hand', 1)})
	} @sessions;

	$_->send('COMMIT') foreach @sessions;
	return $answers . end_events(@sessions);
}

1;
