# World.
# Text forms in databases of the code pages of Windows that have U+0192, the first
# letter of a FLUID in base 58; t/010_encodings.pl has WIN1252.

use FlakeidTest;
use FlakeidEncodings;

foreach my $encoding (map { "WIN$_" } 1253 .. 1256, 1258)
{
	create_database($encoding);
	test_ascii($encoding);
	test_hook($encoding);
}
done_testing();
