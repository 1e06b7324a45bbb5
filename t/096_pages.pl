# World.
# Runs the SQL of README.md, doc/errors.md, doc/ids-in-urls.md and doc/privacy.md as
# printed, and checks the table of doc/choosing.md.

use FlakeidTest;

my $node = new_node('pages', '', init => { extra => [ '--encoding=UTF8', '--locale=C' ] });

# SQL blocks of a page
sub blocks
{
	my ($page) = @_;
	return slurp_file("$src/$page") =~ /^```sql\n(.*?)^```$/msg;
}

# Run statements in a new database, and return the output.
sub runs
{
	my ($database, @sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	my ($status, $out, $err) = $node->psql($database, join("\n", @sql), on_error_stop => 1);
	is($err, '', "$database: the statements run");
	return $out;
}

# --------------------------------------------------------------- README.md

my ($readme) = blocks('README.md');
my ($printed) = slurp_file("$src/README.md") =~ /^```text\n(.*?)\n```$/ms;

# As unaligned output
$printed =~ s/^-[-+]*\n|^\n//mg;
$printed =~ s/ *\| */|/g;
$printed =~ s/^ +| +$//mg;

# The output as printed, but for the ids; and the text of each printed FLUID is
# its own, and its time is that of the UUID beside it.
my $row = qr/^([-0-9a-f]{36})\|(\d+)\|(\w+)$/m;
my $out = runs('readme', '\pset tuples_only off', '\pset footer off', $readme);

is($out =~ s/$row/|/gr, $printed =~ s/$row/|/gr, 'README.md: the output is as printed');
is( $node->safe_psql('readme', join ';', map {
			s/$row/SELECT fluid_to_text($2, 'f58plain') = '$3',
				abs(extract(epoch FROM fluid_to_timestamptz($2)
					- uuid_v7_to_timestamptz('$1'))) < 0.1/r
		} $printed =~ /^.+\|\d+\|.+$/mg), "t|t\nt|t", '... and its ids match');

# The last day of each generator in the table is the last one that has ids.
my ($table) = slurp_file("$src/doc/choosing.md") =~ /^(\| generator .*?)\n\n/ms;
my $column = 0;
my $days = 0;

foreach my $line (split /\n/, $table)
{
	my @cells = split / \| /, $line;

	if ($line =~ /^\| generator /)
	{
		($column) = grep { $cells[$_] eq 'last day' } 0 .. $#cells;
		next;
	}
	next unless $cells[0] =~ /(uuid|fluid|nanoflake|ulidflake|scru160)\w*?_generate(_v[67])?\(\)/;

	my $bound = "$1" . ($2 // '') . '_min';
	$days++;
	is($node->safe_psql('readme',
		"SELECT $bound(day) < $bound('infinity'),
			$bound(day + interval '1 day') = $bound('infinity')
			FROM (VALUES ('$cells[$column] 00:00:00Z'::timestamptz)) AS d (day)"),
		't|t', "$bound: $cells[$column] has ids, and the next day has none");
}
is($days, 7, 'last days of seven generators');

# -------------------------------------------------------------- doc/errors.md

my ($first, $where) = blocks('doc/errors.md');

like(runs('errors', 'CREATE EXTENSION flakeid;', $first), qr/^fluid\|/m,
	'doc/errors.md: the status');

# Where the setting of a session is found, as numbers of queries
sub found
{
	my (%environment) = @_;
	my @answers = map { run_sql($node, $_, database => 'errors', %environment) }
	  $where =~ /^(SELECT [^;]*);/mg;

	return join ' ', grep { $answers[ $_ - 1 ] =~ /\A\S*3\S*\z/ } 1 .. @answers;
}

is(found(), '', 'a setting without a value');
is(found(PGOPTIONS => '-c flakeid.node_id=3'), '3', 'a setting of the client is found');
$node->safe_psql('errors', 'CREATE ROLE set LOGIN SUPERUSER;
	ALTER ROLE set IN DATABASE errors SET flakeid.node_id = 3');
is(found(PGUSER => 'set'), '2 3', '... of a role');
$node->append_conf('postgresql.conf', 'flakeid.node_id = 3');
like(run_sql($node, ($where =~ /^(SELECT [^;]*);/mg)[0], database => 'errors'),
	qr/\Aflakeid\.node_id\|3\|.*postgresql\.conf\|\d+\z/, '... of a file');
$node->adjust_conf('postgresql.conf', 'flakeid.node_id', undef);

# -------------------------------------------------------- doc/ids-in-urls.md

# TypeIDs that the specification refuses, version 0.3, with the type that they begin
# with: an error if the type is wrong, otherwise NULL
my @refused = qw(PREFIX_00000000000000000000000000 12345_00000000000000000000000000
  pre.fix_00000000000000000000000000 préfix_00000000000000000000000000
  _00000000000000000000000000 _ prefix_1234567890123456789012345
  prefix_123456789012345678901234567 prefix_0123456789ABCDEFGHJKMNPQRS
  prefix_123456789-123456789-123456 prefix_ooooooiiiiiiuuuuuuulllllll
  prefix_i23456789ol23456789oi23456 prefix_123456789-0123456789-0123456
  prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz _prefix_00000000000000000000000000
  prefix__00000000000000000000000000 prefix_);

push @refused, '', '  prefix_00000000000000000000000000',
  'prefix_1234567890123456789012345 ', 'abcdefgh' x 8 . '_' . '0' x 26;
is(@refused, 21, 'TypeIDs that the specification refuses');
runs('urls', 'CREATE EXTENSION flakeid;', blocks('doc/ids-in-urls.md'));
foreach my $typeid (@refused)
{
	my ($type) = $typeid =~ /\A(.*)_/ ? $1 : '';
	my ($status, $out, $err) =
	  $node->psql('urls', "SELECT coalesce(uuid_from_typeid('$type', '$typeid')::text, 'none')");

	ok($out eq 'none' || $err =~ /value for domain id_prefix violates check constraint/,
		"TypeID \"$typeid\" is refused");
	like(($node->psql('urls', "SELECT uuid_to_typeid('$type', uuid_generate_v7())"))[2],
		qr/violates check constraint/, '... and its type is not written')
	  if $err;
}
is($node->safe_psql('urls', q{
	SELECT count(*), bool_and(uuid_to_typeid(type, id) = typeid),
	  bool_and(uuid_from_typeid(type, typeid) = id)
	FROM (VALUES ('', '00000000000000000000000001', '00000000-0000-0000-0000-000000000001'::uuid),
	  ('', '7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	  ('prefix', 'prefix_01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'),
	  ('pre_fix', 'pre_fix_00000000000000000000000000', '00000000-0000-0000-0000-000000000000'))
	AS v (type, typeid, id)}), '4|t|t', 'others are read and written');

# ----------------------------------------------------------------- privacy.md

my $privacy = runs('privacy', 'CREATE EXTENSION flakeid;', blocks('doc/privacy.md'),
	q{INSERT INTO accounts DEFAULT VALUES
	RETURNING uuid_get_version(public_id);
	SET plan_cache_mode = force_generic_plan;
	EXPLAIN (COSTS OFF) EXECUTE invoice(gen_random_uuid());
	SELECT 'found ' || count(*) FROM invoices
	WHERE id = internal_fluid((SELECT public_fluid(max(id)) FROM invoices));
	SELECT public_fluid(id) AS shown FROM invoices WHERE total = 20 \gset
	EXECUTE invoice(:'shown')});

like($privacy, qr/^4$/m, 'the shown part is random');
like($privacy, qr/Index Cond: \(id = internal_fluid\(\$1, 1\)\)/,
	'a lookup by public id uses the primary key');
like($privacy, qr/^found 1\n20\z/m, '... and found');

sub privacy_sql
{
	my ($sql) = @_;
	my ($status, $out, $err) = $node->psql('privacy', $sql);

	return $status == 0 ? $out : $err;
}

is( privacy_sql(q{
		INSERT INTO public_id_keys VALUES (2, '\x000102030405060708090a0b0c0d0e0f');
		SELECT public_uuid('00112233-4455-6677-8899-aabbccddeeff', 2),
		  internal_uuid('69c4e0d8-6a7b-0430-d8cd-b78070b4c55a', 2)}),
	'69c4e0d8-6a7b-0430-d8cd-b78070b4c55a|00112233-4455-6677-8899-aabbccddeeff',
	'encryption equals FIPS 197, appendix C.1');
is( privacy_sql(q{
		SELECT count(DISTINCT public_uuid(v7)),
		  bool_and(internal_uuid(public_uuid(v7)) = v7),
		  bool_and(internal_fluid(public_fluid(fluid)) = fluid)
		FROM (SELECT uuid_generate_v7() AS v7, fluid_generate() AS fluid
		  FROM generate_series(1, 1000)) AS made;
		SELECT internal_fluid(public_fluid(n)) = n
		FROM unnest(ARRAY[0, 9223372036854775807, -1]) AS n;
		SELECT public_uuid(gen_random_uuid(), 3) IS NULL}),
	"1000|t|t\nt\nt\nt\nt", 'round trip; without a key the result is NULL');
like(privacy_sql("SELECT internal_fluid('69c4e0d8-6a7b-0430-d8cd-b78070b4c55a', 2)"),
	qr/ERROR:  uuid "69c4e0d8-6a7b-0430-d8cd-b78070b4c55a" is not a public id/,
	'a forged public id of a FLUID is an error');
like(privacy_sql('SELECT internal_fluid(public_fluid(1), 2)'),
	qr/is not a public id/, '... and so is one of another key');

# A role with EXECUTE on the functions, with a hostile schema in its search_path,
# and a role without it
$node->safe_psql('privacy', q{
	CREATE ROLE app;
	CREATE ROLE other;
	GRANT EXECUTE ON FUNCTION public_uuid, internal_uuid TO app;
	CREATE SCHEMA traps;
	GRANT USAGE ON SCHEMA traps TO app;
	CREATE TABLE traps.public_id_keys (number integer, key bytea);
	CREATE FUNCTION traps.encrypt(bytea, bytea, text) RETURNS bytea LANGUAGE sql
	RETURN $2;
	CREATE FUNCTION traps.internal_uuid(uuid, integer) RETURNS uuid LANGUAGE sql
	RETURN '00000000-0000-0000-0000-000000000007'::uuid});
is(privacy_sql(q{
		SET ROLE app;
		SET search_path = traps, public, pg_catalog;
		SELECT internal_fluid(public_fluid(42)),
		  public_uuid('00112233-4455-6677-8899-aabbccddeeff', 2)}),
	'42|69c4e0d8-6a7b-0430-d8cd-b78070b4c55a', 'a role with EXECUTE encrypts and decrypts ids');
like(privacy_sql('SET ROLE app; TABLE public_id_keys'),
	qr/permission denied for table public_id_keys/, '... but cannot read the key');
like(privacy_sql('SET ROLE other; SELECT public_fluid(42)'),
	qr/permission denied for function public_uuid/, 'another role cannot call the functions');

my @operating = blocks('doc/operating.md');

is(runs('alarm', $operating[0], grep { /^-- worth an alarm on any server/ } @operating),
	'', 'doc/operating.md: the query returns no alarm');

done_testing();
