# Compare doc/reference.md with the catalogs: it describes every object of the
# extension and every setting as it is, and no others; every example returns
# the printed result.  Compare doc/errors.md with the source: every message,
# detail and hint, which must follow PostgreSQL's style.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FlakeidTest;

my $node = new_node('reference', "shared_preload_libraries = 'flakeid'\n",
	init => { extra => [ '--encoding=UTF8', '--locale=C' ] });
my $session = session($node);

sub sql
{
	my ($query) = @_;

	return $session->query($query);
}

# Rows of a query that returns one column
sub rows_of
{
	my ($query) = @_;

	return [ split /\n/, sql($query) ];
}

# Compare two unordered lists of lines; lines found in only one of them are
# shown.
sub is_same
{
	my ($page_says, $there_is, $what) = @_;
	my %times;

	$times{$_}++ foreach @{$page_says};
	$times{$_}-- foreach @{$there_is};
	return is(
		join("\n",
			map { ($times{$_} > 0 ? 'only in the page: ' : 'missing in the page: ') . $_ }
			grep { $times{$_} != 0 } sort keys %times),
		'', $what);
}

is(sql(q{SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD';
	SET client_encoding = 'UTF8'}), '', 'the session is set up');

# -------------------------------------------------------------------- pages

sub lines_of
{
	my ($path) = @_;

	return split /\n/, slurp_file("$src/$path");
}

sub anchor
{
	my ($heading) = @_;
	my $anchor = lc $heading;

	$anchor =~ s/[^\w\- ]//g;
	$anchor =~ s/ /-/g;
	return $anchor;
}

# Cells of a row, without backticks; a bar in a cell is written as \|
sub cells
{
	my ($line) = @_;
	my @cells = split /(?<!\\)\|/, $line, -1;

	shift @cells;
	pop @cells;
	s/\A +| +\z|`//g, s/\\\|/|/g foreach @cells;
	return @cells;
}

# Read a page: its headings, links within it, examples, and tables by their
# first column, with the entry that contains each row.
sub read_page
{
	my ($path) = @_;
	my %page = (tables => {}, examples => [], anchors => {}, links => []);
	my ($entry, $columns, $in_example);

	foreach my $line (lines_of($path))
	{
		if ($line =~ /\A```(sql)?\z/)
		{
			$in_example = defined $1;
			push @{ $page{examples} }, { entry => $entry } if $in_example;
		}
		elsif ($in_example)
		{
			my $last = $page{examples}[-1];

			if ($line =~ /\A-- => (.*)/)
			{
				push @{ $last->{result} }, $1;
				next;
			}
			if (($last->{sql} // '') =~ /;\z/)
			{
				$last = { entry => $entry };
				push @{ $page{examples} }, $last;
			}
			$last->{sql} .= (defined $last->{sql} ? "\n" : '') . $line;
		}
		elsif ($line =~ /\A#+ (.*)/)
		{
			$entry = anchor($1 =~ s/`//gr);
			$page{anchors}{$entry}++;
		}
		elsif ($line =~ /\A\|/)
		{
			my @cells = cells($line);

			next if $cells[0] =~ /\A-+\z/;
			$columns //= $cells[0];
			push @{ $page{tables}{$columns} }, [ $entry, @cells ];
			next;
		}
		push @{ $page{links} }, $line =~ /\]\(#([^)]*)\)/g;
		undef $columns;
	}
	return \%page;
}

my $page = read_page('doc/reference.md');

# Rows of all tables whose first column has this heading, without the heading
# rows.
sub table
{
	my ($name) = @_;

	return grep { $_->[1] ne $name } @{ $page->{tables}{$name} };
}

is_deeply([ grep { $_ != 1 } values %{ $page->{anchors} } ],
	[], 'no duplicate headings');
is_deeply([ grep { !$page->{anchors}{$_} } @{ $page->{links} } ],
	[], 'every link within the page has a target');

{
	my %linked = map { $_ => 1 } @{ $page->{links} };

	is_deeply([ grep { !$linked{$_} && !/\A(reference|contents)\z/ }
			sort keys %{ $page->{anchors} } ],
		[], 'the contents list has every entry');
}

# ---------------------------------------------------------------- catalogs

sql(q{
	CREATE TEMP VIEW members AS SELECT classid, objid FROM pg_depend
	WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND
	      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid');
	CREATE FUNCTION pg_temp.short(t text) RETURNS text LANGUAGE sql
	RETURN replace(replace(replace(t,
	  'timestamp with time zone', 'timestamptz'),
	  'timestamp without time zone', 'timestamp'), '::text', '')});

is_same(
	[   map {
			my ($entry, $signature, $result, $labels) = @{$_};

			# The columns of a returned table are in the entry itself, or in
			# another one.
			if ($result =~ /\A(?:table|\[table\]\(#(.*)\))\z/)
			{
				my $where = $1 // $entry;

				$result = 'TABLE(' . join(', ',
					map { "$_->[1] $_->[2]" }
					grep { $_->[0] eq $where } table('column')) . ')';
			}
			"$signature | $result | $labels"
		} table('function') ],
	rows_of(q{
		SELECT concat_ws(' | ',
		  proname || '(' || pg_temp.short(pg_get_function_arguments(p.oid)) || ')',
		  pg_temp.short(pg_get_function_result(p.oid)),
		  concat_ws(', ',
		    CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable'
		      WHEN 'v' THEN 'volatile' END,
		    CASE WHEN NOT proisstrict THEN 'not strict' END,
		    CASE proparallel WHEN 'r' THEN 'parallel restricted'
		      WHEN 'u' THEN 'parallel unsafe' END,
		    CASE WHEN NOT has_function_privilege('public', p.oid, 'EXECUTE')
		      THEN 'superuser' END))
		FROM pg_proc AS p
		WHERE ('pg_proc'::regclass, oid) IN (TABLE members) AND prokind = 'f'}),
	'functions: arguments, defaults, results, labels');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 4 ] } table('aggregate') ],
	rows_of(q{
		SELECT concat_ws(' | ', p.oid::regprocedure,
		  prorettype::regtype, aggtransfn, oprname)
		FROM pg_proc AS p JOIN pg_aggregate ON aggfnoid = p.oid
		JOIN pg_operator AS o ON o.oid = aggsortop
		WHERE ('pg_proc'::regclass, p.oid) IN (TABLE members) AND
		  prokind = 'a' AND proparallel = 's' AND aggcombinefn = aggtransfn}),
	'aggregates');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 7 ] } table('type') ],
	rows_of(q{
		SELECT concat_ws(' | ', typname, typlen,
		  CASE WHEN typbyval THEN 'yes' ELSE 'no' END,
		  CASE typalign WHEN 'c' THEN 'char' ELSE typalign::text END,
		  CASE typstorage WHEN 'p' THEN 'plain' ELSE typstorage::text END,
		  typcategory,
		  concat_ws(', ', typinput, typoutput, typreceive, typsend))
		FROM pg_type
		WHERE ('pg_type'::regclass, oid) IN (TABLE members) AND typelem = 0}),
	'types');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 3 ] } table('cast') ],
	rows_of(q{
		SELECT concat_ws(' | ',
		  castsource::regtype || ' AS ' || casttarget::regtype,
		  castfunc::regproc, CASE castcontext WHEN 'e' THEN 'explicit'
		    WHEN 'a' THEN 'assignment' WHEN 'i' THEN 'implicit' END)
		FROM pg_cast WHERE ('pg_cast'::regclass, oid) IN (TABLE members)}),
	'casts');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 6 ] } table('operator') ],
	rows_of(q{
		SELECT concat_ws(' | ', o.oprname, o.oprcode, c.oprname, n.oprname,
		  o.oprrest || ', ' || o.oprjoin,
		  concat_ws(', ', CASE WHEN o.oprcanmerge THEN 'merges' END,
		    CASE WHEN o.oprcanhash THEN 'hashes' END))
		FROM pg_operator AS o JOIN pg_operator AS c ON c.oid = o.oprcom
		JOIN pg_operator AS n ON n.oid = o.oprnegate
		WHERE ('pg_operator'::regclass, o.oid) IN (TABLE members) AND
		  o.oprleft = 'scru160'::regtype AND o.oprright = o.oprleft AND
		  o.oprresult = 'boolean'::regtype}),
	'operators');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 4 ] } table('operator class') ],
	rows_of(q{
		SELECT concat_ws(' | ', opcname, amname,
		  (SELECT string_agg(amopstrategy || ' ' || oprname, ', '
		   ORDER BY amopstrategy)
		   FROM pg_amop JOIN pg_operator AS o ON o.oid = amopopr
		   WHERE amopfamily = opcfamily),
		  (SELECT string_agg(amprocnum || ' ' || amproc, ', ' ORDER BY amprocnum)
		   FROM pg_amproc WHERE amprocfamily = opcfamily))
		FROM pg_opclass JOIN pg_am AS a ON a.oid = opcmethod
		JOIN pg_opfamily AS f ON f.oid = opcfamily
		WHERE ('pg_opclass'::regclass, pg_opclass.oid) IN (TABLE members) AND
		  ('pg_opfamily'::regclass, f.oid) IN (TABLE members) AND
		  opcdefault AND opfname = opcname}),
	'operator classes and families');

is_same(
	[ map { join ' | ', @{$_}[ 1 .. 4 ] } table('sequence') ],
	rows_of(q{
		SELECT concat_ws(' | ', relname, seqstart, seqmin, seqcache)
		FROM pg_class JOIN pg_sequence ON seqrelid = oid
		WHERE ('pg_class'::regclass, oid) IN (TABLE members)}),
	'sequences');

# All other members were compared above; array types are members from 17 on.
is( sql(q{
		SELECT count(*) FROM members
		WHERE NOT (classid = 'pg_type'::regclass AND
		  objid IN (SELECT typarray FROM pg_type))}),
	table('function') + table('aggregate') + table('type') + table('cast')
	  + table('operator') + 2 * table('operator class') + table('sequence'),
	'the extension has no other members');

is_same(
	[ map { join ' | ', grep { $_ ne 'below' } @{$_}[ 1 .. 6 ] }
		  table('setting') ],
	rows_of(q{
		SELECT concat_ws(' | ', name, concat_ws(', ', vartype, unit), boot_val,
		  coalesce(min_val || ' to ' || max_val,
		    array_to_string(enumvals, ', ')),
		  CASE context WHEN 'postmaster' THEN 'configuration file'
		    WHEN 'user' THEN 'anybody' ELSE context END,
		  CASE context WHEN 'postmaster' THEN 'at server start, if preloaded'
		    ELSE 'at once' END)
		FROM pg_settings WHERE name LIKE 'flakeid.%'}),
	'settings: type, unit, default, range, context');

# ------------------------------------------------------------------- times

# The first and last microsecond are accepted, and those beyond them are
# rejected.
{
	my $calls = 0;
	my @wrong;

	sql(q{
		CREATE FUNCTION state_of(query text) RETURNS text LANGUAGE plpgsql AS $$
		BEGIN
		  EXECUTE query;
		  RETURN '00000';
		EXCEPTION WHEN OTHERS THEN
		  RETURN sqlstate;
		END $$});
	foreach my $row (table('format'))
	{
		my (undef, $format, undef, $first, $last, $call) = @{$row};

		next if $format !~ /\A[A-Z]/;
		foreach my $case (
			[ $first, 0, '00000' ], [ $last, 0, '00000' ],
			[ $first, -1, '22008' ], [ $last, 1, '22008' ])
		{
			my ($ts, $us, $expected) = @{$case};
			my $query = 'SELECT ' . $call =~
			  s/\bts\b/(timestamptz '$ts+00' + $us * interval '1 us')/r;
			my $got = sql("SELECT state_of(\$q\$$query\$q\$)");

			$calls++;
			push @wrong, "$query: $got" if $got ne $expected;
		}
	}
	is_deeply(\@wrong, [], 'time limits are as documented');
	cmp_ok($calls, '>=', 40, '... for all formats');
}

# ---------------------------------------------------------------- examples

sql(q{
	\pset null NULL
	\pset fieldsep ' | '
	SET client_min_messages = warning});

foreach my $example (@{ $page->{examples} })
{
	my $answer = sql($example->{sql});
	my $first = $example->{sql} =~ s/\n.*//sr;

	# For an error, only the message is shown, without detail and hint.
	$answer =~ s/\AERROR:  (.*)\n(?s:.*)/ERROR $1/;
	if (defined $example->{result})
	{
		is($answer, join("\n", @{ $example->{result} }),
			"$example->{entry}: $first");
	}
	else
	{
		unlike($answer, qr/^ERROR/m, "$example->{entry}: $first");
	}
}

# A function with named arguments, or without arguments, is called by users, so
# its entry has an example.
{
	my %examples;

	$examples{ $_->{entry} } .= $_->{sql} foreach @{ $page->{examples} };
	is_deeply(
		[   grep {
				my ($entry, $signature) = @{$_};
				my ($name) = $signature =~ /\A(\w+)/;

				$signature =~ /\(\)|\(\w+ \w/
				  && ($examples{$entry} // '') !~ /\b\Q$name\E\(/
			} table('function') ],
		[], 'every function has an example');
}

# ------------------------------------------------------------------ errors

# Strings that follow a match of the pattern: adjacent C strings are joined,
# and each conversion becomes "…".
sub strings
{
	my ($source, $before) = @_;
	my @strings;

	while ($source =~ /$before((?:\s*(?:"(?:[^"\\]|\\.)*"|INT64_FORMAT))+)/g)
	{
		my $string = join '', map { /\A"(.*)"\z/s ? $1 : '…' }
		  $1 =~ /("(?:[^"\\]|\\.)*"|INT64_FORMAT)/g;

		$string =~ s/%(?:\d+\$)?[-0-9.*]*(?:ll|z|l)?[a-zA-Z]/…/g;
		$string =~ s/\\(.)/$1/g;
		push @strings, $string if $string =~ /[a-z]/;
	}
	return @strings;
}

# Messages with their SQLSTATE conditions, and the sentences of details and
# hints
my (%messages, %sentences, %conditions);

foreach my $path (glob "$src/src/pg/*.c")
{
	my $source = slurp_file($path);

	$conditions{ lc $1 } = 1 while $source =~ /\bERRCODE_(\w+)/g;
	$messages{$_} //= ''
	  foreach strings($source, qr/\berrmsg\(/);
	$messages{$_} = 'internal_error'
	  foreach strings($source, qr/\belog\(ERROR,/);
	$sentences{$_} = 1
	  foreach strings($source,
		qr/\b(?:errdetail|errdetail_internal|errhint|GUC_check_errdetail)\(/);

	# In the table of error.c, messages follow their conditions.  Sentences
	# that functions return or tables contain end with a period; those of
	# settings.c are descriptions of settings.
	$messages{$_} //= '' foreach strings($source, qr/\bERRCODE_\w+,/);
	next if $path =~ /\bsettings\.c\z/;
	$sentences{$_} = 1
	  foreach grep { /\.\z/ }
	  strings($source, qr/(?:\breturn|\bpsprintf\(|[,?:])/);
}
foreach my $path (glob "$src/src/pg/*.c")
{
	my $source = slurp_file($path);

	foreach my $condition (keys %conditions)
	{
		my $macro = 'ERRCODE_' . uc $condition;

		# One message, or one of two alternatives
		$messages{$_} = $condition
		  foreach strings($source,
			qr/\b$macro\)?,\s*(?:(?:[^,;"]*\?\s*)?errmsg\()?/),
		  strings($source,
			qr/\b$macro\)?,\s*[^,;"]*\?\s*errmsg\([^;:]*\)\s*:\s*errmsg\(/);
	}
}

# The contents of the page: each message is a heading, followed by its
# SQLSTATE, details and hints.
my (%states, @said, $message);

foreach my $line (lines_of('doc/errors.md'))
{
	if ($line =~ /\A### `(.*)`\z/)
	{
		$message = $1;
		$states{$message} = '';
	}
	elsif ($line =~ /\A- (?:Detail|Hint): (.*)/)
	{
		push @said, $1;
	}
	elsif ($line =~ /\A  (\S.*)/ && @said)
	{
		$said[-1] .= " $1";
	}
	elsif (defined $message && $line ne '')
	{
		$states{$message} ||= $line =~ s/[.,: ].*//r;
	}
}

my %state_of = map { $_->[2] => $_->[1] } table('SQLSTATE');
my %sentences_said = map { $_ => 1 } @said;

is_same([ keys %states ], [ keys %messages ], 'errors: every message is documented');
is_same([ keys %sentences_said ],
	[ keys %sentences ], 'errors: every detail and hint is documented');
is_same(
	[ grep { $messages{$_} ? $states{$_} ne $state_of{ $messages{$_} }
			: $states{$_} !~ /\A(?:WARNING|NOTICE|SQLSTATE)\z/ } keys %states ],
	[], 'errors: each message has its SQLSTATE');

# PreventCommandDuringRecovery() raises 25006.
is_same([ grep { $_ ne 'read_only_sql_transaction' } keys %state_of ],
	[ keys %conditions ], 'errors: every condition is documented');
foreach my $condition (sort keys %state_of)
{
	is( sql("SELECT state_of(\$q\$DO \$d\$BEGIN RAISE '' USING ERRCODE = '$condition'; END\$d\$\$q\$)"),
		$state_of{$condition}, "errors: SQLSTATE of $condition");
}

# Errors that the server itself raises
{
	my $own = read_page('doc/errors.md')->{tables}{message};

	cmp_ok(scalar @{$own}, '>', 1, "errors: PostgreSQL's own");
	foreach my $row (@{$own}[ 1 .. $#{$own} ])
	{
		my (undef, $text, $state, undef, $statement) = @{$row};
		my $pattern = join '.*', map { quotemeta } split /…/, $text, -1;

		like(sql($statement), qr/^ERROR:  $state: $pattern$/m,
			"errors: $statement");
		sql('RESET ROLE');
	}
}

is_deeply([ grep { !/\A(?:[a-z"]|…)/ || /[.\n]\z/ } sort keys %messages ],
	[], 'messages start in lower case and have no period');
is_deeply([ grep { !/\A(?:[A-Z]|…)/ || !/\.\z/ } sort keys %sentences ],
	[], 'details and hints are sentences');

$node->stop;
done_testing();
