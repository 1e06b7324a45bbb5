# Text forms in databases of several encodings: the bytes that each function
# writes and reads, and its error messages.

use strict;
use warnings;

use FlakeidTest qw($src);
use Math::BigInt;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The example of the formats: a FLUID, its digits in base 58, and its emoji in
# UTF-8
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

# The function rejects these bytes with this SQLSTATE and detail.
sub is_refused
{
	my ($encoding, $call, $class, $detail, $what) = @_;

	return is_query($encoding, "error_of(\$\$SELECT $call\$\$)",
		"$class " . hex_of($detail), $what);
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

	is_query($encoding, "fluid_to_f58($id, true)", "f$digits", 'base 58 in ASCII');
	is_query($encoding,
		"concat_ws(' ', fluid_to_text($id, 'hex'), fluid_to_text($id, 'dothex'),
			fluid_to_text($id, 'kvs'), fluid_to_text($id, 'words'), fluid_to_text($id, 'dec'),
			nanoflake_to_text($id), ulidflake_to_text($id))",
		'0x17e9fb8df16c2e 0017.e9fb.8df1.6c2e job.0017.e9fb.8df1.6c2e'
		  . ' reform-remote-galileo--heart-package-academy'
		  . " $id 1ua0ahxv48e 005Z9ZE6Z2V1E", 'all other forms are written in ASCII');
	is_query($encoding,
		"count(*) FILTER (WHERE fluid_from_text(t) = $id) FROM (VALUES
			('f$digits'), ('0x17e9fb8df16c2e'), ('0017.e9fb.8df1.6c2e'),
			('reform-remote-galileo--heart-package-academy'), ('$id'),
			(fluid_to_f58($id))) AS v (t)", 6, '... and read again');
	is_refused($encoding, "fluid_from_f58('f0')", '22P02', unexpected('0', 2),
		'an invalid ASCII character is rejected');
	is_query($encoding,
		"nanoflake_from_text(E' ' || nanoflake_to_text($id) || E'\\n'),
		 ulidflake_from_text(E'\\t' || ulidflake_to_text($id)),
		 scru160_to_text(scru160_from_text(E' ' ||
		   scru160_to_text(scru160_min('2021-09-13 13:41:30.683+00')) || E'\\r'), 'hex')",
		"$id|$id|017bdf6431bb" . '0' x 28, 'white space at both ends is skipped');
	return;
}

# The prefix of base 58, as its bytes in this encoding
sub test_prefix
{
	my ($encoding, $prefix) = @_;

	is_query($encoding, "hex_of(fluid_to_f58($id))", hex_of("$prefix$digits"),
		'base 58');
	is_query($encoding, "hex_of(fluid_to_text($id))",
		hex_of("$prefix$digits"), 'base 58 is the default form');
	is_query($encoding, "hex_of(fluid_to_f58($id, false))",
		hex_of("$prefix$digits"), 'base 58 with the prefix of the encoding');
	is_query($encoding,
		sprintf('fluid_from_f58(text_of(%s))',
			"'" . hex_of("$prefix$digits") . "'"),
		$id, 'base 58 is read with this prefix');
	is_query($encoding,
		sprintf('fluid_from_text(text_of(%s))',
			"'" . hex_of(" $prefix$digits ") . "'"),
		$id, '... and detected');
	return;
}

sub test_no_emoji
{
	my $encoding = shift;

	is_refused($encoding, $_, '22P05', '', "no emoji to write: $_")
	  foreach "fluid_to_text($id, 'emoji')";
	return;
}

# Test a character that the form does not have, after "f".
sub test_character
{
	my ($encoding, $bytes, $what) = @_;

	is_refused(
		$encoding,
		sprintf(q{fluid_from_f58(text_of('%s'))}, hex_of("f1${bytes}1")),
		'22P02', unexpected($bytes, 3), $what);
	is_refused(
		$encoding,
		sprintf(q{fluid_from_text(text_of('%s'), 'emoji')}, hex_of($bytes)),
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
is_query('UTF8', "hex_of(fluid_to_text($id, 'emoji'))", $emoji, 'emoji');
is_query('UTF8', "fluid_from_text(text_of('$emoji'), 'emoji')", $id, 'emoji are read');
test_character('UTF8', "\xc3\xa9", 'an accented letter');

# The server does not know the encoding: text is written in ASCII if there is a
# choice, and read as UTF-8.
test_prefix('SQL_ASCII', 'f');
is_query('SQL_ASCII', "fluid_from_f58(text_of('c692" . hex_of($digits) . "'))",
	$id, 'base 58 is read with the prefix in UTF-8');
is_query('SQL_ASCII', "hex_of(fluid_to_text($id, 'emoji'))", $emoji, 'emoji are written in UTF-8');
is_query('SQL_ASCII', "fluid_from_text(text_of('$emoji'))", $id, 'emoji are read');
test_character('SQL_ASCII', "\xc3\xa9", 'an accented letter in UTF-8');
test_character('SQL_ASCII', "\xe9", 'a byte that is not UTF-8');
test_character('SQL_ASCII', "\xff", 'a byte that is invalid in UTF-8');
is_refused('SQL_ASCII', "fluid_from_text(text_of('f09f91'), 'emoji')",
	'22P02', unexpected("\xf0", 1), 'a truncated emoji');

test_prefix('LATIN1', 'f');
test_no_emoji('LATIN1');
test_character('LATIN1', "\xe9", 'an accented letter');
test_character('LATIN1', "\x83", 'the byte of U+0192 in WIN1252');

test_prefix('WIN1252', "\x83");
is_query('WIN1252', "fluid_from_f58('f$digits')", $id,
	'base 58 is read with the ASCII prefix');
test_no_emoji('WIN1252');
test_character('WIN1252', "\xe9", 'an accented letter');
test_character('WIN1252', "\x81", 'a byte without a character');
is_refused('WIN1252', "fluid_from_f58(text_of('833130'))",
	'22P02', unexpected('0', 3), 'an error after U+0192');

test_prefix('EUC_JP', 'f');
test_no_emoji('EUC_JP');
test_character('EUC_JP', "\xa4\xa2", 'a two-byte character');

# The server converts to the client's encoding.
is( $node->safe_psql('WIN1252',
		"SET client_encoding = 'UTF8'; SELECT fluid_to_f58($id)"),
	"\xc6\x92$digits",
	'WIN1252: a client with UTF-8 receives the prefix');

# The server converts the message to the client's encoding, so it must consist
# of whole characters.  It can be stored, dumped and restored.
{
	my ($status, $out, $err) = $node->psql('UTF8',
		"SET client_encoding = 'LATIN1'; SELECT ulidflake_from_text('00CMXB6TAK4S\xe9')");

	like($err, qr/invalid input syntax for Ulid-Flake in base 32: "00CMXB6TAK4S\xe9"/,
		'a client with LATIN1: the message');
	like($err, qr/Character "\xe9" at position 13 is invalid/,
		'a client with LATIN1: the detail');
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

# -------------------------------------------------------------------- fuzzing
#
# Damage texts of each form, using characters of one to four bytes.  Compare
# each decoder's result with that of a second reader, which implements the
# rules of doc/errors.md on characters.

my $limit_63 = Math::BigInt->new(2)->bpow(63)->bsub(1);
my $limit_64 = Math::BigInt->new(2)->bpow(64)->bsub(1);
my %word_number;
my %emoji_number;

{
	my $n = 0;

	foreach my $word (split /\n/, slurp_file("$src/data/fluid_words.txt"))
	{
		$word_number{$word} = $n++ if $n < 1626;
	}
	$n = 0;
	foreach my $line (split /\n/, slurp_file("$src/data/fluid_emoji.txt"))
	{
		my $character = chr hex $line =~ s/U\+//r;

		utf8::encode($character);
		$emoji_number{$character} = $n++;
	}
}

sub digits_of
{
	my @characters = @_;
	my %numbers;

	@numbers{@characters} = 0 .. $#characters;
	return \%numbers;
}

my $base16 = digits_of(0 .. 9, 'a' .. 'f');
my %positional = (
	f58 => {
		name => 'base 58', prefix => 'f', limit => $limit_64,
		digits => digits_of(1 .. 9, grep { !/[IOl]/ } 'A' .. 'Z', 'a' .. 'z') },
	hex => {
		name => 'hexadecimal', prefix => '0x', limit => $limit_64, fold => 1,
		digits => $base16 },
	emoji => {
		name => 'emoji', prefix => '', limit => $limit_64,
		digits => \%emoji_number },
	decimal => {
		name => 'decimal', prefix => '', limit => $limit_64,
		digits => digits_of(0 .. 9) },
	base36 => {
		name => 'base 36', prefix => '', limit => $limit_63, fold => 1,
		digits => digits_of(0 .. 9, 'a' .. 'z') },
	base32 => {
		name => 'base 32', prefix => '', limit => $limit_63, fold => 1,
		digits => digits_of(0 .. 9, grep { !/[ilou]/ } 'a' .. 'z') });

# Crockford's alphabet, with its look-alikes
my %crockford = (
	%{ $positional{base32}{digits} },
	(map { uc, $positional{base32}{digits}{$_} } keys %{ $positional{base32}{digits} }),
	(map { $_ => 1 } qw(i I l L)), (map { $_ => 0 } qw(o O)));

sub folded
{
	return shift =~ tr/A-Z/a-z/r;
}

# Results of a reader: SQLSTATE and detail
sub character_fault
{
	my ($character, $at) = @_;

	return '22P02 ' . unexpected($character, $at + 1);
}

sub short_fault
{
	my ($at) = @_;

	return sprintf '22P02 The text ends unexpectedly at position %d.', $at + 1;
}

sub range_fault
{
	my ($limit) = @_;

	return "22003 The largest value is $limit.";
}

# Read the digits from an index to the end.  All indexes count characters.
sub find_digits
{
	my ($rules, $at, $end, $text) = @_;
	my $radix = keys %{ $rules->{digits} };
	my $value = Math::BigInt->new(0);

	return short_fault($end) if $at >= $end;
	for (; $at < $end; $at++)
	{
		my $character = $rules->{fold} ? folded($text->[$at]) : $text->[$at];
		my $digit = $rules->{digits}{$character};

		return character_fault($text->[$at], $at) if !defined $digit;
		$value->bmul($radix)->badd($digit);
		return range_fault($rules->{limit}) if $value > $rules->{limit};
	}
	return '00000 ';
}

sub find_number
{
	my ($form, $at, $end, $text, $hook) = @_;
	my $rules = $positional{$form};

	if ($form eq 'f58' && $at < $end && $text->[$at] eq $hook)
	{
		return find_digits($rules, $at + 1, $end, $text);
	}
	foreach my $expected (split //, $rules->{prefix})
	{
		return short_fault($end) if $at >= $end;
		return character_fault($text->[$at], $at)
		  if $text->[$at] ne $expected;
		$at++;
	}
	return find_digits($rules, $at, $end, $text);
}

# Start and end of the text between white space
sub trimmed
{
	my ($text) = @_;
	my ($at, $end) = (0, scalar @{$text});

	$at++ while $at < $end && $text->[$at] =~ /\A[ \t\n\x0b\f\r]\z/;
	$end-- while $end > $at && $text->[ $end - 1 ] =~ /\A[ \t\n\x0b\f\r]\z/;
	return ($at, $end);
}

sub find_base32
{
	my ($at, $end, $text) = @_;
	my $rules = $positional{base32};

	foreach my $i ($at .. $end - 1)
	{
		return character_fault($text->[$i], $i)
		  if $i - $at == 13
		  || !defined $rules->{digits}{ folded($text->[$i]) };
	}
	return short_fault($end) if $end - $at < 13;
	return find_digits($rules, $at, $end, $text);
}

sub find_kvs
{
	my ($at, $end, $text) = @_;

	foreach my $expected (split //, 'job.')
	{
		return short_fault($end) if $at >= $end;
		return character_fault($text->[$at], $at)
		  if $text->[$at] ne $expected;
		$at++;
	}
	return find_dothex($at, $end, $text);
}

# Read a UUID: check the characters, then the length, then the digit that
# exceeds the greatest text.
sub find_uuid
{
	my ($digits, $least, $greatest, $text) = @_;
	my @greatest = split //, $greatest;

	foreach my $i (0 .. $#{$text})
	{
		return character_fault($text->[$i], $i)
		  if $i == @greatest || !defined $digits->{ $text->[$i] };
	}
	return short_fault(scalar @{$text}) if @{$text} < $least;
	foreach my $i (0 .. (@{$text} == @greatest ? $#greatest : -1))
	{
		my $above = $digits->{ $text->[$i] } <=> $digits->{ $greatest[$i] };

		return sprintf '22003 Character "%s" at position %d makes the value greater than "%s".',
		  $text->[$i], $i + 1, $greatest
		  if $above > 0;
		last if $above < 0;
	}
	return '00000 ';
}

sub find_dothex
{
	my ($at, $end, $text) = @_;

	foreach my $group (1 .. 4)
	{
		my $digits = 0;

		if ($group > 1)
		{
			return short_fault($end) if $at >= $end;
			return character_fault($text->[$at], $at) if $text->[$at] ne '.';
			$at++;
		}
		while ($at < $end && $digits < 4
			&& defined $base16->{ folded($text->[$at]) })
		{
			$digits++;
			$at++;
		}
		next if $digits > 0;
		return $at >= $end ? short_fault($end) :
		  character_fault($text->[$at], $at);
	}
	return $at < $end ? character_fault($text->[$at], $at) : '00000 ';
}

# The separators are a pattern that matches one character.
sub find_words
{
	my ($at, $end, $text, $separator) = @_;
	my @halves = (0, 0);

	foreach my $n (0 .. 5)
	{
		my $word = '';
		my $begin;

		$at++ while $n > 0 && $at < $end && $text->[$at] =~ $separator;
		return short_fault($end) if $at >= $end;
		for ($begin = $at; $at < $end && $text->[$at] !~ $separator; $at++)
		{
			return character_fault($text->[$at], $at)
			  if $text->[$at] !~ /\A[A-Za-z]\z/;
			$word .= $text->[$at];
		}
		return character_fault($text->[$at], $at) if $word eq '';
		return sprintf '22P02 Word "%s" at position %d is not in the word list.',
		  $word, $begin + 1
		  if !defined $word_number{ folded($word) };
		$halves[ $n / 3 ] += $word_number{ folded($word) } * 1626**($n % 3);
		return range_fault($limit_64)
		  if $n % 3 == 2 && $halves[ $n / 3 ] > 0xffffffff;
	}
	return $at < $end ? character_fault($text->[$at], $at) : '00000 ';
}

sub find_detected
{
	my ($text, $hook) = @_;
	my ($at, $end) = trimmed($text);
	my $white = qr/\A[ \t\n\x0b\f\r]\z/;
	my @rest = @{$text}[ $at .. $end - 1 ];
	my $first = $rest[0] // '';

	return find_kvs($at, $end, $text)
	  if join('', map { $_ // '' } @rest[ 0 .. 3 ]) eq 'job.';
	return find_dothex($at, $end, $text) if grep { $_ eq '.' } @rest;
	return find_words($at, $end, $text, qr/\A[- \t\n\x0b\f\r]\z/)
	  if (grep { $_ eq '-' } @rest)
	  || ($first =~ /\A[A-Za-z]\z/ && grep { $_ =~ $white } @rest);
	return find_number(
		$first eq 'f' || $first eq $hook ? 'f58' :
		  $first =~ /\A\xf0\x9f..\z/s ? 'emoji' :
		  $first eq '0' && ($rest[1] // '') eq 'x' ? 'hex' : 'decimal',
		$at, $end, $text, $hook);
}

sub find_scru160
{
	my ($first, $end, $text) = @_;
	my $bytes = length join '', @{$text}[ $first .. $end - 1 ];
	my ($name, $last) = $bytes == 40 ? ('hexadecimal', 'f') : ('base32hex', 'v');

	foreach my $at ($first .. $end - 1)
	{
		return sprintf
		  '22P02 Character "%s" at position %d is not a %s digit.',
		  $text->[$at], $at + 1, $name
		  if folded($text->[$at]) !~ /\A[0-9a-$last]\z/;
	}
	return '00000 ' if $bytes == 32 || $bytes == 40;
	return "22P02 The text is $bytes bytes long, but must be 32 (base32hex) or 40 (hexadecimal) bytes long.";
}

# For each decoder: its call, its reader, and valid texts
my %decoders = (
	'fluid_from_text($1)' => [
		sub { find_detected(@_) },
		"  f$digits ", "\t0x17e9fb8df16c2e", '0017.e9fb.8df1.6c2e',
		'reform-remote-galileo--heart-package-academy', $id, '    ',
		' job.0017.e9fb.8df1.6c2e', "reform remote\tgalileo - heart package academy ",
		'fast fast fast fast fast fast' ],
	q{fluid_from_text($1, 'kvs')} =>
	  [ sub { find_kvs(trimmed($_[0]), $_[0]) }, 'job.17.e9fb.8DF1.6c2e' ],
	q{fluid_from_text($1, 'dothex')} =>
	  [ sub { find_dothex(trimmed($_[0]), $_[0]) }, '17.e9fb.8DF1.6c2e' ],
	q{fluid_from_text($1, 'words')} => [
		sub { find_words(trimmed($_[0]), $_[0], qr/\A[- \t\n\x0b\f\r]\z/) },
		'reform-remote-galileo--heart-PACKAGE-academy',
		'natural-analyze-verbal--natural-analyze-verbal' ],
	'ulidflake_from_text($1)' => [
		sub { find_base32(trimmed($_[0]), $_[0]) },
		' 00CMXB6TAK4SA', "7zzzzzzzzzzzz\n ", "\t\r" ],
	'nanoflake_from_text($1)' => [
		sub { find_number('base36', trimmed($_[0]), @_) },
		' 1ua0ahxv48e ', "\x0b1Y2P0IJ32E8E7\f", "\t\r" ],
	'uuid_from_base32($1)' => [
		sub { find_uuid(\%crockford, 26, '7' . 'Z' x 25, $_[0]) },
		'01H455VB4PEX5VSKNK084SN02Q', '7zzzzzzzzzzzzzzzzzzzzzzzzz',
		'8lO455vb4pex5vsknk084sn02q' ],
	'uuid_from_base58($1)' => [
		sub { find_uuid($positional{f58}{digits}, 1, 'YcVfxkQb6JRzqk5kF2tNLv', $_[0]) },
		'BzmjTFLHWXwiSK4y3H5iW', 'YcVfxkQb6JRzqk5kF2tNLv', 'YcVfxkQb6JRzrk5kF2tNLv' ],
	'$1::scru160' => [
		sub { find_scru160(0, scalar @{ $_[0] }, $_[0]) },
		'05TTUP1HNCPNH30VEK64KDQT9BSNU4C4',
		'017bdf6431bb33788c1f750c4a375d4af97f1184' ],
	'scru160_from_text($1)' => [
		sub { find_scru160(trimmed($_[0]), $_[0]) },
		' 05TTUP1HNCPNH30VEK64KDQT9BSNU4C4 ', "\t\r",
		"017bdf6431bb33788c1f750c4a375d4af97f1184\n" ]);

foreach my $case (
	[ 'fluid_from_f58($1)', 'f58', "f$digits", 'fjpXCZedGfVQ' ],
	[ q{fluid_from_text($1, 'f58')}, 'f58', " f$digits", "fjpXCZedGfVQ\n" ],
	[ q{fluid_from_text($1, 'hex')}, 'hex', '0x17e9fb8df16c2e', '0xffffffffffffffff' ],
	[ q{fluid_from_text($1, 'emoji')}, 'emoji', '' ],
	[ q{fluid_from_text($1, 'dec')}, 'decimal', $id, '18446744073709551615' ])
{
	my ($call, $form, @texts) = @{$case};

	$decoders{$call} = [
		sub { find_number($form, trimmed($_[0]), @_) }, @texts ];
}

# Return a valid text with up to three characters replaced, inserted or
# removed.
sub damaged
{
	my ($text, $strange) = @_;
	my @text = @{$text};
	my @usual = split //, '01lOf-.xXzZgG9 ~';

	foreach (1 .. int rand 4)
	{
		my $from = rand() < 0.5 ? $strange : \@usual;

		splice @text, int rand(@text + 1), int rand(2),
		  rand() < 0.8 ? $from->[ rand @{$from} ] : ();
	}
	return \@text;
}

# Test random texts in a database of this encoding.  The other arguments are
# its non-ASCII characters and its U+0192, if any.
sub fuzz
{
	my ($encoding, $hook, @strange) = @_;
	my @emoji = $encoding eq 'UTF8' ? (sort keys %emoji_number)[ 0 .. 5 ] : ();
	my (@calls, @expected, @texts);

	foreach my $call (sort keys %decoders)
	{
		my ($reader, @good) = @{ $decoders{$call} };

		foreach my $i (1 .. 300)
		{
			my $good = $good[ rand @good ];
			my @characters = split //, $good;

			@characters = @emoji
			  if $call =~ /emoji/ || ($good =~ /\A +\z/ && rand() < 0.5);

			my $text = damaged(\@characters, \@strange);

			push @texts, join '', @{$text};
			push @calls, $call;
			push @expected, $reader->($text, $hook);
		}
	}
	$node->safe_psql($encoding, q{
		CREATE TABLE damaged (n serial, call text, bytes bytea);
		-- SQLSTATE and detail of the call; message and detail must be valid text
		CREATE FUNCTION complaint_of(call text, bytes bytea) RETURNS text
		LANGUAGE plpgsql AS $$
		DECLARE
			message text;
			detail text;
			class text := '00000';
		BEGIN
			BEGIN
				EXECUTE 'SELECT ' || call
				USING convert_from(bytes, getdatabaseencoding());
			EXCEPTION WHEN OTHERS THEN
				class := sqlstate;
				GET STACKED DIAGNOSTICS message = MESSAGE_TEXT,
					detail = PG_EXCEPTION_DETAIL;
			END;
			PERFORM length(convert_from(convert_to(concat(message, detail),
				getdatabaseencoding()), getdatabaseencoding()));
			RETURN class || ' ' || coalesce(hex_of(detail), '');
		END $$;});
	$node->safe_psql($encoding,
		'INSERT INTO damaged (call, bytes) VALUES '
		  . join(', ',
			map { "(\$\$$calls[$_]\$\$, '\\x" . hex_of($texts[$_]) . "')" }
			  0 .. $#texts));

	my @complaints = split /\n/, $node->safe_psql($encoding,
		'SELECT complaint_of(call, bytes) FROM damaged ORDER BY n');
	my @wrong;
	my %classes;

	is(scalar @complaints, scalar @texts, "$encoding: every text is decoded");
	foreach my $i (0 .. $#texts)
	{
		my $got = ($complaints[$i] // '') =~
		  s/\A(.{5} )(.*)\z/$1 . pack 'H*', $2/er;

		$classes{ substr $expected[$i], 0, 5 }++;
		push @wrong, "$calls[$i] of " . hex_of($texts[$i])
		  . ": expected $expected[$i], got $got"
		  if $got ne $expected[$i];
	}
	is(join("\n", splice @wrong, 0, 10),
		'', "$encoding: errors show the first bad character, whole");
	cmp_ok($classes{$_} // 0, '>', 20, "$encoding: texts of class $_")
	  foreach '00000', '22P02', '22003';
	return;
}

my $seed = $ENV{FUZZ_SEED} // 14;

srand $seed;
note "seed: FUZZ_SEED=$seed";
fuzz('UTF8', "\xc6\x92",
	"\xc3\xa9", "\xe3\x81\x82", "\xf0\x9f\x99\x89", "\xc6\x92", "\xc2\xa0",
	"\xe2\x82\xac", "\xef\xbf\xbd");
fuzz('LATIN1', "\0", "\xe9", "\xa0", "\x83", "\xff");
fuzz('EUC_JP', "\0", "\xa4\xa2", "\x8e\xb1", "\x8f\xb0\xa1", "\xa1\xa1");
fuzz('WIN1252', "\x83", "\xe9", "\x83", "\x81", "\xa0", "\x80");

# An encoding that cannot be converted to UTF-8
SKIP:
{
	skip 'no such encoding in this version', 5
	  if $node->safe_psql('postgres',
		q{SELECT pg_char_to_encoding('MULE_INTERNAL')}) < 0;
	create_database('MULE_INTERNAL');
	fuzz('MULE_INTERNAL', "\0", "\x81\xe9", "\x92\xa4\xa2");
}

$node->stop;
done_testing();
