/*
 * rule.h
 *		What a generator's pure step answers.
 */
#ifndef FLAKEID_FORMAT_RULE_H
#define FLAKEID_FORMAT_RULE_H

#include "format/status.h"

/* Which rule of a generator made the id, or refused it. */
typedef enum FlakeRule
{
	FLAKE_RULE_NEW_TICK,		/* the clock is past the last id */
	FLAKE_RULE_COUNTED,			/* it is not: counted up in the last tick */
	FLAKE_RULE_GREW,			/* counter at its maximum: random bits grew */
	FLAKE_RULE_MOVED_ON,		/* all used up: one tick ahead of the last */
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

#endif							/* FLAKEID_FORMAT_RULE_H */
