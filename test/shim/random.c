/*
 * random.c
 *		A library for LD_PRELOAD: the bytes that pg_strong_random() takes from
 *		OpenSSL are all 0xa5.  A random bit of an id that does not show them has
 *		another source.
 */
#include <string.h>

extern int	RAND_bytes(unsigned char *data, int size);

int
RAND_bytes(unsigned char *data, int size)
{
	memset(data, 0xa5, (size_t) size);
	return 1;
}
