/*
 * status.h
 *		What the pure code answers: a status where it cannot do what was asked,
 *		and of a generator's step the rule that made the id or refused it.
 *
 * src/format never raises an error: it returns one of these, and
 * src/pg/error.c turns it into SQLSTATE, message, detail and hint.
 */
#ifndef FLAKEID_FORMAT_STATUS_H
#define FLAKEID_FORMAT_STATUS_H

typedef enum FlakeStatus
{
	FLAKE_OK,
	FLAKE_BEFORE_FIELD,			/* an instant before the field's first tick */
	FLAKE_BEYOND_FIELD,			/* an instant after the field's last tick */
	FLAKE_WRONG_VERSION,		/* a uuid of another version or variant */
	FLAKE_OUT_OF_RANGE,			/* a number that the format does not hold */
	FLAKE_BAD_FIELD,			/* a field that is wider than its place */
	FLAKE_TOO_FEW_BITS,			/* the address does not fit the generator
								 * field */
	FLAKE_BAD_CHARACTER,		/* a character that cannot stand there */
	FLAKE_BAD_MNEMONIC,				/* letters that are no word of the list */
	FLAKE_TOO_SHORT,			/* a text that ends where more has to come */
	FLAKE_BAD_LENGTH,			/* a text of another length than the form's */
} FlakeStatus;

/* Which rule of a generator made the id, or refused it. */
typedef enum FlakeRule
{
	FLAKE_RULE_NEW_TICK,		/* the clock is past the last id */
	FLAKE_RULE_COUNTER_INC,			/* it is not: counted up in the last tick */
	FLAKE_RULE_RANDOM_INC,			/* counter at its maximum: random bits grew */
	FLAKE_RULE_TICK_INC,		/* all used up: one tick ahead of the last */
	FLAKE_RULE_BEFORE_FIELD,	/* refused: clock before the field */
	FLAKE_RULE_BEYOND_FIELD,	/* refused: no tick left */
} FlakeRule;

/* The refusal of an instant that has no tick in the field. */
static inline FlakeRule
flake_rule_refusal(FlakeStatus status)
{
	return status == FLAKE_BEFORE_FIELD ?
		FLAKE_RULE_BEFORE_FIELD : FLAKE_RULE_BEYOND_FIELD;
}

#endif							/* FLAKEID_FORMAT_STATUS_H */
