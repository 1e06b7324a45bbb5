# Settings take effect with a start of the server, and no session's own settings
# take part in them or are refused: not connection options, not ALTER ROLE or
# ALTER DATABASE, not SET in any form, whenever the library is loaded and
# whoever has the state file set up.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $in_file = q{
max_connections = 100
flakeid.node_id = 5
flakeid.node_bits = 3
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
flakeid.nanoflake_epoch = '2022-01-01 00:00:00Z'
flakeid.ulidflake_epoch = '2021-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 4
};
my $node = new_node('settings', $in_file);

# CREATE EXTENSION does not open the state file; the tests begin without one.
ok(!-e state_path($node), 'no state file before the first id');

my $generators = q{
SELECT fluid_generate();
SELECT nanoflake_generate();
SELECT ulidflake_generate();
SELECT ulidflake_generate_scalable();
SELECT fluid_to_timestamptz(1);
};

# The address in force, seen by a session without options
sub in_force
{
	return $node->safe_psql('postgres', q{
		SELECT string_agg(format || ' ' || scope || ' ' || node || ' ' ||
		  cardinality(pending), ', ' ORDER BY format)
		FROM flakeid_status()});
}

my $server_address = '5 3 0 4 1672531200000 1640995200000 1609459200000';
my $server_in_force =
  'fluid backend 5 0, nanoflake backend 5 0, ulidflake server 4 0';

# New ids, taken apart without a setting, and what readers of an epoch and the
# status make of the server's
my $probe = q{
SELECT 'ids', fluid_get_generator(fluid_generate()) >> 11,
  nanoflake_get_generator(nanoflake_generate()) >> 7,
  ulidflake_get_scalability(ulidflake_generate_scalable()),
  abs(extract(epoch FROM clock_timestamp() -
	fluid_to_timestamptz(fluid_generate(), '2023-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	nanoflake_to_timestamptz(nanoflake_generate(), '2022-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	ulidflake_to_timestamptz(ulidflake_generate(), '2021-01-01 00:00:00Z'))) < 60,
  fluid_to_timestamptz(0) = '2023-01-01 00:00:00Z',
  nanoflake_to_timestamptz(0) = '2022-01-01 00:00:00Z',
  ulidflake_to_timestamptz(0) = '2021-01-01 00:00:00Z',
  ulidflake_get_scalability(ulidflake_scalable_from_timestamptz(now())),
  (fluid_get_address(fluid_generate())).node,
  (SELECT string_agg(node::text || scope || cardinality(pending) ||
	extract(year FROM epoch), ' ' ORDER BY format) FROM flakeid_status());
};
my $good = 'ids|5|5|4|t|t|t|t|t|t|4|5|5backend02023 5backend02022 4server02021';

# A session that runs these statements, which may fail, generates ids with the
# server's address, as often as they ask for some.
sub has_the_servers
{
	my ($what, $statements, $times, %environment) = @_;
	my $answer = run_sql($node, $statements, %environment);
	my @lines = grep { /^ids|(?:ERROR|FATAL):  (?:F0000|53400|58\w+|XX000)/ }
	  split /\n/, $answer;

	is(join("\n", @lines), join("\n", ($good) x $times),
		"$what: ids, readers and status by the server's settings")
	  or diag($answer);
	is(address_in_file($node), $server_address, "... and so is the file");
	return;
}

# Each value is another than the server's: any, the built-in default (with
# which a session is left that cannot have the server's), or invalid.
my %values = (
	other => {
		node_id => 2,
		node_bits => 5,
		sequence_scope => 'server',
		fluid_epoch => '2020-01-01T00:00:00Z',
		nanoflake_epoch => '2021-01-01T00:00:00Z',
		ulidflake_epoch => '2020-06-01T00:00:00Z',
		ulidflake_scalability => 9
	},
	default => {
		node_id => 0,
		node_bits => 0,
		sequence_scope => 'backend',
		fluid_epoch => '2024-01-01T00:00:00Z',
		nanoflake_epoch => '2024-01-01T00:00:00Z',
		ulidflake_epoch => '2024-01-01T00:00:00Z',
		ulidflake_scalability => 0
	});
$values{invalid} = { map { $_ => 'nonsense' } keys %{ $values{other} } };

# The same beginning and end around every setting and its value
sub each_setting
{
	my ($kind, $template) = @_;
	my $statements = '';

	foreach my $setting (sort keys %{ $values{$kind} })
	{
		my $statement = $template;

		$statement =~ s/NAME/flakeid.$setting/;
		$statement =~ s/VALUE/$values{$kind}{$setting}/;
		$statements .= $statement;
	}
	return $statements;
}

# By superusers: roles, a database and a function with settings of their own.
# The server keeps such a value while it does not know the setting.
$node->safe_psql('postgres', 'CREATE DATABASE bent');
$node->safe_psql('bent', 'CREATE EXTENSION flakeid');
$node->safe_psql('bent',
	each_setting('other', q{ALTER DATABASE bent SET NAME = 'VALUE';}));
foreach my $kind (sort keys %values)
{
	$node->safe_psql('postgres', "CREATE ROLE bent_$kind LOGIN;"
		  . each_setting($kind, qq{ALTER ROLE bent_$kind SET NAME = 'VALUE';}));
	$node->safe_psql('postgres', qq{
		CREATE FUNCTION bent_$kind() RETURNS void LANGUAGE plpgsql }
		  . each_setting($kind, q{ SET NAME = 'VALUE' })
		  . q{ AS 'BEGIN PERFORM public.fluid_generate(); END'});
}
$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');

$node->safe_psql('postgres', 'CREATE ROLE bent_in_database LOGIN');
$node->safe_psql('postgres',
	each_setting('other',
		q{ALTER ROLE bent_in_database IN DATABASE postgres SET NAME = 'VALUE';}));

# Every way to bend a session's settings: what it is called, statements around
# the probe and how often that answers, and the session's environment
sub ways
{
	my ($kind) = @_;
	my $set = each_setting($kind, q{SET NAME = 'VALUE';});
	my $set_local = each_setting($kind, q{SET LOCAL NAME = 'VALUE';});
	my $config = each_setting($kind,
		q{SELECT set_config('NAME', 'VALUE', false) IS NULL;});
	my $config_local = each_setting($kind,
		q{SELECT set_config('NAME', 'VALUE', true) IS NULL;});
	my @ways = (
		[
			'PGOPTIONS', $probe, 1,
			PGOPTIONS => each_setting($kind, ' -c NAME=VALUE')
		],
		[
			'PGOPTIONS and SET', "$set $probe", 1,
			PGOPTIONS => each_setting($kind, ' -c NAME=VALUE')
		],
		[ 'ALTER ROLE', $probe, 1, PGUSER => "bent_$kind" ],
		[ 'SET', "$set $probe", 1 ],
		[ 'SET, RESET', "$set RESET flakeid.node_id; $probe RESET ALL; $probe", 2 ],
		[ 'SET, DISCARD ALL', "$set DISCARD ALL; $probe", 1 ],
		[ 'SET LOCAL', "BEGIN; $set_local $probe COMMIT; $probe", 2 ],
		[ 'SET, rolled back', "BEGIN; $set $probe ROLLBACK; $probe", 2 ],
		[
			'SET after a savepoint',
			"BEGIN; SAVEPOINT s; $set $probe ROLLBACK TO s; $probe COMMIT; $probe",
			3
		],
		[
			'SET, and a savepoint around the load',
			"BEGIN; $set SAVEPOINT s; $probe ROLLBACK TO s; $probe ROLLBACK; $probe",
			3
		],
		[ 'set_config()', "$config $probe", 1 ],
		[ 'set_config(), local', "BEGIN; $config_local $probe COMMIT; $probe", 2 ],
		[ "a function's SET", "SELECT bent_$kind(); $probe", 1 ]);

	push @ways,
	  [ 'ALTER DATABASE', "\\c bent\n$probe", 1 ],
	  [ 'ALTER ROLE IN DATABASE', $probe, 1, PGUSER => 'bent_in_database' ]
	  if $kind eq 'other';
	return @ways;
}

my %before = (
	'no file' => sub { unlink state_path($node) },
	'a file to fold' => sub { unfold($node) },
	'a folded file' => sub { });

# The first connection after a start, whose settings made the address once
foreach my $kind (sort keys %values)
{
	my ($way) = grep { $_->[0] eq 'PGOPTIONS' } ways($kind);
	my ($name, @session) = @$way;

	has_the_servers("first connection, $name, $kind values", @session);
	is(in_force(), $server_in_force, '... and so for the next session');
	$node->restart;
}
is(in_force(), $server_in_force, '... nor after a restart');

# Loaded by the first call, that is with the bent settings in place
foreach my $kind (sort keys %values)
{
	foreach my $way (ways($kind))
	{
		my ($name, @session) = @$way;
		my @before = ('a file to fold');

		push @before, 'no file', 'a folded file'
		  if $name =~ /^(?:PGOPTIONS|ALTER ROLE|SET)$/ && $kind ne 'invalid';
		foreach my $before (@before)
		{
			$before{$before}->();
			has_the_servers("$before, $name, $kind values", @session);
		}
	}
}

# Loaded before they are bent, at the beginning of the session or before it,
# or by the postmaster.  Then the server refuses most of it.
foreach my $preload ('', 'session_preload_libraries', 'shared_preload_libraries')
{
	my $load = $preload ? '' : 'SELECT uuid_generate_v7() IS NULL;';

	if ($preload)
	{
		set_conf(slurp_file($node->data_dir . '/postgresql.conf')
			  . "$preload = 'flakeid'\n");
		$node->restart;
	}
	foreach my $way (ways('other'))
	{
		my ($name, $statements, $times, @environment) = @$way;

		unfold($node);
		if ($preload =~ /shared/ && $name =~ /PGOPTIONS/)
		{
			like(run_sql($node, 'SELECT 1', @environment),
				qr/parameter "flakeid\.\w+" cannot be changed now/,
				"$preload, $name: the connection is refused");
			next;
		}
		has_the_servers(($preload || 'loaded before') . ", $name",
			"\\set ON_ERROR_ROLLBACK on\n$load $statements",
			$times, @environment);
	}
}
set_conf(slurp_file($node->data_dir . '/postgresql.conf')
	  . "session_preload_libraries = ''\nshared_preload_libraries = ''\n");
$node->restart;
is(in_force(), $server_in_force, 'after all this the address is as it was');

# An ordinary user may call the generators and the status, nothing else.
my $answer = run_sql($node, q{
SELECT fluid_generate() > 0, count(*) FROM flakeid_status();
SELECT flakeid_reset_clock();
SELECT flakeid_raise_floor(now());
SET flakeid.node_id = 1;
SET flakeid.ulidflake_step_bits = 1;
SET flakeid.max_wait = 5;
}, PGUSER => 'plain');
like($answer, qr/^t\|3$/m, 'an ordinary user makes ids');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_reset_clock/,
	'... does not reset');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_raise_floor/,
	'... does not raise');
like($answer, qr/ERROR:  55P02: parameter "flakeid.node_id" cannot be changed now/,
	'... does not change the number');
like($answer,
	qr/ERROR:  42501: permission denied to set parameter "flakeid.ulidflake_step_bits"/,
	'... nor the step');
unlike($answer, qr/max_wait/, '... but how long it waits');

# The value of the file, written otherwise, is no other value.
my $equal = run_sql($node, q{
SET flakeid.node_id = '0x5';
SET flakeid.sequence_scope = 'Backend';
SET flakeid.fluid_epoch = '2023-01-01T01:00:00+01:00';
SET flakeid.max_wait = '1s';
SELECT fluid_generate() > 0;
SHOW flakeid.max_wait;
});
like($equal, qr/^t\n1s$/m, 'SET before the load, equal values: ids');

# Settings that are not those of a start get the server's WARNING alone.
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0',
	PGOPTIONS => '-c flakeid.max_wait=nonsense -c flakeid.ulidflake_step_bits=99');
like($answer, qr/WARNING.*^t$/ms, 'a bad max_wait: a WARNING, and an id');
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0; SHOW flakeid.max_wait',
	PGOPTIONS => '-c flakeid.max_wait=7');
like($answer, qr/^t\n7ms$/m, 'max_wait may come with the connection');
$answer = run_sql($node, q{
SELECT nanoflake_generate() > 0;
SET flakeid.no_such_setting = 1;
});
like($answer, qr/ERROR:  42602: invalid configuration parameter name/,
	'the prefix is reserved');

sub set_conf
{
	my ($text) = @_;

	unlink $node->data_dir . '/postgresql.conf';
	$node->append_conf('postgresql.conf', $text);
	return;
}

# A reload changes nothing, but for one WARNING in a session.
my $conf = slurp_file($node->data_dir . '/postgresql.conf');
my $session = session($node);
my ($first) = $session->query('SELECT fluid_generate()');
my $address = q{
SELECT node, slot FROM fluid_get_address(fluid_generate());
};
my $address_before = $session->query($address);

$node->append_conf('postgresql.conf', q{
flakeid.node_id = 1
flakeid.sequence_scope = server
flakeid.nanoflake_epoch = '2020-01-01 00:00:00Z'
flakeid.ulidflake_epoch = '2020-06-01 00:00:00Z'
flakeid.ulidflake_scalability = 9
});
$node->reload;
ok(wait_until(sub { $session->query('SHOW flakeid.node_id') eq '1' }),
	'the reload arrived');

# The session goes on in the millisecond it is in, and warns in a new one.
$session->query('SELECT pg_sleep(0.01)');
$answer = $session->query($address);
is(() = $answer =~ /WARNING:  01000: changed flakeid settings take effect at the next server restart/g,
	1, 'a WARNING in the session that was there');
like($answer, qr/^\Q$address_before\E$/m, '... and its old address');
$answer = join '',
  map { $session->query("SELECT pg_sleep(0.002);\n$address") } 1 .. 20;
unlike($answer, qr/WARNING/, '... once');
$node->reload;
$session->query('SELECT pg_sleep(0.2)');
unlike($session->query($address), qr/WARNING/,
	'... also after one more reload');
is($session->query(q{SELECT unnest(pending) FROM flakeid_status()
		WHERE format = 'fluid' ORDER BY 1}),
	"flakeid.nanoflake_epoch: 2022-01-01 00:00:00+00 in effect, 2020-01-01 00:00:00+00 configured\n"
	  . "flakeid.node_id: 5 in effect, 1 configured\n"
	  . "flakeid.sequence_scope: backend in effect, server configured\n"
	  . "flakeid.ulidflake_epoch: 2021-01-01 00:00:00+00 in effect, 2020-06-01 00:00:00+00 configured\n"
	  . 'flakeid.ulidflake_scalability: 4 in effect, 9 configured',
	'the status shows what is in force and what is configured');

my $later = run_sql($node, "SELECT fluid_generate();\n$generators");

is(() = $later =~ /WARNING:  01000: changed flakeid settings take effect/g, 1,
	'a WARNING in a session that begins after the reload');
$later = run_sql($node,
	q{SELECT ulidflake_get_scalability(ulidflake_generate_scalable())});
like($later, qr/^4$/m, 'the scalability in force stays');
$session->quit;

# A restart takes the new address.
$node->restart;
is(in_force(), 'fluid server 1 0, nanoflake server 1 0, ulidflake server 9 0',
	'a restart takes the new settings');
is(run_sql($node, q{
	SELECT a.node, a.slot IS NULL FROM fluid_get_address(fluid_generate()) AS a;
	SELECT ulidflake_get_scalability(ulidflake_generate_scalable())}),
	"1|t\n9", '... for the ids, without a WARNING');

# node_id has to be below 2^node_bits: checked when it comes in force.
# Ulid-Flakes were generated by the earlier epoch, so it stays.
$conf .= "flakeid.ulidflake_epoch = '2020-06-01 00:00:00Z'\n";
set_conf($conf);
$node->append_conf('postgresql.conf', "flakeid.node_id = 8\n");
$node->restart;

my $bytes = state_bytes($node);

$answer = run_sql($node, "$generators SELECT * FROM flakeid_status()");
is(() = $answer =~ /ERROR:  F0000: flakeid.node_id = 8 does not fit in flakeid.node_bits = 3/g,
	6, 'node_id = 2^node_bits: no generator, no reader, and no status');
like($answer, qr/DETAIL:  .*0 to 7.*HINT:  /s, '... with detail and hint');
is(state_bytes($node), $bytes, '... and the state file is as it was');
$node->append_conf('postgresql.conf', "flakeid.node_id = 7\n");
$node->reload;
is(in_force(), 'fluid backend 7 0, nanoflake backend 7 0, ulidflake server 4 0',
	'mended by a reload, the next call brings it in force');

# Too few bits for the slots are an error of the format that has too few.
set_conf("$conf\nflakeid.node_bits = 4\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not generate a Nanoflake: its generator field has too few bits/,
	'Nanoflake: too few bits for the slots');
like($answer, qr/DETAIL:  The field has 10 bits: flakeid.node_bits takes 4, .* need [78]\./,
	'... with the numbers');
like($answer, qr/HINT:  .*node_bits.*max_connections.*sequence_scope/,
	'... and what mends it');
is(run_sql($node, q{
	SELECT node FROM fluid_get_address(fluid_generate());
	SELECT ulidflake_generate() > 0;
	SELECT format, per_ms, first_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\nt\nnanoflake||", 'FLUID and Ulid-Flake go on');
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = server\n");
$node->restart;
is(run_sql($node, q{
	SELECT node FROM nanoflake_get_address(nanoflake_generate());
	SELECT per_ms, first_generator, last_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\n262144|320|383", 'server scope mends it');

# More node bits than a Nanoflake's generator field has
$node->append_conf('postgresql.conf', "flakeid.node_bits = 11\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not generate a Nanoflake: flakeid.node_bits = 11 exceeds the 10 bits of its generator field/,
	'no Nanoflake with 11 node bits');
like($answer, qr/HINT:  /, '... with a hint');
is(run_sql($node, 'SELECT node FROM fluid_get_address(fluid_generate())'),
	'5', 'FLUID goes on');

$node->stop;
done_testing();
