/*
 * unit.h
 *		Small framework for the unit tests of src/format: counted checks, and
 *		random numbers from a printed seed.
 */
#ifndef FLAKEID_TEST_UNIT_H
#define FLAKEID_TEST_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Check a condition; a failure prints file, line and the given text. */
#define CHECK(condition) \
	unit_check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_EQ(actual, expected) \
	unit_check_equal((uint64_t) (actual), (uint64_t) (expected), \
					 __FILE__, __LINE__, #actual)
#define CHECK_TEXT(actual, expected) \
	unit_check_text((actual), (expected), __FILE__, __LINE__, #actual)

/* The decoder of text returned this status, with the fault at this place. */
#define CHECK_FAULT(text, actual, fault, status, offset_, length_) \
	unit_check((actual) == (status) && (fault).offset == (offset_) && \
			   (fault).length == (length_), __FILE__, __LINE__, \
			   "\"%s\" has status %d at %zu, %zu bytes", (text), (actual), \
			   (fault).offset, (fault).length)

/* As CHECK, for conditions checked millions of times: only failures count. */
#define MUST(condition) \
	((void) ((condition) || \
			 unit_check(false, __FILE__, __LINE__, "%s", #condition)))

/* MinGW has the printf of C99; for its compiler, printf is that of Windows. */
#ifdef __MINGW32__
#define UNIT_PRINTF	gnu_printf
#else
#define UNIT_PRINTF	printf
#endif

extern bool unit_check(bool holds, const char *file, int line,
					   const char *format,...)
			__attribute__((format(UNIT_PRINTF, 4, 5)));
extern bool unit_check_equal(uint64_t actual, uint64_t expected,
							 const char *file, int line, const char *what);
extern bool unit_check_text(const char *actual, const char *expected,
							const char *file, int line, const char *what);

/*
 * A copy that ends with the text, so that ASan detects reads past its end;
 * free() it.
 */
extern char *unit_copy(const char *text, size_t length);

/* Uniform 64 bits; the seed is printed, and can be set as UNIT_SEED. */
extern uint64_t unit_random64(void);

/* The topics, one file each. */
extern void test_uuid(void);
extern void test_uuid_next(void);
extern void test_uuid_draft(void);
extern void test_uuid_text(void);
extern void test_flake(void);
extern void test_address(void);
extern void test_step(void);
extern void test_explain(void);
extern void test_horizon(void);
extern void test_epoch(void);
extern void test_text(void);
extern void test_fault(void);
extern void test_scru160(void);
extern void test_scru160_next(void);
extern void test_range(void);

#endif							/* FLAKEID_TEST_UNIT_H */
