# World.
# Servers that find another epoch than that of the ids.  With a later one, they
# generate none until it is set back, or until a reset and a floor; with an earlier
# one, ids stay above all others, but old ones are read with wrong times.

use FlakeidTest;

my $node = new_node('epochs', "shared_preload_libraries = 'flakeid'\n");
my $moved = 'the epoch of FLUID was moved, or sequence "flakeid_fluid_horizon" was changed';
my $refused = qr/55000: $moved: ids would continue at 20/;

sub sql { return run_sql($node, shift); }

# Parcels, each with its time beside its id; one of them is ahead of the clock.
sql(q{
CREATE TABLE parcels (
  id bigint PRIMARY KEY DEFAULT fluid_generate(), epoch timestamptz, made timestamptz);
INSERT INTO parcels SELECT fluid_min(now() + interval '5 min')});

# Insert parcels whose ids are above all others and count from the epoch.
sub more
{
	my ($what, $epoch) = @_;

	is(sql(qq{
WITH newest AS (SELECT max(id) AS id FROM parcels),
  new AS (INSERT INTO parcels (epoch) SELECT '$epoch' FROM generate_series(1, 1000)
    RETURNING id)
SELECT min(new.id) > max(newest.id), max(fluid_to_timestamptz(new.id)) < now() + interval '6 min'
FROM new, newest}), 't|t', "$what: new ids are above all others, and no further ahead");
	is(sql(qq{
UPDATE parcels SET epoch = '$epoch', made = fluid_to_timestamptz(id) WHERE made IS NULL;
SELECT epoch = '$epoch' FROM flakeid_status() WHERE format = 'fluid';
SELECT count(*) FROM parcels WHERE made <> fluid_to_timestamptz(id, epoch)}), "t\n0",
		"$what: every id has its time, counted from its epoch");
}

sub restart_with
{
	sql("ALTER SYSTEM SET flakeid.fluid_epoch = '$_[0]'");
	$node->restart;
}

my ($usual, $later, $earlier) = map { "$_-01-01 00:00:00Z" } 2024, 2025, 2023;

sql("SELECT flakeid_raise_floor(fluid_to_timestamptz(max(id))) FROM parcels");
more('before', $usual);

# ------------------------------------------------------------- a later epoch
restart_with($later);
like(sql($_), $refused, "a later epoch: $_ fails") foreach 'SELECT fluid_generate()',
	'INSERT INTO parcels DEFAULT VALUES';
is(sql("SELECT fluid_min('2024-03-01Z'), fluid_min('2024-09-01Z')"), '0|0',
	'... older times have one bound');
restart_with($usual);
more('set back', $usual);

# Ids of the later epoch are below the others, so they need another table.
restart_with($later);

my $notices = sql('SELECT flakeid_reset_horizon()');

like($notices, qr/WARNING: .*from now on, FLUID ids \d+ to \d+ can be generated again/,
	'the reset reports the ids of the old epoch');
unlike($notices, qr/Nanoflake|Ulid-Flake/, '... and none of other formats');
sql(q{ALTER TABLE parcels RENAME TO parcels_before;
CREATE TABLE parcels (LIKE parcels_before INCLUDING ALL);
INSERT INTO parcels SELECT fluid_min(now() + interval '5 min');
SELECT flakeid_raise_floor(fluid_to_timestamptz(max(id))) FROM parcels});
more('a reset and a floor', $later);

# -------------------------------------------------------- an earlier epoch
restart_with($earlier);
more('an earlier epoch', $earlier);
is(sql(qq{SELECT bool_and(fluid_to_timestamptz(id) < made - interval '1 year') FROM parcels
	WHERE epoch = '$later'}),
	't', '... reads wrong times from ids of another');
is(sql('SELECT count(DISTINCT id) FROM parcels'), 2001, 'no parcel is lost');

done_testing();
