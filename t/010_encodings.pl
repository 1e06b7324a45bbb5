# Text forms in databases of several encodings: the bytes that each function
# writes and reads, and its error messages.

use FlakeidTest;

# The example of the formats: a FLUID, its digits in base 58, and its emoji in
# UTF-8
my $id = '6731191091817518';
my $digits = 'uZZybuNNy';
my $emoji = 'f09f91a9f09f9285f09f9393f09f98b8f09f9191f09f9a93';

my $node = new_node('encodings');

sub hex_of
{
	return unpack 'H*', shift;
}

# Create a database of the encoding, with the extension.
sub create_database
{
	my $encoding = shift;

	$node->safe_psql('postgres', qq{
		CREATE DATABASE "$encoding" ENCODING '$encoding' TEMPLATE template0
		LC_COLLATE 'C' LC_CTYPE 'C'});
	$node->safe_psql($encoding, q{
		CREATE EXTENSION flakeid;

		-- Text by its bytes in this database, and back
		CREATE FUNCTION text_of(bytes text) RETURNS text LANGUAGE sql
		AS $$SELECT convert_from(decode(bytes, 'hex'), getdatabaseencoding())$$;
		CREATE FUNCTION hex_of(t text) RETURNS text LANGUAGE sql
		AS $$SELECT encode(convert_to(t, getdatabaseencoding()), 'hex')$$;

		-- Class and detail of the error, the detail by its bytes; the message,
		-- too, consists of whole characters
		CREATE FUNCTION error_of(query text) RETURNS text LANGUAGE plpgsql AS $$
		DECLARE
			message text;
			detail text;
		BEGIN
			EXECUTE query;
			RETURN 'no error';
		EXCEPTION WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
			PERFORM length(text_of(hex_of(message)));
			RETURN sqlstate || ' ' || hex_of(detail);
		END $$;
	});
}

sub is_query
{
	my ($encoding, $query, $expected, $what) = @_;
	return is($node->safe_psql($encoding, "SELECT $query"), $expected, "$encoding: $what");
}

# The function rejects these bytes with this SQLSTATE and detail.
sub is_refused
{
	my ($encoding, $call, $class, $detail, $what) = @_;
	return is_query($encoding, "error_of(\$\$SELECT $call\$\$)", "$class " . hex_of($detail),
		$what);
}

sub unexpected
{
	my ($bytes, $position) = @_;
	return qq{Character "$bytes" at position $position is invalid.};
}

# ASCII text is the same in every encoding.
sub test_ascii
{
	my $encoding = shift;

	is_query($encoding,
		"concat_ws(' ', fluid_to_text($id, 'f58plain'), fluid_to_text($id, 'hex'),
		fluid_to_text($id, 'dothex'),
			fluid_to_text($id, 'kvs'), fluid_to_text($id, 'words'), fluid_to_text($id, 'dec'),
			nanoflake_to_text($id, 36), ulidflake_to_text($id))",
		"f$digits 0x17e9fb8df16c2e 0017.e9fb.8df1.6c2e job.0017.e9fb.8df1.6c2e"
		  . ' reform-remote-galileo--heart-package-academy'
		  . " $id 1ua0ahxv48e 005Z9ZE6Z2V1E", 'text is written in ASCII');
	is_query($encoding,
		"count(*) FILTER (WHERE fluid_from_text(t) = $id) FROM (VALUES
			('f$digits'), ('0x17e9fb8df16c2e'), ('0017.e9fb.8df1.6c2e'),
			('reform-remote-galileo--heart-package-academy'), ('$id'),
			(fluid_to_f58($id))) AS v (t)", 6, '... and read again');
	is_refused($encoding, "fluid_from_f58('f0')", '22P02', unexpected('0', 2),
		'an invalid ASCII character is rejected');
	is_query($encoding,
		"nanoflake_from_text(E' ' || nanoflake_to_text($id, 36) || E'\\n', 36),
		 ulidflake_from_text(E'\\t' || ulidflake_to_text($id)),
		 scru160_to_text(
			scru160_to_text(scru160_min('2021-09-13 13:41:30.683+00'), 'base32hex')::scru160,
			'hex')",
		"$id|$id|017bdf6431bb" . '0' x 28, 'white space at both ends is skipped');
}

# The prefix of base 58, as its bytes in this encoding
sub test_prefix
{
	my ($encoding, $prefix) = @_;

	my $bytes = hex_of("$prefix$digits");

	is_query($encoding,
		"hex_of(fluid_to_f58($id)), hex_of(fluid_to_text($id, 'f58')),
		fluid_from_f58(text_of('$bytes')), fluid_from_text(text_of('20${bytes}20'))",
		"$bytes|$bytes|$id|$id", 'base 58 has this prefix');
}

# What comes before a character that no form has, and after it.  test/fuzz finds
# the first bad character of any text, in UTF-8.
my @places = (
	[ 'fluid_from_f58(%s)', 'f1', '1' ],
	[ q{fluid_from_text(%s, 'emoji')}, '', '' ],
	[ q{fluid_from_text(%s, 'dothex')}, '0017.', '.8df1.6c2e' ],
	[ q{fluid_from_text(%s, 'kvs')}, ' job.0017.', '' ],
	[ q{fluid_from_text(%s, 'words')}, 'reform-', 'remote' ],
	[ 'fluid_from_text(%s)', '0x17', ' ' ],
	[ 'fluid_from_text(%s)', 'reform remote', '' ],
	[ 'nanoflake_from_text(%s, 36)', ' 1ua', '0ahxv48e' ],
	[ 'ulidflake_from_text(%s)', '00CMXB6TAK4S', '' ],
	[ q{uuid_from_text(%s, 'ulid')}, '01H455VB4PEX5VSKNK084SN02', '' ],
	[ q{uuid_from_text(%s, 'base58')}, '', 'BzmjTFLHWXwiSK4y3H5iW' ],
	[ '%s::scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4', '', ' is not a base32hex digit.' ]);

sub test_characters
{
	my ($encoding, @characters) = @_;
	my (@expected, @queries);

	foreach my $bytes (@characters)
	{
		foreach my $place (@places)
		{
			my ($call, $before, $after, $wrong) = @$place;
			my $text = sprintf $call, sprintf q{text_of('%s')}, hex_of("$before$bytes$after");

			push @queries, "('$text', error_of(\$\$SELECT $text\$\$))" =~ s/'(.*)',/\$\$$1\$\$,/r;
			push @expected, "$text|22P02 " . hex_of(sprintf 'Character "%s" at position %d%s',
				$bytes, length($before) + 1, $wrong // ' is invalid.');
		}
	}
	is($node->safe_psql($encoding, 'VALUES ' . join ', ', @queries),
		join("\n", @expected), "$encoding: characters that no form has");
}

# Those that have U+0192, all at 83
my @hooks = map { "WIN$_" } 1252 .. 1256, 1258;

foreach my $encoding ('UTF8', 'SQL_ASCII', 'LATIN1', 'EUC_JP', @hooks)
{
	create_database($encoding);
	test_ascii($encoding);
}

test_prefix('UTF8', "\xc6\x92");
is_query('UTF8', "hex_of(fluid_to_text($id, 'emoji'))", $emoji, 'emoji');
is_query('UTF8', "fluid_from_text(text_of('$emoji'), 'emoji')", $id, 'emoji are read');
is_refused('UTF8', "fluid_from_text(text_of('$emoji' || 'c3a9'), 'emoji')",
	'22P02', unexpected("\xc3\xa9", 7), 'an error after emoji');
test_characters('UTF8', "\xc3\xa9", "\xe3\x81\x82", "\xf0\x9d\x84\x9e", "\xc2\xa0", "\xef\xbf\xbd");

# The server does not know the encoding: text is written in ASCII if there is a
# choice, and read as UTF-8.
test_prefix('SQL_ASCII', 'f');
is_query('SQL_ASCII', "fluid_from_f58(text_of('c692" . hex_of($digits) . "'))",
	$id, 'base 58 is read with the prefix in UTF-8');
is_query('SQL_ASCII', "hex_of(fluid_to_text($id, 'emoji'))", $emoji, 'emoji are written in UTF-8');
is_query('SQL_ASCII', "fluid_from_text(text_of('$emoji'))", $id, 'emoji are read');
test_characters('SQL_ASCII', "\xe9", "\xff");
is_refused('SQL_ASCII', "fluid_from_f58(text_of('6631c3a931'))",
	'22P02', unexpected("\xc3\xa9", 3), 'an accented letter in UTF-8');
is_refused('SQL_ASCII', "fluid_from_text(text_of('f09f91'), 'emoji')",
	'22P02', unexpected("\xf0", 1), 'a truncated emoji');

is_refused($_, "fluid_to_text($id, 'emoji')", '22P05', '', 'no emoji to write')
  foreach 'LATIN1', 'WIN1252', 'EUC_JP';
test_prefix('LATIN1', 'f');
test_characters('LATIN1', "\xe9", "\x83", "\xa0", "\xff");
is_refused('LATIN1', "fluid_from_text(text_of('20c692" . hex_of($digits) . "'))",
	'22P02', unexpected("\xc6", 2), 'the bytes of U+0192 in UTF-8 are other characters');
test_characters('WIN1252', "\xe9", "\x81", "\x80", "\x83");
foreach my $encoding (@hooks)
{
	test_prefix($encoding, 'f');
	is_query($encoding,
		"fluid_from_f58(text_of('83" . hex_of($digits) . "')),
		 fluid_from_text(text_of('2083" . hex_of($digits) . "'))",
		"$id|$id", 'base 58 is read with U+0192');
	is_refused($encoding, "fluid_from_f58(text_of('8383'))", '22P02', unexpected("\x83", 2),
		'... once');
}
is_refused('LATIN1', "fluid_from_f58(text_of('83" . hex_of($digits) . "'))",
	'22P02', unexpected("\x83", 1), '... which LATIN1 does not have');
test_prefix('EUC_JP', 'f');
test_characters('EUC_JP', "\xa4\xa2", "\x8e\xb1", "\x8f\xb0\xa1");

# An encoding that cannot be converted to UTF-8, nor from it
SKIP:
{
	skip 'no such encoding in this version', 2
	  if $node->safe_psql('postgres', q{SELECT pg_char_to_encoding('MULE_INTERNAL')}) < 0;
	create_database('MULE_INTERNAL');
	test_characters('MULE_INTERNAL', "\x81\xe9", "\x92\xa4\xa2");
	is_refused('MULE_INTERNAL', "fluid_to_text($id, 'emoji')", '42883', '', 'no conversion');
}

# The server converts the message to the client's encoding, so it must consist
# of whole characters.  It can be stored, dumped and restored.
{
	my ($status, $out, $err) = $node->psql('UTF8',
		"SET client_encoding = 'LATIN1'; SELECT ulidflake_from_text('00CMXB6TAK4S\xe9')");

	like($err, qr/invalid input syntax for Ulid-Flake in base 32: "00CMXB6TAK4S\xe9"/,
		'a client with LATIN1: the message');
	like($err, qr/Character "\xe9" at position 13 is invalid/, 'a client with LATIN1: the detail');
	is( $node->safe_psql('UTF8', q{
			CREATE TABLE complaint (detail text);
			DO $$
			DECLARE
				complaint text;
			BEGIN
				PERFORM ulidflake_from_text(U&'00CMXB6TAK4S\00e9');
			EXCEPTION WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS complaint = PG_EXCEPTION_DETAIL;
				INSERT INTO complaint VALUES (complaint);
			END $$;
			COPY complaint TO PROGRAM 'cat >complaint.tsv';
			COPY complaint FROM 'complaint.tsv';
			SELECT count(*), count(DISTINCT detail) FROM complaint}),
		'2|1', 'the detail in a table can be dumped and restored');
}

done_testing();
