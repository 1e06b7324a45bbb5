# World.
# Many clients on few server connections, through PgBouncer with transaction
# pooling: no duplicate ids; ids of a server connection increase, whichever
# clients use it; a value that a client SETs remains in the server connection.

use FlakeidTest;

my ($pgbouncer) = grep { -x $_ } map { "$_/pgbouncer" } qw(/usr/sbin /usr/bin /usr/local/bin);

plan skip_all => 'PgBouncer is not installed' unless $pgbouncer;

my $node = new_node('pooled');
my $folder = PostgreSQL::Test::Utils::tempdir_short();
my $port = PostgreSQL::Test::Cluster::get_free_port();
my $user = $node->safe_psql('postgres', 'SELECT current_user');
my @pools = map {
	"$_->[0] = host='@{[ $node->host ]}' port=@{[ $node->port ]} dbname=postgres "
			. "user='$user' pool_size=$_->[1]"
} [ few => 4 ], [ one => 1 ];

append_to_file("$folder/pgbouncer.ini", join "\n", '[databases]', @pools, qq{
[pgbouncer]
listen_port = $port
unix_socket_dir = $folder
auth_type = any
pool_mode = transaction
max_client_conn = 100
logfile = $folder/log
pidfile = $folder/pid
});
system_or_bail($pgbouncer, '-d', '-q', "$folder/pgbouncer.ini");

sub pooled
{
	my ($database, $sql) = @_;

	my ($out, $err) = run_command(
		[ 'psql', '-X', '-A', '-t', '-q', '-d', "host=$folder port=$port dbname=$database", '-c',
		$sql ]);

	return $out . $err;
}

$node->safe_psql('postgres', q{
	CREATE TABLE event (
	  id bigint PRIMARY KEY DEFAULT fluid_generate(),
	  nanoflake bigint UNIQUE DEFAULT nanoflake_generate(),
	  v7 uuid UNIQUE DEFAULT uuid_generate_v7(),
	  client integer, n integer,
	  server_process integer DEFAULT pg_backend_pid(),
	  xid xid8 DEFAULT pg_current_xact_id())});
append_to_file("$folder/load.sql", q{
INSERT INTO event (client, n) SELECT :first + :client_id, i FROM generate_series(1, 3) AS i;
});
ok(wait_until(sub { pooled('few', 'SELECT 1') eq '1' }), 'PgBouncer is ready');

# Run 20 clients, with numbers from this one on.
sub load
{
	my ($first) = @_;

	$node->command_ok([ 'pgbench', '-n', '-c', '20', '-j', '2', '-t', scaled(200),
			'-D', "first=$first", '-f', "$folder/load.sql",
			'-d', "host=$folder port=$port dbname=few" ],
		'20 clients on 4 server connections');
}

load(0);
is($node->safe_psql('postgres', q{
	SELECT count(*), count(DISTINCT client), count(DISTINCT server_process) <= 4 FROM event}),
	60 * scaled(200) . '|20|t', 'no duplicate ids, and no row is lost');
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM (
	  SELECT id <= lag(id) OVER w OR nanoflake <= lag(nanoflake) OVER w OR v7 <= lag(v7) OVER w
	    AS wrong
	  FROM event WINDOW w AS (PARTITION BY server_process ORDER BY xid, n)) AS o WHERE wrong}),
	0, 'ids of a server connection increase');

# Or one connection served all clients before another one was open.
my $loads = 1;

ok(wait_until(sub {
		my $n = $node->safe_psql('postgres', q{
			SELECT max(n) FROM (
			  SELECT count(DISTINCT server_process) AS n FROM event GROUP BY client) AS o});

		load(20 * $loads++) if $n < 2;
		return $n > 1;
	}), 'a client gets ids from several server connections');
is($node->safe_psql('postgres', q{
	SELECT max(n) FROM (
	  SELECT count(DISTINCT fluid_get_generator(id)) AS n FROM event GROUP BY server_process)
	    AS o}),
	1, 'ids of a server connection have its slot');

# Settings of a client, in a server connection that has loaded the library
pooled('one', 'SELECT fluid_generate()');
pooled('one', q{SET flakeid.max_wait = '5s'});
is(pooled('one', 'SHOW flakeid.max_wait'), '5s', 'SET remains in effect for the next client');
pooled('one', 'RESET flakeid.max_wait');
is(pooled('one', q{BEGIN; SET LOCAL flakeid.max_wait = '5s'; SHOW flakeid.max_wait; COMMIT}),
	'5s', 'SET LOCAL is in effect');
is(pooled('one', 'SHOW flakeid.max_wait'), '1s', '... and ends with the transaction');
$node->safe_psql('postgres', q{ALTER DATABASE postgres SET flakeid.max_wait = '3s'});
$node->safe_psql('postgres', q{
	SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'});
is(pooled('one', 'SELECT fluid_generate() > 0; SHOW flakeid.max_wait'), "t\n3s",
	'ALTER DATABASE is in effect in new server connections');

END
{
	my $status = $?;

	if ($folder && -e "$folder/pid")
	{
		chomp(my $pid = slurp_file("$folder/pid"));
		kill 'KILL', $pid;
	}
	$? = $status;
}

done_testing();
