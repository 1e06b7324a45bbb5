# World.
# Ids are ordered by generation, not by commit: a reader that asks for rows
# above the last id it has seen misses rows.  The recipes of doc/commit-order.md
# miss none, even while many sessions write.

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
$_->quit foreach $late, $early, $reader, @writers;
done_testing();
