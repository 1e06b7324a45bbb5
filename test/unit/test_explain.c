/*
 * test_explain.c
 *		What the fields of an id hold.  The tests in SQL compare the rows.
 */
#include "format/explain.h"
#include "unit_uuid.h"

/* Every place and width of a field, compared with shifts */
static void
test_values(void)
{
	const FlakeUuid uuid = {UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210)};
	unsigned char bytes[16];
	bool		right = true;

	flake_uuid_store(bytes, uuid);
	for (unsigned first_bit = 0; first_bit < 64; first_bit++)
		for (unsigned bits = 1; bits <= 64; bits++)
		{
			uint64_t	from = first_bit == 0 ? uuid.high :
				uuid.high << first_bit | uuid.low >> (64 - first_bit);

			right &= flake_explain_value(bytes, first_bit, bits) == from >> (64 - bits);
		}
	CHECK(right);
	CHECK_EQ(flake_explain_value(bytes, 5, 0), 0);
}

void
test_explain(void)
{
	test_values();
}
