# Each start of a server draws a random number, by which it recognizes the horizons that
# it has written.  Here it draws the number of an earlier start, from a source of constant
# bytes.  Ids continue correctly all the same, because the page is older than the start.

use FlakeidTest 'clock';
use FlakeidHorizon;

my $constant = shim('random');

plan skip_all => 'pg_strong_random() does not use OpenSSL here'
	unless $constant && `ldd \$(which postgres)` =~ /libcrypto/;

my $node = new_node('same_number', '', clock => 1);

sub restart_constant
{
	my ($mode, $seconds) = @_;

	$node->stop($mode);
	set_clock($node, $seconds);
	local %ENV = (%ENV, LD_PRELOAD => clock_library() . ":$constant",
		FLAKEID_CLOCK => FlakeidTest::folder($node) . '/clock');
	$node->start;
}

sub start_numbers
{
	my %tags = map { (split /\|/, horizon_row($node, $_))[1] => 1 } qw(fluid ulidflake);

	return join ' ', map { $_ >> 32 & 0x3fffffff } keys %tags;
}

log_ids($node);
restart_constant('fast', 3600);
add_ids($node, 100);

my $number = start_numbers();

foreach my $mode (qw(fast immediate))
{
	my $newest = newest_ids($node);

	restart_constant($mode, 0);
	is($node->safe_psql('postgres',
			q{SELECT string_agg(DISTINCT horizon_state, ' ') FROM flakeid_status()}), 'earlier',
		"stop $mode: the horizons are of an earlier start");
	continues_after($node, '... an hour ahead', $newest);
	is(start_numbers(), $number, '... and the numbers of the starts are equal');
}

# A session and another one of the same start find its own pages.
run_sql($node, 'SELECT fluid_generate()');
is($node->safe_psql('postgres',
		q{SELECT horizon_state FROM flakeid_status() WHERE format = 'fluid'}), 'current',
	'... a page of this start is its own');
done_testing();
