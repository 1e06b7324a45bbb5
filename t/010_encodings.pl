# Text forms in databases of several encodings: what each function writes and
# reads there, byte by byte, and what its errors say.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The example of the formats: a FLUID and its digits in base 58, and the bytes
# of its emoji in UTF-8
my $id = '6731191091817518';
my $digits = 'uZZybuNNy';
my $emoji = 'f09f91a9f09f9285f09f9393f09f98b8f09f9191f09f9a93';

my $node = PostgreSQL::Test::Cluster->new('encodings');
$node->init;
$node->start;

sub hex_of
{
	return unpack 'H*', shift;
}

# A database of the encoding, with the extension
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

		-- Class and detail of the error, the detail by its bytes
		CREATE FUNCTION error_of(query text) RETURNS text LANGUAGE plpgsql AS $$
		DECLARE
			detail text;
		BEGIN
			EXECUTE query;
			RETURN 'no error';
		EXCEPTION WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			RETURN sqlstate || ' ' || hex_of(detail);
		END $$;
	});
	return;
}

sub is_query
{
	my ($encoding, $query, $expected, $what) = @_;

	return is($node->safe_psql($encoding, "SELECT $query"),
		$expected, "$encoding: $what");
}

# The function refuses these bytes with this class and detail
sub is_refused
{
	my ($encoding, $call, $class, $detail, $what) = @_;

	return is_query($encoding, "error_of(\$\$SELECT $call\$\$)",
		"$class " . hex_of($detail), $what);
}

sub unexpected
{
	my ($bytes, $position) = @_;

	return qq{Character "$bytes" at position $position does not belong there.};
}

# What is ASCII is the same everywhere.
sub test_ascii
{
	my $encoding = shift;

	is_query($encoding, "fluid_to_f58($id, true)", "f$digits", 'base 58 in ASCII');
	is_query($encoding,
		"concat_ws(' ', fluid_to_hex($id), fluid_to_dothex($id),
			fluid_to_words($id), fluid_to_decimal($id),
			nanoflake_to_base36($id), ulidflake_to_text($id))",
		'0x17e9fb8df16c2e 0017.e9fb.8df1.6c2e'
		  . ' reform-remote-galileo--heart-package-academy'
		  . " $id 1ua0ahxv48e 005Z9ZE6Z2V1E", 'the other forms written');
	is_query($encoding,
		"count(*) FILTER (WHERE fluid_from_text(t) = $id) FROM (VALUES
			('f$digits'), ('0x17e9fb8df16c2e'), ('0017.e9fb.8df1.6c2e'),
			('reform-remote-galileo--heart-package-academy'), ('$id'),
			(fluid_to_f58($id))) AS v (t)", 6, 'and read');
	is_refused($encoding, "fluid_from_f58('f0')", '22P02', unexpected('0', 2),
		'an ASCII character refused');
	return;
}

# The prefix of base 58, by its bytes here
sub test_prefix
{
	my ($encoding, $prefix) = @_;

	is_query($encoding, "hex_of(fluid_to_f58($id))", hex_of("$prefix$digits"),
		'base 58');
	is_query($encoding, "hex_of(fluid_to_f58($id, false))",
		hex_of("$prefix$digits"), 'base 58, not in ASCII alone');
	is_query($encoding,
		sprintf('fluid_from_f58(text_of(%s))',
			"'" . hex_of("$prefix$digits") . "'"),
		$id, 'base 58 read with this prefix');
	is_query($encoding,
		sprintf('fluid_from_text(text_of(%s))',
			"'" . hex_of(" $prefix$digits ") . "'"),
		$id, 'and detected');
	return;
}

sub test_no_emoji
{
	my $encoding = shift;

	is_refused($encoding, "fluid_to_emoji($id)", '22P05', '',
		'no emoji to write');
	return;
}

# A character that the form does not have, in "f" and then these bytes
sub test_character
{
	my ($encoding, $bytes, $what) = @_;

	is_refused(
		$encoding,
		sprintf(q{fluid_from_f58(text_of('%s'))}, hex_of("f1${bytes}1")),
		'22P02', unexpected($bytes, 3), $what);
	is_refused(
		$encoding,
		sprintf(q{fluid_from_emoji(text_of('%s'))}, hex_of($bytes)),
		'22P02', unexpected($bytes, 1), "$what, for emoji");
	return;
}

my @encodings = ('UTF8', 'SQL_ASCII', 'LATIN1', 'WIN1252', 'EUC_JP');
foreach my $encoding (@encodings)
{
	create_database($encoding);
	test_ascii($encoding);
}

test_prefix('UTF8', "\xc6\x92");
is_query('UTF8', "hex_of(fluid_to_emoji($id))", $emoji, 'emoji');
is_query('UTF8', "fluid_from_emoji(text_of('$emoji'))", $id, 'emoji read');
test_character('UTF8', "\xc3\xa9", 'an accented letter');

# Nobody knows what the bytes are: written as ASCII where there is a choice,
# and read as UTF-8
test_prefix('SQL_ASCII', 'f');
is_query('SQL_ASCII', "fluid_from_f58(text_of('c692" . hex_of($digits) . "'))",
	$id, 'base 58 read with the prefix in UTF-8');
is_query('SQL_ASCII', "hex_of(fluid_to_emoji($id))", $emoji, 'emoji in UTF-8');
is_query('SQL_ASCII', "fluid_from_text(text_of('$emoji'))", $id, 'emoji read');
test_character('SQL_ASCII', "\xc3\xa9", 'an accented letter in UTF-8');
test_character('SQL_ASCII', "\xe9", 'a byte that is not UTF-8');
test_character('SQL_ASCII', "\xff", 'a byte that never is');
is_refused('SQL_ASCII', "fluid_from_emoji(text_of('f09f91'))",
	'22P02', unexpected("\xf0", 1), 'an emoji cut off');

test_prefix('LATIN1', 'f');
test_no_emoji('LATIN1');
test_character('LATIN1', "\xe9", 'an accented letter');
test_character('LATIN1', "\x83", 'the byte that is U+0192 in WIN1252');

test_prefix('WIN1252', "\x83");
is_query('WIN1252', "fluid_from_f58('f$digits')", $id,
	'base 58 read with the ASCII prefix');
test_no_emoji('WIN1252');
test_character('WIN1252', "\xe9", 'an accented letter');
test_character('WIN1252', "\x81", 'a byte that means nothing');
is_refused('WIN1252', "fluid_from_f58(text_of('833130'))",
	'22P02', unexpected('0', 3), 'a fault after U+0192');

test_prefix('EUC_JP', 'f');
test_no_emoji('EUC_JP');
test_character('EUC_JP', "\xa4\xa2", 'a character of two bytes');

# The client's encoding is the server's business
is( $node->safe_psql('WIN1252',
		"SET client_encoding = 'UTF8'; SELECT fluid_to_f58($id)"),
	"\xc6\x92$digits",
	'WIN1252: the prefix reaches a client of UTF-8');

$node->stop;
done_testing();
