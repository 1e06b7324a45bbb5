/*
 * alphabet_table.c
 *		Digits, their values, and powers.
 *
 * Written by script/make-tables from data/alphabets.txt: change those.
 */
#include "format/tables.h"

/* base10 */
const char flake_base10_digits[] =
	"0123456789";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_base10_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_base10_powers[] = {
	UINT64_C(1), UINT64_C(10),
	UINT64_C(100), UINT64_C(1000),
	UINT64_C(10000), UINT64_C(100000),
	UINT64_C(1000000), UINT64_C(10000000),
	UINT64_C(100000000), UINT64_C(1000000000),
	UINT64_C(10000000000), UINT64_C(100000000000),
	UINT64_C(1000000000000), UINT64_C(10000000000000),
	UINT64_C(100000000000000), UINT64_C(1000000000000000),
	UINT64_C(10000000000000000), UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000), UINT64_C(10000000000000000000),
};

/* base16 */
const char flake_base16_digits[] =
	"0123456789abcdef";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_base16_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_base16_powers[] = {
	UINT64_C(1), UINT64_C(16),
	UINT64_C(256), UINT64_C(4096),
	UINT64_C(65536), UINT64_C(1048576),
	UINT64_C(16777216), UINT64_C(268435456),
	UINT64_C(4294967296), UINT64_C(68719476736),
	UINT64_C(1099511627776), UINT64_C(17592186044416),
	UINT64_C(281474976710656), UINT64_C(4503599627370496),
	UINT64_C(72057594037927936), UINT64_C(1152921504606846976),
};

/* base32 */
const char flake_base32_digits[] =
	"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_base32_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, NO, 18, 19, NO, 20, 21, NO,
	22, 23, 24, 25, 26, NO, 27, 28, 29, 30, 31, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, NO, 18, 19, NO, 20, 21, NO,
	22, 23, 24, 25, 26, NO, 27, 28, 29, 30, 31, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_base32_powers[] = {
	UINT64_C(1), UINT64_C(32),
	UINT64_C(1024), UINT64_C(32768),
	UINT64_C(1048576), UINT64_C(33554432),
	UINT64_C(1073741824), UINT64_C(34359738368),
	UINT64_C(1099511627776), UINT64_C(35184372088832),
	UINT64_C(1125899906842624), UINT64_C(36028797018963968),
	UINT64_C(1152921504606846976),
};

/* crockford */
const char flake_crockford_digits[] =
	"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_crockford_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, 1, 18, 19, 1, 20, 21, 0,
	22, 23, 24, 25, 26, NO, 27, 28, 29, 30, 31, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, 1, 18, 19, 1, 20, 21, 0,
	22, 23, 24, 25, 26, NO, 27, 28, 29, 30, 31, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_crockford_powers[] = {
	UINT64_C(1), UINT64_C(32),
	UINT64_C(1024), UINT64_C(32768),
	UINT64_C(1048576), UINT64_C(33554432),
	UINT64_C(1073741824), UINT64_C(34359738368),
	UINT64_C(1099511627776), UINT64_C(35184372088832),
	UINT64_C(1125899906842624), UINT64_C(36028797018963968),
	UINT64_C(1152921504606846976),
};

/* base36 */
const char flake_base36_digits[] =
	"0123456789abcdefghijklmnopqrstuvwxyz";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_base36_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NO, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
	25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, NO, NO, NO, NO, NO,
	NO, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
	25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_base36_powers[] = {
	UINT64_C(1), UINT64_C(36),
	UINT64_C(1296), UINT64_C(46656),
	UINT64_C(1679616), UINT64_C(60466176),
	UINT64_C(2176782336), UINT64_C(78364164096),
	UINT64_C(2821109907456), UINT64_C(101559956668416),
	UINT64_C(3656158440062976), UINT64_C(131621703842267136),
	UINT64_C(4738381338321616896),
};

/* base58 */
const char flake_base58_digits[] =
	"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_base58_values[256] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, 0, 1, 2, 3, 4, 5, 6, 7, 8, NO, NO, NO, NO, NO, NO,
	NO, 9, 10, 11, 12, 13, 14, 15, 16, NO, 17, 18, 19, 20, 21, NO,
	22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, NO, NO, NO, NO, NO,
	NO, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, NO, 44, 45, 46,
	47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_base58_powers[] = {
	UINT64_C(1), UINT64_C(58),
	UINT64_C(3364), UINT64_C(195112),
	UINT64_C(11316496), UINT64_C(656356768),
	UINT64_C(38068692544), UINT64_C(2207984167552),
	UINT64_C(128063081718016), UINT64_C(7427658739644928),
	UINT64_C(430804206899405824),
};
