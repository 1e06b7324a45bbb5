# World.
# Ids are ordered by generation, not by commit: a reader that asks for rows
# above the last id it has seen misses rows.  The recipes of doc/commit-order.md
# miss none, even while many sessions write, and after a dump and restore into a
# cluster with lower transaction numbers.

use FlakeidTest;
use FlakeidServers;

my $node = new_node('primary');

run_recipe($node, 'events, and which transaction wrote them');

my $reader = session($node);
my @seen;

# Return the rows that are new to the reader, in the order of their ids.
sub read_on
{
	my @rows = split /\n/, $reader->query(recipe('what was committed since the reader was here'));

	push @seen, @rows;
	return join ' ', map { (split /\|/)[1] } @rows;
}

# -------------------------------------------------------------- a late commit

my $late = session($node);
my $early = session($node);

$_->backend_pid foreach $late, $early;
$late->query(q{BEGIN; INSERT INTO event (body) VALUES ('late')});
$early->query(q{SELECT pg_sleep(0.002); INSERT INTO event (body) VALUES ('early')});

my $last = $reader->query('SELECT id FROM event ORDER BY id DESC LIMIT 1');

is(read_on(), '', 'a transaction in progress: the reader takes no row above it');
$late->query('COMMIT');
is($reader->query("SELECT body FROM event WHERE id > $last"),
	'', 'above the last id seen: the late row is missed');
is($reader->query("\\set last_seen $last\n"
		  . recipe('from ten seconds before the last id that was seen')
		  =~ s/SELECT id, body/SELECT body/r),
	"late\nearly", 'with an overlap the late row is read');
is(read_on(), 'late early', 'by transaction ids it is read, and in order');
is(read_on(), '', '... and not read twice');

# ---------------------------------------------------- many concurrent writers

my $writers = 4;
my $transactions = scaled(150);
my @writers = map { session($node) } 1 .. $writers;

my $reads = 0;

# Let the sessions write, and read meanwhile.
sub write_and_read
{
	foreach my $i (0 .. $#writers)
	{
		$writers[$i]->send(join "\n", map {
			my $end = $_ % 7 == $i ? 'ROLLBACK' : 'COMMIT';

			"BEGIN; INSERT INTO event (body) VALUES ('$i.$_.$end');\n"
			  . "SELECT pg_sleep(random() / 100) \\g /dev/null\n"
			  . "SAVEPOINT s; INSERT INTO event (body) VALUES ('$i.$_.$end.s'); $end;"
		} 1 .. $transactions);
	}
	while (grep { $_->is_waiting } @writers)
	{
		read_on();
		$reads++;
	}
	$_->receive foreach @writers;
	read_on();
	return $reads > 3;
}

ok(wait_until(\&write_and_read), 'the reader reads while sessions write');

my $all = $node->safe_psql('postgres', 'SELECT id, body FROM event ORDER BY id');

is(join("\n", sort { ($a =~ /^(\d+)/)[0] <=> ($b =~ /^(\d+)/)[0] } @seen),
	$all, 'every committed row is read once');
unlike($all, qr/ROLLBACK/, 'and no uncommitted row');
$_->quit foreach $late, $early, @writers;

# ------------------------------------------------- two readers of one name

my $again = session($node);
my $new = recipe('what was committed since the reader was here');

$node->safe_psql('postgres', q{INSERT INTO event (body) VALUES ('for one of them')});
like($reader->query($new =~ s/COMMIT;//r), qr/\|for one of them\z/, 'a reader');
$again->backend_pid;
$again->send($new =~ s/COMMIT;/ROLLBACK;/r);
ok(wait_until(sub {
		$again->answers_within(0)
		  || $node->safe_psql('postgres', 'SELECT count(*) FROM pg_locks WHERE NOT granted')
	}), '... and another one of its name, which waits');
$reader->query('COMMIT');
my $answer = $again->receive;
like($answer, qr/ERROR:  40001: could not serialize access/, '... fails');
unlike($answer, qr/for one of them/, '... and does not get the row');
is($again->query($new), '', '... then there is none');
$_->quit foreach $reader, $again;

# ------------------------------------------------------------------- marks

$node->safe_psql('postgres', 'CREATE DATABASE marks');
$node->safe_psql('marks',
	'CREATE EXTENSION flakeid;' . recipe('events, and whether they are unread'));

my $marks = recipe('read the unread rows, and mark them');
my ($one, $two, $three) = map { session($node, database => 'marks') } 1 .. 3;

# Bodies of the rows that the reader gets.
sub bodies { return join ' ', map { (split /\|/)[1] } split /\n/, shift; }

$one->query(q{BEGIN; INSERT INTO event (body) VALUES ('late')});
$two->query(q{INSERT INTO event (body) VALUES ('early')});
is(bodies($two->query($marks)), 'early', 'marks: the committed row is read');
$one->query('COMMIT');
is(bodies($two->query($marks =~ s/COMMIT/ROLLBACK/r)), 'late', '... and the late one');
is(bodies($two->query($marks =~ s/COMMIT;//r)), 'late', '... once more, since the reader failed');
$three->backend_pid;
$three->send("INSERT INTO event (body) VALUES ('new');\n$marks");
ok(wait_until(sub {
		$node->safe_psql('marks', 'SELECT count(*) FROM pg_locks WHERE NOT granted')
	}), '... another reader waits');
$two->query('COMMIT');
is(bodies($three->receive), 'new', '... and gets only what the first one did not get');
$_->quit foreach $one, $two, $three;

my @read;

@writers = map { session($node, database => 'marks') } 1 .. $writers;
foreach my $i (0 .. $#writers)
{
	$writers[$i]->send(join "\n", map {
		my $end = $_ % 7 == $i ? 'ROLLBACK' : 'COMMIT';

		"BEGIN; INSERT INTO event (body) VALUES ('$i.$_.$end');\n"
		  . "SELECT pg_sleep(random() / 100) \\g /dev/null\n$end;"
	} 1 .. $transactions);
}

my @readers = map { session($node, database => 'marks') } 1 .. 2;

while (grep { $_->is_waiting } @writers)
{
	$_->send($marks) foreach @readers;
	push @read, split /\n/, $_->receive foreach @readers;
}
$_->receive foreach @writers;
push @read, split /\n/, $readers[0]->query($marks);
is(join("\n", sort @read),
	join("\n", sort split /\n/, $node->safe_psql('marks', q{SELECT id, body FROM event
		WHERE body LIKE '%.%'})),
	'marks: two readers get every committed row once');
$_->quit foreach @writers, @readers;

# ----------------------------------------------------- a dump and a restore

# A cluster that has had fewer transactions
$node->safe_psql('postgres', 'DO $$ BEGIN FOR n IN 1..2000 LOOP
	PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$');
$node->safe_psql('postgres', recipe('what was committed since the reader was here'));

my $other = new_node('restored');

sub restore
{
	my ($database) = @_;
	my $dump = new_folder($other, $database) . '/dump.sql';

	$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr($database) ], "$database: a dump");
	$other->safe_psql('postgres', "CREATE DATABASE restored_$database");
	$other->safe_psql("restored_$database", "\\set ON_ERROR_STOP 1\n\\i $dump");
	return "restored_$database";
}
$node->safe_psql($_, q{INSERT INTO event (body) VALUES ('before the move')})
  foreach qw(marks postgres);

my $marked = restore('marks');

$other->safe_psql($marked, q{INSERT INTO event (body) VALUES ('after the move')});
is(bodies($other->safe_psql($marked, $marks)), 'before the move after the move',
	'... restored: marks say which rows are unread');

my $numbered = restore('postgres');
my $rows = $node->safe_psql('postgres', 'SELECT count(*) FROM event');

cmp_ok($other->safe_psql($numbered, 'SELECT pg_current_xact_id()'), '<',
	$other->safe_psql($numbered, 'SELECT upto FROM reader'), '... with lower transaction numbers');
$other->safe_psql($numbered, q{INSERT INTO event (body) VALUES ('after the move')});
is(bodies($other->safe_psql($numbered, $new)), '', '... the reader misses a new row');

my $repair = recipe('after each move to another cluster: the readers get every row once more');

$other->safe_psql($numbered, "CREATE ROLE limited; GRANT ALL ON event, reader TO limited;
	ALTER TABLE event ENABLE ROW LEVEL SECURITY;
	CREATE POLICY few ON event USING (body LIKE 'before%')");
like(run_sql($other, "SET ROLE limited;\n$repair", database => $numbered),
	qr/query would be affected by row-level security policy for table "event"/,
	'... a role that does not see all rows cannot repair it');
$other->safe_psql($numbered, $repair);
$other->safe_psql($numbered, q{INSERT INTO event (body) VALUES ('after the repair')});

my @once = split /\n/, $other->safe_psql($numbered, $new);

is(scalar @once, $rows + 2, '... after the repair it gets every row');
like($once[-2] . $once[-1], qr/after the move\d+\|after the repair\z/, '... and new ones');
is($other->safe_psql($numbered, $new), '', '... once more only');
done_testing();
