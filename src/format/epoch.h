/*
 * epoch.h
 *		The epochs of the settings: ISO 8601 with a UTC offset.
 */
#ifndef FLAKEID_FORMAT_EPOCH_H
#define FLAKEID_FORMAT_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

extern bool flake_epoch_decode(const char *text, int64_t *unix_ms);

#endif							/* FLAKEID_FORMAT_EPOCH_H */
