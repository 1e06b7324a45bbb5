# World.
# Compare the pages of doc/reference with the catalogs.  Every function has a heading
# with its name, its signature and its labels, and no other function has one.  README.md
# there has a link to each.  Every example returns the printed result.  Row types,
# settings, bits, and the first and last times are those of the pages, and SQLSTATEs
# those of doc/errors.md.

use FlakeidTest;

my $node = new_node('reference', "shared_preload_libraries = 'flakeid'\n",
	init => { extra => [ '--encoding=UTF8', '--locale=C' ] });
my $session;

sub sql { return $session->query(@_); }

# Continue in a new session, in a database with the extension.
sub go_to
{
	my ($database) = @_;

	$session->quit if $session;
	$session = session($node, database => $database);
	return is(sql(q{SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET client_encoding = 'UTF8';
		SET client_min_messages = warning}), '', "$database: the session is set up");
}

go_to('postgres');

# Compare two unordered lists; what is in only one of them is shown.
sub is_same
{
	my ($page_says, $there_is, $what) = @_;
	my %times;

	$times{$_}++ foreach @{$page_says};
	$times{$_}-- foreach @{$there_is};
	return is(join("\n",
		map { ($times{$_} > 0 ? 'only in the page: ' : 'missing in the page: ') . $_ }
			grep { $times{$_} != 0 } sort keys %times), '', $what);
}

# -------------------------------------------------------------------- pages

# Cells of a row, without backticks and links; a bar in a cell is written as \|
sub cells
{
	my (undef, @cells) = split /(?<!\\)\|/, $_[0], -1;

	s/\A +| +\z|`//g, s/\\\|/|/g, s/\[(\w[^\]]*)\]\([^)]*\)/$1/g foreach @cells;
	return @cells[ 0 .. $#cells - 1 ];
}

# Read a page: its headings, links, signatures, examples, items of lists, and rows of
# tables by the heading of their first column, each with the entry that contains it.
# A table's first row is that of its headings.
sub read_page
{
	my ($path) = @_;
	my %page = (path => $path, text => slurp_file("$src/$path"), entries => [], examples => [],
		signatures => [], items => [], links => [], tables => {});
	my ($section, $entry, $columns) = ('', '');
	my $in = '';

	foreach my $line (split /\n/, $page{text})
	{
		undef $columns if $line !~ /\A\|/;
		if ($line =~ /\A```(\w*)\z/)
		{
			$in = $in ? '' : $1 || 'other';
			push @{ $page{examples} }, { entry => $entry } if $in eq 'sql';
		}
		elsif ($in eq 'sql')
		{
			my $last = $page{examples}[-1];

			push(@{ $last->{result} }, $1), next if $line =~ /\A-- => (.*)/;
			push @{ $page{examples} }, $last = { entry => $entry } if ($last->{sql} // '') =~ /;\z/;
			$last->{sql} = join "\n", $last->{sql} // (), $line;
		}
		elsif ($in)
		{
			# A signature has its heading, and can continue in an indented line.  The
			# title of a page and the headings of its sections are no names.
			$page{signatures}[-1]{text} .= " $1", next if $in eq 'text' && $line =~ /\A {4}(\S.*)/;
			push @{ $page{signatures} }, { entry => $entry, section => $section, text => $line }
			  if $in eq 'text' && $entry =~ /\A\w+\z/;
		}
		elsif ($line =~ /\A(#+) (.*)/)
		{
			my $level = $1;

			$entry = lc($2) =~ s/[^\w\- ]//gr =~ s/ /-/gr;
			$section = $entry if $level eq '##';
			push @{ $page{entries} }, $entry;
		}
		else
		{
			push @{ $page{links} }, $line =~ /(\[[^\]]*\]\([^)]*\))/g;
			push @{ $page{items} }, [ $entry, $1 ] if $line =~ /\A- (`.*)/;
			if ($line =~ /\A\|(?! ?---)/)
			{
				$columns //= (cells($line))[0];
				push @{ $page{tables}{$columns} }, [ $entry, cells($line) ];
			}
		}
	}
	return \%page;
}

my @pages = map { read_page(s{\A\Q$src\E/}{}r) } sort glob "$src/doc/reference/*.md";

# Name of the file of a page
sub file_of { return ($_[0]->{path} =~ m{([^/]+)\z})[0]; }

# Without repetitions
sub different
{
	my %there = map { $_ => 1 } @_;
	return [ sort keys %there ];
}

my %page = map { file_of($_) =~ s/\.md\z//r => $_ } @pages;

# Rows of a table, without that of its headings, up to this column, as the queries
# below return them
sub rows
{
	my ($page, $table, $last) = @_;
	my @rows = @{ $page->{tables}{$table} };

	return [ map { join ' | ', @{$_}[ 1 .. $last ] } @rows[ 1 .. $#rows ] ];
}

foreach my $page (@pages)
{
	my %times;

	$times{$_}++ foreach @{ $page->{entries} };
	is(join(' ', grep { $times{$_} > 1 } sort keys %times), '',
		"$page->{path}: no heading is there twice");
}
is_same(different(map { /\]\(([-\w]+\.md)/ } @{ $page{README}{links} }),
	[ map { file_of($_) } grep { $_ != $page{README} } @pages ],
	'README.md leads to every other page');

# Functions as [name, signature, result, labels]
my (@functions, %place, %internal);

foreach my $page (@pages)
{
	foreach my $one (@{ $page->{signatures} })
	{
		my ($signature, $name, $result, $labels) =
		  $one->{text} =~ /\A((\w+)\(.*\)) \xe2\x86\x92 (\w[\w ]*?)  ([A-Z, ]+)\z/;

		ok(defined $name && $name eq $one->{entry},
			"$page->{path}, $one->{entry}: a signature of this name: $one->{text}");
		next unless defined $name;
		push @functions, [ $name, $signature, $result, $labels ];
		$place{$name}{ file_of($page) . "#$one->{entry}" } = 1;
		$internal{$name} = 1
		  if $one->{section} eq 'functions-behind-the-type' || $signature =~ /\binternal\)/;
	}
}

# ---------------------------------------------------------------- catalogs

sub is_described
{
	my ($rows, $query, $what) = @_;
	return is_same($rows, [ split /\n/, sql($query) ], $what);
}

sql(q{
	CREATE TEMP VIEW members AS SELECT classid, objid FROM pg_depend
	WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND
	      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid');
	CREATE FUNCTION pg_temp.short(t text) RETURNS text LANGUAGE sql
	RETURN replace(replace(replace(t, 'timestamp with time zone', 'timestamptz'),
	  'timestamp without time zone', 'timestamp'), '::text', '')});

# The heading of each function, and how README.md leads to it
is_described([ keys %place ], q{
	SELECT DISTINCT proname FROM pg_proc
	WHERE ('pg_proc'::regclass, oid) IN (TABLE members)}, 'every function has a heading');
is(join(' ', grep { keys %{ $place{$_} } > 1 } sort keys %place), '', '... on one page');
is_same(different(map { /\A\[`(\w+)`\]\(([-\w]+\.md#\w+)\)\z/ ? "$1 $2" : () }
		@{ $page{README}{links} }),
	[ map { my $name = $_; map { "$name $_" } keys %{ $place{$name} } } keys %place ],
	'README.md leads to every function');

is_described([ map { join ' | ', @{$_}[ 1 .. 3 ] } @functions ], q{
	SELECT concat_ws(' | ',
	  proname || '(' || pg_temp.short(pg_get_function_arguments(p.oid)) || ')',
	  pg_temp.short(pg_get_function_result(p.oid)),
	  concat_ws(', ',
	    CASE provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
	    CASE WHEN NOT proisstrict AND prokind = 'f' THEN 'CALLED ON NULL INPUT' END,
	    CASE proparallel WHEN 'r' THEN 'PARALLEL RESTRICTED' WHEN 'u' THEN 'PARALLEL UNSAFE' END,
	    CASE WHEN NOT has_function_privilege('public', p.oid, 'EXECUTE') THEN 'SUPERUSER' END))
	FROM pg_proc AS p
	WHERE ('pg_proc'::regclass, oid) IN (TABLE members)},
	'functions: arguments, defaults, results, labels');

# The columns of row types: items under the heading of the type, or of the only function
# that returns it
foreach ([ 'common', 'flakeid_explain_row' ], [ 'common', 'flakeid_address_row' ],
	[ 'administration', 'flakeid_status', 'flakeid_status_row' ])
{
	my ($page, $entry, $type) = @{$_};

	$type //= $entry;
	is_described([ map { $_->[0] eq $entry && $_->[1] =~ /\A`(\w+ [\w ]+)`: / ? $1 : () }
			@{ $page{$page}{items} } ], qq{
		SELECT attname || ' ' || pg_temp.short(format_type(atttypid, NULL))
		FROM pg_attribute WHERE attrelid = '$type'::regclass ORDER BY attnum}, "columns of $type");
}

is_described([ map { s/ \| (?:below)?(?= \|)//gr } @{ rows($page{settings}, 'setting', 5) } ], q{
	SELECT concat_ws(' | ', name, concat_ws(', ', vartype, unit),
	  CASE WHEN context <> 'internal' THEN boot_val END,
	  coalesce(min_val || ' to ' || max_val, array_to_string(enumvals, ', '),
	    CASE vartype WHEN 'bool' THEN 'on, off' END),
	  CASE context WHEN 'postmaster' THEN 'at server start' WHEN 'internal' THEN 'read only'
	    WHEN 'user' THEN 'at once, by anybody' ELSE 'at once, by ' || context || 's' END)
	FROM pg_settings WHERE name LIKE 'flakeid.%'},
	'settings: type, unit, default, range, context');
is_described([ map { /\A\[`(flakeid\.\w+)`\]/ } @{ $page{README}{links} } ],
	q{SELECT name FROM pg_settings WHERE name LIKE 'flakeid.%'},
	'README.md leads to every setting');

# -------------------------------------------------------------------- bits

# The tables of bits have the fields that _explain returns; those of the draft only
# the fields of one unit and of one width.
my %explained = (
	fluid => [ 'fluid_explain(0)' ],
	nanoflake => [ 'nanoflake_explain(0)' ],
	'ulid-flake' => [ 'ulidflake_explain(0)' ],
	scru160 => [ 'scru160_explain(scru160_min(now()))' ],
	uuid => [ 'uuid_explain(uuid_v7_min(now()))', 'uuid_explain(uuid_v6_min(now()))',
		'uuid_explain(uuid_v6_to_v1(uuid_v6_min(now())))',
		q{uuid_explain(uuid_v8_from_parts(0, 0, '\x0000000000000000'))} ],
	draft => [ q{uuid_explain_draft(uuid_generate_v7_draft('us'))
			WHERE field ~ '^(unixts|subsec_[ab]|.*_us)$'},
		q{uuid_explain_draft(uuid_generate_v8_draft(60)) WHERE field LIKE '%60%'} ]);

is_same([ keys %explained ], [ grep { $page{$_}{tables}{field} } keys %page ],
	'pages with tables of bits');
foreach my $name (sort keys %explained)
{
	# The row of headings is there once for each table.
	my @rows = grep { $_ ne 'field | first bit | bits' } 'of a table',
		@{ rows({ tables => { field => [ [], @{ $page{$name}{tables}{field} } ] } }, 'field', 3) };

	shift @rows;
	is_described(\@rows, join(' UNION ALL ', map { "SELECT concat_ws(' | ', field, first_bit, bits)
		FROM $_" } @{ $explained{$name} }), "$name: fields and their bits");
}

# ------------------------------------------------------------------- times

# SQLSTATE with which a query ends
sql(q{
	CREATE FUNCTION state_of(query text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
	  EXECUTE query;
	  RETURN '00000';
	EXCEPTION WHEN OTHERS OR query_canceled THEN RETURN sqlstate;
	END $$});

# The first and last microsecond in the table at the head of a page are accepted, and
# those beyond them are rejected, or have the _min of infinity.  A format with several
# widths has one last time for each.
my %calls = (
	'UUIDv6' => [ 'uuid_v6_from_timestamptz(ts)' ],
	'UUIDv7' => [ 'uuid_v7_from_timestamptz(ts)' ],
	'FLUID' => [ 'fluid_min(ts)' ],
	'Nanoflake' => [ 'nanoflake_min(ts)' ],
	'Ulid-Flake' => [ 'ulidflake_min(ts)', 'ulidflake_from_timestamptz(ts)' ],
	'SCRU160' => [ 'scru160_from_timestamptz(ts)', 'scru160_min(ts)' ],
	'UUIDv7 of the draft' => [ map { "uuid_v7_draft_from_timestamptz(ts, '$_')" } qw(ms us ns) ],
	'UUIDv8 of the draft' => [ map { "uuid_v8_draft_from_timestamptz(ts, $_)" } 32, 48, 60, 64 ]);

foreach my $page (@pages)
{
	my ($formats, @rows) = @{ $page->{tables}{''} // [] };
	my ($first_row) = grep { $_->[1] eq 'First time' } @rows;
	my ($last_row) = grep { $_->[1] eq 'Last time' } @rows;

	foreach my $column (2 .. $#{ $formats // [] })
	{
		my $format = $formats->[$column];
		my @first = $first_row->[$column] =~ /\d+-\d\d-\d\d \d\d:\d\d:[\d.]+/g;
		my @last = $last_row->[$column] =~ /\d+-\d\d-\d\d \d\d:\d\d:[\d.]+/g;

		next if !@first && !@last && $format eq 'UUIDv8';

		my $calls = delete $calls{$format};

		foreach (0 .. $#{$calls})
		{
			time_limits("$format, $calls->[$_]", $calls->[$_], $first[$_] // $first[0],
				$last[$_] // $last[0]);
		}
	}
}
is(join(', ', sort keys %calls), '', 'every format has a first and a last time');

sub time_limits
{
	my ($what, $call, $first, $last) = @_;
	my @times = map { "(timestamptz '$_->[0]+00' + $_->[1] * interval '1 us')" }
	  [ $first, -1 ], [ $first, 0 ], [ $last, 0 ], [ $last, 1 ];

	if ($call =~ /_min/)
	{
		my @least = map { sql('SELECT ' . $call =~ s/\bts\b/$_/r) } "timestamptz '-infinity'",
			@times, "timestamptz 'infinity'";

		return ok($least[0] eq $least[1] && $least[1] eq $least[2] && $least[3] ne $least[4]
			&& $least[4] eq $least[5], "time limits: $what: @least");
	}
	return is(join(' ',
		map { my $query = 'SELECT ' . $call
		=~ s/\bts\b/$_/r; sql("SELECT state_of(\$q\$$query\$q\$)") } @times),
		'22008 00000 00000 22008', "time limits: $what");
}

# ---------------------------------------------------------------- examples

# Each page in a database of its own
my %shown;

foreach my $page (grep { @{ $_->{examples} } } @pages)
{
	my $database = $page->{path} =~ s/\W+/_/gr;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION flakeid');
	go_to($database);
	sql("\\pset null NULL\n\\pset fieldsep ' | '");
	foreach my $example (@{ $page->{examples} })
	{
		my $first = $example->{sql} =~ s/\n.*//sr;

		# For an error, only the message is shown, without detail and hint.
		my $answer = sql($example->{sql}) =~ s/\AERROR:  (.*)\n(?s:.*)/ERROR $1/r;

		$example->{result}
		  ? is($answer, join("\n", @{ $example->{result} }),
			"$page->{path}, $example->{entry}: $first")
		  : unlike($answer, qr/^ERROR/m, "$page->{path}, $example->{entry}: $first");
		$shown{ $example->{entry} } .= $example->{sql} if $example->{result};
	}
}
go_to('postgres');

# The server calls the functions behind the type and those with internal arguments;
# users call the others, so their entries have an example with its result.
is_same([ grep { !$internal{$_} && ($shown{$_} // '') !~ /\b$_\(/ } sort keys %place ], [],
	'every function has an example with its result');

# ------------------------------------------------------------------ errors

# script/check-messages compares the messages.
my $errors = read_page('doc/errors.md');
my %state_of = map { $_->[2] => $_->[1] } grep { $_->[1] ne 'SQLSTATE' }
	@{ $errors->{tables}{SQLSTATE} };

foreach my $condition (sort keys %state_of)
{
	is( sql("SELECT state_of(\$q\$DO \$d\$
			BEGIN RAISE '' USING ERRCODE = '$condition'; END\$d\$\$q\$)"),
		$state_of{$condition}, "errors: SQLSTATE of $condition");
}

$session->quit;
$node->stop;
done_testing();
