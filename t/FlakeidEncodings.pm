# Shared by the tests of encodings: a server with databases of several encodings,
# and checks of what text functions write and read there, as bytes.

package FlakeidEncodings;

use FlakeidTest;
use Exporter qw(import);

our @EXPORT = qw(
  $node $id $digits hex_of create_database is_query is_refused unexpected
  test_ascii test_prefix test_hook
);

# A FLUID, and its digits in base 58: the example of the formats
our $id = '6731191091817518';
our $digits = 'uZZybuNNy';

# Started with the first database
our $node;

sub hex_of
{
	return unpack 'H*', shift;
}

# Create a database of the encoding, with the extension.
sub create_database
{
	my $encoding = shift;

	$node //= new_node('encodings');
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

# U+0192 is 83 in this code page.
sub test_hook
{
	my ($encoding) = @_;

	test_prefix($encoding, 'f');
	is_query($encoding,
		"fluid_from_f58(text_of('83" . hex_of($digits) . "')),
		 fluid_from_text(text_of('2083" . hex_of($digits) . "'))",
		"$id|$id", 'base 58 is read with U+0192');
	is_refused($encoding, "fluid_from_f58(text_of('8383'))", '22P02', unexpected("\x83", 2),
		'... once');
}

1;
