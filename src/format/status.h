/*
 * status.h
 *		Results of the pure code: the status of a conversion, and the rule that
 *		a generator step applied.
 *
 * src/format never raises errors: it returns one of these, and src/pg/error.c
 * maps it to SQLSTATE, message, detail and hint.
 */
#ifndef FLAKEID_FORMAT_STATUS_H
#define FLAKEID_FORMAT_STATUS_H

typedef enum FlakeStatus
{
	FLAKE_OK,
	FLAKE_BEFORE_FIELD,			/* instant before the first tick */
	FLAKE_BEYOND_FIELD,			/* instant after the last tick */
	FLAKE_WRONG_VERSION,		/* uuid of another version or variant */
	FLAKE_OUT_OF_RANGE,			/* number does not fit the format */
	FLAKE_BAD_FIELD,			/* value too wide for its field */
	FLAKE_TOO_FEW_BITS,			/* address does not fit the generator
								 * field */
	FLAKE_BAD_CHARACTER,		/* invalid character */
	FLAKE_BAD_MNEMONIC,				/* word is not in the list */
	FLAKE_TOO_SHORT,			/* text ends too early */
	FLAKE_BAD_LENGTH,			/* length differs from that of the form */
} FlakeStatus;

/* Rule by which a generator produced an id, or refused to. */
typedef enum FlakeRule
{
	FLAKE_RULE_NEW_TICK,		/* clock past the last id */
	FLAKE_RULE_COUNTER_INC,			/* same tick: counter incremented */
	FLAKE_RULE_RANDOM_INC,			/* counter at its maximum: random bits
								 * incremented */
	FLAKE_RULE_TICK_INC,		/* all used up: tick after the last */
	FLAKE_RULE_BEFORE_FIELD,	/* refused: clock before the field */
	FLAKE_RULE_BEYOND_FIELD,	/* refused: no tick left */
} FlakeRule;

/* Rule that refuses an instant outside the field. */
static inline FlakeRule
flake_rule_refusal(FlakeStatus status)
{
	return status == FLAKE_BEFORE_FIELD ?
		FLAKE_RULE_BEFORE_FIELD : FLAKE_RULE_BEYOND_FIELD;
}

#endif							/* FLAKEID_FORMAT_STATUS_H */
