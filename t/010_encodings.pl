# Text forms in databases of several encodings: the bytes that each function
# writes and reads, and its error messages.

use FlakeidTest;
use FlakeidEncodings;

# The example's emoji in UTF-8
my $emoji = 'f09f91a9f09f9285f09f9393f09f98b8f09f9191f09f9a93';

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

# t/011_code_pages.pl has the others of Windows.
foreach my $encoding ('UTF8', 'SQL_ASCII', 'LATIN1', 'EUC_JP', 'WIN1252')
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
test_hook('WIN1252');
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
