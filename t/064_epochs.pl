# World.
# The recipe of doc/migrating.md for another epoch, run as printed: ids keep
# their times, no id is repeated, and new ids are above the converted ones.

use FlakeidTest;
use FlakeidDoc;

my $node = new_node('epochs', "shared_preload_libraries = 'flakeid'\n");
my $heading = 'Change the epoch';
my $refused =
  qr/55000: the epoch of FLUID was moved, or sequence "flakeid_fluid_horizon" was changed: ids would continue at 20/;

read_page('migrating.md', qr/^(?!Change the epoch)/);

# Parcels, each with its time beside its id; one of them is ahead of the clock.
$node->safe_psql('postgres', q{
CREATE TABLE parcels (
  id bigint PRIMARY KEY DEFAULT fluid_generate(), epoch text, made timestamptz);
INSERT INTO parcels (epoch) SELECT 'first' FROM generate_series(1, 1000);
INSERT INTO parcels SELECT fluid_min(now() + interval '5 min'), 'first';
UPDATE parcels SET made = fluid_to_timestamptz(id)});

sub status
{
	return run_sql($node, q{
SELECT epoch::date FROM flakeid_status() WHERE format = 'fluid'});
}

# Insert parcels whose ids are above all others and count from the epoch.
sub more
{
	my ($what, $epoch) = @_;

	is( run_sql($node, qq{
WITH newest AS (SELECT max(id) AS id FROM parcels),
  new AS (INSERT INTO parcels (epoch) SELECT '$what' FROM generate_series(1, 1000)
    RETURNING id)
SELECT min(new.id) > max(newest.id),
  max(fluid_to_timestamptz(new.id)) < now() + interval '6 min'
FROM new, newest}),
		't|t', "$what: new ids are above all others, and no further ahead");
	$node->safe_psql('postgres', q{
UPDATE parcels SET made = fluid_to_timestamptz(id) WHERE made IS NULL});
	is(status(), $epoch, "$what: counted from $epoch");
	is($node->safe_psql('postgres',
			'SELECT count(*) FROM parcels WHERE made <> fluid_to_timestamptz(id)'),
		0, "$what: every id keeps its time");
}

# ------------------------------------------------------------- a later epoch
run_block($node, 'postgres', $heading);
$node->restart;
run_block($node, 'postgres', $heading, fails => qr/the epoch of FLUID was moved, .*: ids would continue at/);
like(run_sql($node, 'INSERT INTO parcels DEFAULT VALUES'), $refused, 'no row is inserted before the reset');
run_block($node, 'postgres', $heading);

my $notices = '';

run_block($node, 'postgres', $heading, stderr => \$notices);
like($notices, qr/WARNING: +from now on, FLUID ids \d+ to \d+ can be generated again/,
	'the reset reports the ids of the old epoch');
unlike($notices, qr/Nanoflake|Ulid-Flake/, '... and none of other formats');
more('later', '2025-01-01');

# -------------------------------------------------------- the earlier epoch
# The epochs exchanged, and then the second statement of step 4
my ($convert) = slurp_file("$src/doc/migrating.md") =~ /^(ALTER TABLE parcels ALTER id TYPE .*?;)/ms;

$convert =~ s/2024(.*)2025/2025${1}2024/;
$node->safe_psql('postgres', q{
ALTER SYSTEM SET flakeid.fluid_epoch = '2024-01-01 00:00:00Z'});
$node->restart;
$node->safe_psql('postgres',
	"$convert SELECT flakeid_raise_floor(fluid_to_timestamptz(max(id))) FROM parcels");
more('earlier', '2024-01-01');
is($node->safe_psql('postgres', 'SELECT count(DISTINCT id) FROM parcels'), 3001, 'no parcel is lost');
all_blocks_run();

done_testing();
