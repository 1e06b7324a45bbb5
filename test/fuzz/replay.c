/*
 * replay.c
 *		Runs a target on files, to measure its coverage.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
	{
		static uint8_t buffer[1 << 16];
		FILE	   *file = fopen(argv[i], "rb");
		size_t		size;
		uint8_t    *data;

		if (file == NULL)
		{
			perror(argv[i]);
			return 1;
		}
		size = fread(buffer, 1, sizeof(buffer), file);
		fclose(file);

		/* as in libFuzzer: no byte after the input */
		data = malloc(size > 0 ? size : 1);
		for (size_t at = 0; at < size; at++)
			data[at] = buffer[at];
		(void) LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return 0;
}
