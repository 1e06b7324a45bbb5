# Settings take effect at server start.  A session's own settings are ignored
# or rejected, whether they come from connection options, ALTER ROLE, ALTER
# DATABASE or any form of SET, whenever the session loads the library and
# whichever process sets up the state file.

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

# CREATE EXTENSION does not open the state file, so the tests begin without
# one.
ok(!-e state_path($node), 'no state file before the first id');

my $generators = q{
SELECT fluid_generate();
SELECT nanoflake_generate();
SELECT ulidflake_generate();
SELECT ulidflake_scalable_generate();
SELECT fluid_to_timestamptz(1);
};

# The address in effect, as a session without options sees it
sub in_effect
{
	return $node->safe_psql('postgres', q{
		SELECT string_agg(format || ' ' || scope || ' ' || node || ' ' ||
		  cardinality(pending), ', ' ORDER BY format)
		FROM flakeid_status()});
}

my $server_address = '5 3 0 4 1672531200000 1640995200000 1609459200000';
my $server_in_effect =
  'fluid backend 5 0, nanoflake backend 5 0, ulidflake server 4 0';

# Parts of new ids, read without settings, and results of functions that use
# the server's epoch, with the status
my $probe = q{
SELECT 'ids', fluid_get_generator(fluid_generate()) >> 11,
  nanoflake_get_generator(nanoflake_generate()) >> 7,
  ulidflake_scalable_get_scalability(ulidflake_scalable_generate()),
  abs(extract(epoch FROM clock_timestamp() -
	fluid_to_timestamptz(fluid_generate(), '2023-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	nanoflake_to_timestamptz(nanoflake_generate(), '2022-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	ulidflake_to_timestamptz(ulidflake_generate(), '2021-01-01 00:00:00Z'))) < 60,
  fluid_to_timestamptz(0) = '2023-01-01 00:00:00Z',
  nanoflake_to_timestamptz(0) = '2022-01-01 00:00:00Z',
  ulidflake_to_timestamptz(0) = '2021-01-01 00:00:00Z',
  ulidflake_scalable_get_scalability(ulidflake_scalable_from_timestamptz(now())),
  (fluid_get_address(fluid_generate())).node,
  (SELECT string_agg(node::text || scope || cardinality(pending) ||
	extract(year FROM epoch), ' ' ORDER BY format) FROM flakeid_status());
};
my $good = 'ids|5|5|4|t|t|t|t|t|t|4|5|5backend02023 5backend02022 4server02021';

# A session that runs these statements, some of which may fail, generates ids
# with the server's address each time it generates any.
sub has_the_servers
{
	my ($what, $statements, $times, %environment) = @_;
	my $answer = run_sql($node, $statements, %environment);
	my @lines = grep { /^ids|(?:ERROR|FATAL):  (?:F0000|53400|58\w+|XX000)/ }
	  split /\n/, $answer;

	is(join("\n", @lines), join("\n", ($good) x $times),
		"$what: ids, reading functions and status use the server's settings")
	  or diag($answer);
	is(address_in_file($node), $server_address, "... and so does the state file");
	return;
}

# Each value differs from the server's: another valid value, the built-in
# default (which a session keeps if it cannot get the server's), or an invalid
# one.
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

# Repeat a template for every setting and its value.
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

# A superuser gives roles, a database and a function settings of their own.
# The server keeps such a value as long as it does not know the setting.
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

# Every way to change a session's settings: its name, statements around the
# probe, the number of answers expected, and the session's environment
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
	'no state file' => sub {
		nobody_has_it_mapped($node);
		unlink state_path($node);
	},
	'an outdated state file' => sub { unfold($node) },
	'a current state file' => sub { });

# The first connection after a start: its settings must not become the address.
foreach my $kind (sort keys %values)
{
	my ($way) = grep { $_->[0] eq 'PGOPTIONS' } ways($kind);
	my ($name, @session) = @$way;

	has_the_servers("first connection, $name, $kind values", @session);
	is(in_effect(), $server_in_effect, '... and so for the next session');
	$node->restart;
}
is(in_effect(), $server_in_effect, '... and after a restart');

# The first call loads the library, with the changed settings in place
foreach my $kind (sort keys %values)
{
	foreach my $way (ways($kind))
	{
		my ($name, @session) = @$way;
		my @before = ('an outdated state file');

		push @before, 'no state file', 'a current state file'
		  if $name =~ /^(?:PGOPTIONS|ALTER ROLE|SET)$/ && $kind ne 'invalid';
		foreach my $before (@before)
		{
			$before{$before}->();
			has_the_servers("$before, $name, $kind values", @session);
		}
	}
}

# The library is loaded before the settings change: at the start of the
# session, before it, or by the postmaster.  The server then rejects most
# changes.
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
				"$preload, $name: the connection is rejected");
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
is(in_effect(), $server_in_effect, 'the address is unchanged after all this');

# An ordinary user may call the generators and flakeid_status() only.
my $answer = run_sql($node, q{
SELECT fluid_generate() > 0, count(*) FROM flakeid_status();
SELECT flakeid_reset_clock();
SELECT flakeid_raise_floor(now());
SET flakeid.node_id = 1;
SET flakeid.ulidflake_step_bits = 1;
SET flakeid.max_wait = 5;
}, PGUSER => 'plain');
like($answer, qr/^t\|3$/m, 'an ordinary user generates ids');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_reset_clock/,
	'... cannot reset the clock');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_raise_floor/,
	'... cannot raise a floor');
like($answer, qr/ERROR:  55P02: parameter "flakeid.node_id" cannot be changed now/,
	'... cannot change node_id');
like($answer,
	qr/ERROR:  42501: permission denied to set parameter "flakeid.ulidflake_step_bits"/,
	'... or ulidflake_step_bits');
unlike($answer, qr/max_wait/, '... but can change max_wait');

# Another spelling of the configured value is the same value.
my $equal = run_sql($node, q{
SET flakeid.node_id = '0x5';
SET flakeid.sequence_scope = 'Backend';
SET flakeid.fluid_epoch = '2023-01-01T01:00:00+01:00';
SET flakeid.max_wait = '1s';
SELECT fluid_generate() > 0;
SHOW flakeid.max_wait;
});
like($equal, qr/^t\n1s$/m, 'SET to equal values before the load: ids are generated');

# Invalid values of settings that may change after server start only cause the
# server's WARNING.
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0',
	PGOPTIONS => '-c flakeid.max_wait=nonsense -c flakeid.ulidflake_step_bits=99');
like($answer, qr/WARNING.*^t$/ms, 'an invalid max_wait: a WARNING, and an id');
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0; SHOW flakeid.max_wait',
	PGOPTIONS => '-c flakeid.max_wait=7');
like($answer, qr/^t\n7ms$/m, 'max_wait can be a connection option');
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

# A reload changes nothing, but raises one WARNING per session.
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
	'the session has processed the reload');

# The session continues in its current millisecond, and warns in a new one.
$session->query('SELECT pg_sleep(0.01)');
$answer = $session->query($address);
is(() = $answer =~ /WARNING:  01000: changed flakeid settings take effect at the next server restart/g,
	1, 'one WARNING in an existing session');
like($answer, qr/^\Q$address_before\E$/m, '... which keeps its address');
$answer = join '',
  map { $session->query("SELECT pg_sleep(0.002);\n$address") } 1 .. 20;
unlike($answer, qr/WARNING/, '... once');

my $loaded = $session->query('SELECT pg_conf_load_time()');

$node->reload;
ok(wait_until(sub { $session->query('SELECT pg_conf_load_time()') ne $loaded }),
	'the session has processed another reload');
$session->query('SELECT pg_sleep(0.01)');
unlike($session->query($address), qr/WARNING/,
	'... after which it gives no WARNING either');
is($session->query(q{SELECT unnest(pending) FROM flakeid_status()
		WHERE format = 'fluid' ORDER BY 1}),
	"flakeid.nanoflake_epoch: 2022-01-01 00:00:00+00 in effect, 2020-01-01 00:00:00+00 configured\n"
	  . "flakeid.node_id: 5 in effect, 1 configured\n"
	  . "flakeid.sequence_scope: backend in effect, server configured\n"
	  . "flakeid.ulidflake_epoch: 2021-01-01 00:00:00+00 in effect, 2020-06-01 00:00:00+00 configured\n"
	  . 'flakeid.ulidflake_scalability: 4 in effect, 9 configured',
	'the status shows values in effect and values configured');

my $later = run_sql($node, "SELECT fluid_generate();\n$generators");

is(() = $later =~ /WARNING:  01000: changed flakeid settings take effect/g, 1,
	'a WARNING in a session started after the reload');
$later = run_sql($node,
	q{SELECT ulidflake_scalable_get_scalability(ulidflake_scalable_generate())});
like($later, qr/^4$/m, 'the scalability in effect does not change');
$session->quit;

# A restart applies the new address.
$node->restart;
is(in_effect(), 'fluid server 1 0, nanoflake server 1 0, ulidflake server 9 0',
	'a restart applies the new settings');
is(run_sql($node, q{
	SELECT a.node, a.slot IS NULL FROM fluid_get_address(fluid_generate()) AS a;
	SELECT ulidflake_scalable_get_scalability(ulidflake_scalable_generate())}),
	"1|t\n9", '... to the ids, without a WARNING');

# node_id must be below 2^node_bits; this is checked when it takes effect.  The
# Ulid-Flake epoch was in use before, so it does not change.
$conf .= "flakeid.ulidflake_epoch = '2020-06-01 00:00:00Z'\n";
set_conf($conf);
$node->append_conf('postgresql.conf', "flakeid.node_id = 8\n");
$node->restart;

my $bytes = state_bytes($node);

$answer = run_sql($node, "$generators SELECT * FROM flakeid_status()");
is(() = $answer =~ /ERROR:  F0000: flakeid.node_id = 8 does not fit in flakeid.node_bits = 3/g,
	6, 'node_id = 2^node_bits: generators, reading functions and status fail');
like($answer, qr/DETAIL:  .*0 to 7.*HINT:  /s, '... with detail and hint');
is(state_bytes($node), $bytes, '... and the state file is unchanged');
$node->append_conf('postgresql.conf', "flakeid.node_id = 7\n");
$node->reload;
is(in_effect(), 'fluid backend 7 0, nanoflake backend 7 0, ulidflake server 4 0',
	'after a reload with a valid value it takes effect at the next call');

# Too few bits for the slots are an error of the affected format only.
set_conf("$conf\nflakeid.node_bits = 4\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not generate a Nanoflake: its generator field has too few bits/,
	'Nanoflake reports too few bits for the slots');
like($answer, qr/DETAIL:  The field has 10 bits: flakeid.node_bits takes 4, .* need [78]\./,
	'... with the numbers');
like($answer, qr/HINT:  .*node_bits.*max_connections.*sequence_scope/,
	'... and a hint');
is(run_sql($node, q{
	SELECT node FROM fluid_get_address(fluid_generate());
	SELECT ulidflake_generate() > 0;
	SELECT format, per_ms, first_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\nt\nnanoflake||", 'FLUID and Ulid-Flake still generate ids');
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = server\n");
$node->restart;
is(run_sql($node, q{
	SELECT node FROM nanoflake_get_address(nanoflake_generate());
	SELECT per_ms, first_generator, last_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\n262144|320|383", 'server scope needs no slots and works');

# More node bits than the generator field of a Nanoflake
$node->append_conf('postgresql.conf', "flakeid.node_bits = 11\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not generate a Nanoflake: flakeid.node_bits = 11 exceeds the 10 bits of its generator field/,
	'Nanoflake rejects 11 node bits');
like($answer, qr/HINT:  /, '... with a hint');
is(run_sql($node, 'SELECT node FROM fluid_get_address(fluid_generate())'),
	'5', 'FLUID still generates ids');

$node->stop;
done_testing();
