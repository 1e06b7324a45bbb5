# World.
# Compare doc/reference.md with the catalogs: it describes every function of the
# extension and every setting as it is, and no others; every example returns
# the printed result.  SQLSTATEs are as doc/errors.md says.

use FlakeidTest;

my $node = new_node('reference', "shared_preload_libraries = 'flakeid'\n",
	init => { extra => [ '--encoding=UTF8', '--locale=C' ] });
my $session = session($node);

sub sql { return $session->query(@_); }

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

is(sql(q{SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET client_encoding = 'UTF8';
	SET client_min_messages = warning}), '', 'the session is set up');

# -------------------------------------------------------------------- pages

# Cells of a row, without backticks and links; a bar in a cell is written as \|
sub cells
{
	my (undef, @cells) = split /(?<!\\)\|/, $_[0], -1;

	s/\A +| +\z|`//g, s/\\\|/|/g, s/\[(\w[^\]]*)\]\([^)]*\)/$1/g foreach @cells;
	return @cells[ 0 .. $#cells - 1 ];
}

# Read a page: its headings, links within it, examples, items of lists, and rows
# of tables by the heading of their first column, each with the entry that contains it.
sub read_page
{
	my ($path) = @_;
	my %page = (text => slurp_file("$src/$path"));
	my ($entry, $columns, $in_example);

	foreach my $line (split /\n/, $page{text})
	{
		push @{ $page{items} }, [ $entry, $1 ] if $line =~ /\A- (`.*)/ && !$in_example;
		$page{items}[-1][1] .= " $1" if $line =~ /\A  (\S.*)/ && !$in_example && $page{items};
		undef $columns if $line !~ /\A\|/;
		push @{ $page{links} }, $line =~ /\]\(#([^)]*)\)/g;
		if ($line =~ /\A```(sql)?\z/)
		{
			$in_example = defined $1;
			push @{ $page{examples} }, { entry => $entry } if $in_example;
		}
		elsif ($in_example)
		{
			my $last = $page{examples}[-1];

			push(@{ $last->{result} }, $1), next if $line =~ /\A-- => (.*)/;
			push @{ $page{examples} }, $last = { entry => $entry } if ($last->{sql} // '') =~ /;\z/;
			$last->{sql} = join "\n", $last->{sql} // (), $line;
		}
		elsif ($line =~ /\A#+ (.*)/)
		{
			$entry = lc($1) =~ s/[^\w\- ]//gr =~ s/ /-/gr;
			push @{ $page{entries} }, $entry;
		}
		elsif ($line =~ /\A\|(?! ?---)/)
		{
			push @{ $page{tables}{$columns} }, [ $entry, cells($line) ] if $columns;
			$columns //= (cells($line))[0];
		}
	}
	return \%page;
}

my $page = read_page('doc/reference.md');

sub table { return @{ $page->{tables}{ $_[0] } }; }

# Rows of a table, up to this column, as the queries below return them
sub rows
{
	my ($table, $last) = @_;
	return [ map { join ' | ', @{$_}[ 1 .. $last ] } table($table) ];
}

my %linked = map { $_ => 1 } 'reference', @{ $page->{links} };

is_same([ keys %linked ], $page->{entries},
	'each heading is there once, and linked; each link has a heading');

# Functions as [entry, signature, result, labels].  {a,b} stands for each of
# its words; [, epoch timestamptz] for a function without this argument, which
# is stable unless it is volatile, and for one with it.
my @functions;

foreach my $item (@{ $page->{items} })
{
	my ($entry, $text) = @{$item};
	my ($signature, $result, $labels) =
	  $text =~ /\A`([^`]*\))` \xe2\x86\x92 `([\w ]+)`(?:, ([a-z, ]+?))?(?:: .*)?\z/ or next;

	$labels = join ', ', ($labels // '') =~ /\A(?:stable|volatile)/ ? () : 'immutable',
		$labels // ();
	foreach my $name ($signature =~ /\{(.*)\}/ ? split(/,/, $1) : '')
	{
		my $one = $signature =~ s/\{.*\}/$name/r;

		if ($one =~ s/ \[, epoch timestamptz\]//)
		{
			push @functions, [ $entry, $one, $result, $labels =~ s/immutable/stable/r ];
			$one =~ s/\)\z/, epoch timestamptz)/;
		}
		push @functions, [ $entry, $one, $result, $labels ];
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

is_described([ map { join ' | ', @{$_}[ 1 .. 3 ] } @functions ], q{
	SELECT concat_ws(' | ',
	  proname || '(' || pg_temp.short(pg_get_function_arguments(p.oid)) || ')',
	  pg_temp.short(pg_get_function_result(p.oid)),
	  concat_ws(', ',
	    CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
	    CASE WHEN NOT proisstrict THEN 'not strict' END,
	    CASE proparallel WHEN 'r' THEN 'parallel restricted' WHEN 'u' THEN 'parallel unsafe' END,
	    CASE WHEN NOT has_function_privilege('public', p.oid, 'EXECUTE') THEN 'superuser' END))
	FROM pg_proc AS p
	WHERE ('pg_proc'::regclass, oid) IN (TABLE members) AND prokind = 'f'},
	'functions: arguments, defaults, results, labels');

# The columns of row types: items under the entry of a function
foreach my $entry (qw(explain fields flakeid_status))
{
	my @items = map { $_->[0] eq $entry ? $_->[1] : () } @{ $page->{items} };
	my ($type) = map { /`(?:SETOF )?(flakeid_\w+)`(?:,|\z|: )/ } @items;

	is_described([ map { /\A`(\w+ [\w ]+)`: / } @items ], qq{
		SELECT attname || ' ' || pg_temp.short(format_type(atttypid, NULL))
		FROM pg_attribute WHERE attrelid = '$type'::regclass ORDER BY attnum}, "columns of $type");
}

is_described([ map { s/ \| below//r } @{ rows('setting', 5) } ], q{
	SELECT concat_ws(' | ', name, concat_ws(', ', vartype, unit), boot_val,
	  coalesce(min_val || ' to ' || max_val, array_to_string(enumvals, ', '),
	    CASE vartype WHEN 'bool' THEN 'on, off' END),
	  CASE context WHEN 'postmaster' THEN 'at server start'
	    WHEN 'user' THEN 'at once, by anybody' ELSE 'at once, by ' || context || 's' END)
	FROM pg_settings WHERE name LIKE 'flakeid.%'},
	'settings: type, unit, default, range, context');

# ------------------------------------------------------------------- times

# SQLSTATE with which a query ends
sql(q{
	CREATE FUNCTION state_of(query text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
	  EXECUTE query;
	  RETURN '00000';
	EXCEPTION WHEN OTHERS OR query_canceled THEN RETURN sqlstate;
	END $$});

# The first and last microsecond are accepted, and those beyond them are
# rejected, or have the _min of infinity.
foreach my $row (table('format'))
{
	my (undef, $format, undef, $first, $last, $call) = @{$row};
	my @times = map { "(timestamptz '$_->[0]+00' + $_->[1] * interval '1 us')" }
	  [ $first, -1 ], [ $first, 0 ], [ $last, 0 ], [ $last, 1 ];

	if ($call =~ /_min/)
	{
		my @least = map { sql('SELECT ' . $call =~ s/\bts\b/$_/r) } "timestamptz '-infinity'",
			@times, "timestamptz 'infinity'";

		ok($least[0] eq $least[1] && $least[1] eq $least[2] && $least[3] ne $least[4] && $least[4]
			eq $least[5],
			"time limits: $format, $call: @least");
		next;
	}
	is(join(' ',
		map { my $query = 'SELECT ' . $call
		=~ s/\bts\b/$_/r; sql("SELECT state_of(\$q\$$query\$q\$)") } @times),
		'22008 00000 00000 22008', "time limits: $format, $call");
}

# ---------------------------------------------------------------- examples

sql("\\pset null NULL\n\\pset fieldsep ' | '");
my %examples;

foreach my $example (@{ $page->{examples} })
{
	my $first = $example->{sql} =~ s/\n.*//sr;

	# For an error, only the message is shown, without detail and hint.
	my $answer = sql($example->{sql}) =~ s/\AERROR:  (.*)\n(?s:.*)/ERROR $1/r;

	$example->{result}
	  ? is($answer, join("\n", @{ $example->{result} }), "$example->{entry}: $first")
	  : unlike($answer, qr/^ERROR/m, "$example->{entry}: $first");
	$examples{ $example->{entry} } .= $example->{sql};
}

# The server calls functions of the type, its operators and operator classes;
# users call the others, so their entries have examples.
is_same([ map { $_->[1] } grep {
		$_->[1] =~ /\A(\w+)/ && ($_->[0] ne 'type-scru160' || $1 eq 'scru160_from_bytea')
			&& $_->[1] !~ /\binternal\)/ &&
		  ($examples{ $_->[0] } // '') !~ /\b$1\(/
	} @functions ], [], 'every function has an example');

# ------------------------------------------------------------------ errors

# script/check-messages compares the messages.
my $errors = read_page('doc/errors.md');
my %state_of = map { $_->[2] => $_->[1] } @{ $errors->{tables}{SQLSTATE} };

foreach my $condition (sort keys %state_of)
{
	is( sql("SELECT state_of(\$q\$DO \$d\$
			BEGIN RAISE '' USING ERRCODE = '$condition'; END\$d\$\$q\$)"),
		$state_of{$condition}, "errors: SQLSTATE of $condition");
}

$node->stop;
done_testing();
