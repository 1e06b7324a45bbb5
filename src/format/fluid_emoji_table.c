/*
 * fluid_emoji_table.c
 *		Digits of base 576, their values, and powers.
 *
 * Written by script/make-tables from data/fluid_emoji.txt: change those.
 */
#include "format/tables.h"

const char flake_emoji_digits[] =
	"\xf0\x9f\x98\x83"
	"\xf0\x9f\x98\x84"
	"\xf0\x9f\x98\x81"
	"\xf0\x9f\x98\x86"
	"\xf0\x9f\x98\x85"
	"\xf0\x9f\x98\x82"
	"\xf0\x9f\x98\x89"
	"\xf0\x9f\x98\x8a"
	"\xf0\x9f\x98\x8d"
	"\xf0\x9f\x98\x98"
	"\xf0\x9f\x98\x9a"
	"\xf0\x9f\x98\x8b"
	"\xf0\x9f\x98\x9c"
	"\xf0\x9f\x98\x9d"
	"\xf0\x9f\x98\x8f"
	"\xf0\x9f\x98\x92"
	"\xf0\x9f\x98\x8c"
	"\xf0\x9f\x98\x94"
	"\xf0\x9f\x98\xaa"
	"\xf0\x9f\x98\xb7"
	"\xf0\x9f\x98\xb5"
	"\xf0\x9f\x98\xb2"
	"\xf0\x9f\x98\xb3"
	"\xf0\x9f\x98\xa8"
	"\xf0\x9f\x98\xb0"
	"\xf0\x9f\x98\xa5"
	"\xf0\x9f\x98\xa2"
	"\xf0\x9f\x98\xad"
	"\xf0\x9f\x98\xb1"
	"\xf0\x9f\x98\x96"
	"\xf0\x9f\x98\xa3"
	"\xf0\x9f\x98\x9e"
	"\xf0\x9f\x98\x93"
	"\xf0\x9f\x98\xa9"
	"\xf0\x9f\x98\xab"
	"\xf0\x9f\x98\xa4"
	"\xf0\x9f\x98\xa1"
	"\xf0\x9f\x98\xa0"
	"\xf0\x9f\x91\xbf"
	"\xf0\x9f\x92\x80"
	"\xf0\x9f\x92\xa9"
	"\xf0\x9f\x91\xb9"
	"\xf0\x9f\x91\xba"
	"\xf0\x9f\x91\xbb"
	"\xf0\x9f\x91\xbd"
	"\xf0\x9f\x91\xbe"
	"\xf0\x9f\x98\xba"
	"\xf0\x9f\x98\xb8"
	"\xf0\x9f\x98\xb9"
	"\xf0\x9f\x98\xbb"
	"\xf0\x9f\x98\xbc"
	"\xf0\x9f\x98\xbd"
	"\xf0\x9f\x99\x80"
	"\xf0\x9f\x98\xbf"
	"\xf0\x9f\x98\xbe"
	"\xf0\x9f\x99\x88"
	"\xf0\x9f\x99\x89"
	"\xf0\x9f\x99\x8a"
	"\xf0\x9f\x92\x8c"
	"\xf0\x9f\x92\x98"
	"\xf0\x9f\x92\x9d"
	"\xf0\x9f\x92\x96"
	"\xf0\x9f\x92\x97"
	"\xf0\x9f\x92\x93"
	"\xf0\x9f\x92\x9e"
	"\xf0\x9f\x92\x95"
	"\xf0\x9f\x92\x9f"
	"\xf0\x9f\x92\x94"
	"\xf0\x9f\x92\x9b"
	"\xf0\x9f\x92\x9a"
	"\xf0\x9f\x92\x99"
	"\xf0\x9f\x92\x9c"
	"\xf0\x9f\x92\x8b"
	"\xf0\x9f\x92\xaf"
	"\xf0\x9f\x92\xa2"
	"\xf0\x9f\x92\xa5"
	"\xf0\x9f\x92\xab"
	"\xf0\x9f\x92\xa6"
	"\xf0\x9f\x92\xa8"
	"\xf0\x9f\x92\xac"
	"\xf0\x9f\x92\xa4"
	"\xf0\x9f\x91\x8b"
	"\xf0\x9f\x91\x8c"
	"\xf0\x9f\x91\x88"
	"\xf0\x9f\x91\x89"
	"\xf0\x9f\x91\x86"
	"\xf0\x9f\x91\x87"
	"\xf0\x9f\x91\x8d"
	"\xf0\x9f\x91\x8e"
	"\xf0\x9f\x91\x8a"
	"\xf0\x9f\x91\x8f"
	"\xf0\x9f\x99\x8c"
	"\xf0\x9f\x91\x90"
	"\xf0\x9f\x99\x8f"
	"\xf0\x9f\x92\x85"
	"\xf0\x9f\x92\xaa"
	"\xf0\x9f\x91\x82"
	"\xf0\x9f\x91\x83"
	"\xf0\x9f\x91\x80"
	"\xf0\x9f\x91\x85"
	"\xf0\x9f\x91\x84"
	"\xf0\x9f\x91\xb6"
	"\xf0\x9f\x91\xa6"
	"\xf0\x9f\x91\xa7"
	"\xf0\x9f\x91\xb1"
	"\xf0\x9f\x91\xa8"
	"\xf0\x9f\x91\xa9"
	"\xf0\x9f\x91\xb4"
	"\xf0\x9f\x91\xb5"
	"\xf0\x9f\x99\x8d"
	"\xf0\x9f\x99\x8e"
	"\xf0\x9f\x99\x85"
	"\xf0\x9f\x99\x86"
	"\xf0\x9f\x92\x81"
	"\xf0\x9f\x99\x8b"
	"\xf0\x9f\x99\x87"
	"\xf0\x9f\x91\xae"
	"\xf0\x9f\x92\x82"
	"\xf0\x9f\x91\xb7"
	"\xf0\x9f\x91\xb8"
	"\xf0\x9f\x91\xb3"
	"\xf0\x9f\x91\xb2"
	"\xf0\x9f\x91\xb0"
	"\xf0\x9f\x91\xbc"
	"\xf0\x9f\x8e\x85"
	"\xf0\x9f\x92\x86"
	"\xf0\x9f\x92\x87"
	"\xf0\x9f\x9a\xb6"
	"\xf0\x9f\x8f\x83"
	"\xf0\x9f\x92\x83"
	"\xf0\x9f\x91\xaf"
	"\xf0\x9f\x8f\x82"
	"\xf0\x9f\x8f\x84"
	"\xf0\x9f\x8f\x8a"
	"\xf0\x9f\x9b\x80"
	"\xf0\x9f\x91\xab"
	"\xf0\x9f\x92\x8f"
	"\xf0\x9f\x92\x91"
	"\xf0\x9f\x91\xaa"
	"\xf0\x9f\x91\xa4"
	"\xf0\x9f\x91\xa3"
	"\xf0\x9f\x90\xb5"
	"\xf0\x9f\x90\x92"
	"\xf0\x9f\x90\xb6"
	"\xf0\x9f\x90\xa9"
	"\xf0\x9f\x90\xba"
	"\xf0\x9f\x90\xb1"
	"\xf0\x9f\x90\xaf"
	"\xf0\x9f\x90\xb4"
	"\xf0\x9f\x90\x8e"
	"\xf0\x9f\x90\xae"
	"\xf0\x9f\x90\xb7"
	"\xf0\x9f\x90\x97"
	"\xf0\x9f\x90\xbd"
	"\xf0\x9f\x90\x91"
	"\xf0\x9f\x90\xab"
	"\xf0\x9f\x90\x98"
	"\xf0\x9f\x90\xad"
	"\xf0\x9f\x90\xb9"
	"\xf0\x9f\x90\xb0"
	"\xf0\x9f\x90\xbb"
	"\xf0\x9f\x90\xa8"
	"\xf0\x9f\x90\xbc"
	"\xf0\x9f\x90\xbe"
	"\xf0\x9f\x90\x94"
	"\xf0\x9f\x90\xa3"
	"\xf0\x9f\x90\xa4"
	"\xf0\x9f\x90\xa5"
	"\xf0\x9f\x90\xa6"
	"\xf0\x9f\x90\xa7"
	"\xf0\x9f\x90\xb8"
	"\xf0\x9f\x90\xa2"
	"\xf0\x9f\x90\x8d"
	"\xf0\x9f\x90\xb2"
	"\xf0\x9f\x90\xb3"
	"\xf0\x9f\x90\xac"
	"\xf0\x9f\x90\x9f"
	"\xf0\x9f\x90\xa0"
	"\xf0\x9f\x90\xa1"
	"\xf0\x9f\x90\x99"
	"\xf0\x9f\x90\x9a"
	"\xf0\x9f\x90\x8c"
	"\xf0\x9f\x90\x9b"
	"\xf0\x9f\x90\x9c"
	"\xf0\x9f\x90\x9d"
	"\xf0\x9f\x90\x9e"
	"\xf0\x9f\x92\x90"
	"\xf0\x9f\x8c\xb8"
	"\xf0\x9f\x92\xae"
	"\xf0\x9f\x8c\xb9"
	"\xf0\x9f\x8c\xba"
	"\xf0\x9f\x8c\xbb"
	"\xf0\x9f\x8c\xbc"
	"\xf0\x9f\x8c\xb7"
	"\xf0\x9f\x8c\xb1"
	"\xf0\x9f\x8c\xb4"
	"\xf0\x9f\x8c\xb5"
	"\xf0\x9f\x8c\xbe"
	"\xf0\x9f\x8c\xbf"
	"\xf0\x9f\x8d\x80"
	"\xf0\x9f\x8d\x81"
	"\xf0\x9f\x8d\x82"
	"\xf0\x9f\x8d\x83"
	"\xf0\x9f\x8d\x84"
	"\xf0\x9f\x8d\x87"
	"\xf0\x9f\x8d\x88"
	"\xf0\x9f\x8d\x89"
	"\xf0\x9f\x8d\x8a"
	"\xf0\x9f\x8d\x8c"
	"\xf0\x9f\x8d\x8d"
	"\xf0\x9f\x8d\x8e"
	"\xf0\x9f\x8d\x8f"
	"\xf0\x9f\x8d\x91"
	"\xf0\x9f\x8d\x92"
	"\xf0\x9f\x8d\x93"
	"\xf0\x9f\x8d\x85"
	"\xf0\x9f\x8d\x86"
	"\xf0\x9f\x8c\xbd"
	"\xf0\x9f\x8c\xb0"
	"\xf0\x9f\x8d\x9e"
	"\xf0\x9f\x8d\x96"
	"\xf0\x9f\x8d\x97"
	"\xf0\x9f\x8d\x94"
	"\xf0\x9f\x8d\x9f"
	"\xf0\x9f\x8d\x95"
	"\xf0\x9f\x8d\xb3"
	"\xf0\x9f\x8d\xb2"
	"\xf0\x9f\x8d\xb1"
	"\xf0\x9f\x8d\x98"
	"\xf0\x9f\x8d\x99"
	"\xf0\x9f\x8d\x9a"
	"\xf0\x9f\x8d\x9b"
	"\xf0\x9f\x8d\x9c"
	"\xf0\x9f\x8d\x9d"
	"\xf0\x9f\x8d\xa0"
	"\xf0\x9f\x8d\xa2"
	"\xf0\x9f\x8d\xa3"
	"\xf0\x9f\x8d\xa4"
	"\xf0\x9f\x8d\xa5"
	"\xf0\x9f\x8d\xa1"
	"\xf0\x9f\x8d\xa6"
	"\xf0\x9f\x8d\xa7"
	"\xf0\x9f\x8d\xa8"
	"\xf0\x9f\x8d\xa9"
	"\xf0\x9f\x8d\xaa"
	"\xf0\x9f\x8e\x82"
	"\xf0\x9f\x8d\xb0"
	"\xf0\x9f\x8d\xab"
	"\xf0\x9f\x8d\xac"
	"\xf0\x9f\x8d\xad"
	"\xf0\x9f\x8d\xae"
	"\xf0\x9f\x8d\xaf"
	"\xf0\x9f\x8d\xb5"
	"\xf0\x9f\x8d\xb6"
	"\xf0\x9f\x8d\xb7"
	"\xf0\x9f\x8d\xb8"
	"\xf0\x9f\x8d\xb9"
	"\xf0\x9f\x8d\xba"
	"\xf0\x9f\x8d\xbb"
	"\xf0\x9f\x8d\xb4"
	"\xf0\x9f\x94\xaa"
	"\xf0\x9f\x8c\x8f"
	"\xf0\x9f\x97\xbe"
	"\xf0\x9f\x8c\x8b"
	"\xf0\x9f\x97\xbb"
	"\xf0\x9f\x8f\xa0"
	"\xf0\x9f\x8f\xa1"
	"\xf0\x9f\x8f\xa2"
	"\xf0\x9f\x8f\xa3"
	"\xf0\x9f\x8f\xa5"
	"\xf0\x9f\x8f\xa6"
	"\xf0\x9f\x8f\xa8"
	"\xf0\x9f\x8f\xa9"
	"\xf0\x9f\x8f\xaa"
	"\xf0\x9f\x8f\xab"
	"\xf0\x9f\x8f\xac"
	"\xf0\x9f\x8f\xad"
	"\xf0\x9f\x8f\xaf"
	"\xf0\x9f\x8f\xb0"
	"\xf0\x9f\x92\x92"
	"\xf0\x9f\x97\xbc"
	"\xf0\x9f\x97\xbd"
	"\xf0\x9f\x8c\x81"
	"\xf0\x9f\x8c\x83"
	"\xf0\x9f\x8c\x84"
	"\xf0\x9f\x8c\x85"
	"\xf0\x9f\x8c\x86"
	"\xf0\x9f\x8c\x87"
	"\xf0\x9f\x8c\x89"
	"\xf0\x9f\x8e\xa0"
	"\xf0\x9f\x8e\xa1"
	"\xf0\x9f\x8e\xa2"
	"\xf0\x9f\x92\x88"
	"\xf0\x9f\x8e\xaa"
	"\xf0\x9f\x9a\x83"
	"\xf0\x9f\x9a\x84"
	"\xf0\x9f\x9a\x85"
	"\xf0\x9f\x9a\x87"
	"\xf0\x9f\x9a\x89"
	"\xf0\x9f\x9a\x8c"
	"\xf0\x9f\x9a\x91"
	"\xf0\x9f\x9a\x92"
	"\xf0\x9f\x9a\x93"
	"\xf0\x9f\x9a\x95"
	"\xf0\x9f\x9a\x97"
	"\xf0\x9f\x9a\x99"
	"\xf0\x9f\x9a\x9a"
	"\xf0\x9f\x9a\xb2"
	"\xf0\x9f\x9a\x8f"
	"\xf0\x9f\x9a\xa8"
	"\xf0\x9f\x9a\xa5"
	"\xf0\x9f\x9a\xa7"
	"\xf0\x9f\x9a\xa4"
	"\xf0\x9f\x9a\xa2"
	"\xf0\x9f\x92\xba"
	"\xf0\x9f\x9a\x80"
	"\xf0\x9f\x95\x9b"
	"\xf0\x9f\x95\x90"
	"\xf0\x9f\x95\x91"
	"\xf0\x9f\x95\x92"
	"\xf0\x9f\x95\x93"
	"\xf0\x9f\x95\x94"
	"\xf0\x9f\x95\x95"
	"\xf0\x9f\x95\x96"
	"\xf0\x9f\x95\x97"
	"\xf0\x9f\x95\x98"
	"\xf0\x9f\x95\x99"
	"\xf0\x9f\x95\x9a"
	"\xf0\x9f\x8c\x91"
	"\xf0\x9f\x8c\x93"
	"\xf0\x9f\x8c\x94"
	"\xf0\x9f\x8c\x95"
	"\xf0\x9f\x8c\x99"
	"\xf0\x9f\x8c\x9b"
	"\xf0\x9f\x8c\x9f"
	"\xf0\x9f\x8c\xa0"
	"\xf0\x9f\x8c\x8c"
	"\xf0\x9f\x8c\x80"
	"\xf0\x9f\x8c\x88"
	"\xf0\x9f\x8c\x82"
	"\xf0\x9f\x94\xa5"
	"\xf0\x9f\x92\xa7"
	"\xf0\x9f\x8c\x8a"
	"\xf0\x9f\x8e\x83"
	"\xf0\x9f\x8e\x84"
	"\xf0\x9f\x8e\x86"
	"\xf0\x9f\x8e\x87"
	"\xf0\x9f\x8e\x88"
	"\xf0\x9f\x8e\x89"
	"\xf0\x9f\x8e\x8a"
	"\xf0\x9f\x8e\x8b"
	"\xf0\x9f\x8e\x8d"
	"\xf0\x9f\x8e\x8e"
	"\xf0\x9f\x8e\x8f"
	"\xf0\x9f\x8e\x90"
	"\xf0\x9f\x8e\x91"
	"\xf0\x9f\x8e\x80"
	"\xf0\x9f\x8e\x81"
	"\xf0\x9f\x8e\xab"
	"\xf0\x9f\x8f\x86"
	"\xf0\x9f\x8f\x80"
	"\xf0\x9f\x8f\x88"
	"\xf0\x9f\x8e\xbe"
	"\xf0\x9f\x8e\xb3"
	"\xf0\x9f\x8e\xa3"
	"\xf0\x9f\x8e\xbd"
	"\xf0\x9f\x8e\xbf"
	"\xf0\x9f\x8e\xaf"
	"\xf0\x9f\x94\xab"
	"\xf0\x9f\x8e\xb1"
	"\xf0\x9f\x94\xae"
	"\xf0\x9f\x8e\xae"
	"\xf0\x9f\x8e\xb0"
	"\xf0\x9f\x8e\xb2"
	"\xf0\x9f\x83\x8f"
	"\xf0\x9f\x80\x84"
	"\xf0\x9f\x8e\xb4"
	"\xf0\x9f\x8e\xad"
	"\xf0\x9f\x8e\xa8"
	"\xf0\x9f\x91\x93"
	"\xf0\x9f\x91\x94"
	"\xf0\x9f\x91\x95"
	"\xf0\x9f\x91\x96"
	"\xf0\x9f\x91\x97"
	"\xf0\x9f\x91\x98"
	"\xf0\x9f\x91\x99"
	"\xf0\x9f\x91\x9a"
	"\xf0\x9f\x91\x9b"
	"\xf0\x9f\x91\x9c"
	"\xf0\x9f\x91\x9d"
	"\xf0\x9f\x8e\x92"
	"\xf0\x9f\x91\x9e"
	"\xf0\x9f\x91\x9f"
	"\xf0\x9f\x91\xa0"
	"\xf0\x9f\x91\xa1"
	"\xf0\x9f\x91\xa2"
	"\xf0\x9f\x91\x91"
	"\xf0\x9f\x91\x92"
	"\xf0\x9f\x8e\xa9"
	"\xf0\x9f\x8e\x93"
	"\xf0\x9f\x92\x84"
	"\xf0\x9f\x92\x8d"
	"\xf0\x9f\x92\x8e"
	"\xf0\x9f\x94\x8a"
	"\xf0\x9f\x93\xa2"
	"\xf0\x9f\x93\xa3"
	"\xf0\x9f\x94\x94"
	"\xf0\x9f\x8e\xbc"
	"\xf0\x9f\x8e\xb5"
	"\xf0\x9f\x8e\xb6"
	"\xf0\x9f\x8e\xa4"
	"\xf0\x9f\x8e\xa7"
	"\xf0\x9f\x93\xbb"
	"\xf0\x9f\x8e\xb7"
	"\xf0\x9f\x8e\xb8"
	"\xf0\x9f\x8e\xb9"
	"\xf0\x9f\x8e\xba"
	"\xf0\x9f\x8e\xbb"
	"\xf0\x9f\x93\xb1"
	"\xf0\x9f\x93\xb2"
	"\xf0\x9f\x93\x9e"
	"\xf0\x9f\x93\x9f"
	"\xf0\x9f\x93\xa0"
	"\xf0\x9f\x94\x8b"
	"\xf0\x9f\x94\x8c"
	"\xf0\x9f\x92\xbb"
	"\xf0\x9f\x92\xbd"
	"\xf0\x9f\x92\xbe"
	"\xf0\x9f\x92\xbf"
	"\xf0\x9f\x93\x80"
	"\xf0\x9f\x8e\xa5"
	"\xf0\x9f\x8e\xac"
	"\xf0\x9f\x93\xba"
	"\xf0\x9f\x93\xb7"
	"\xf0\x9f\x93\xb9"
	"\xf0\x9f\x93\xbc"
	"\xf0\x9f\x94\x8d"
	"\xf0\x9f\x94\x8e"
	"\xf0\x9f\x92\xa1"
	"\xf0\x9f\x94\xa6"
	"\xf0\x9f\x8f\xae"
	"\xf0\x9f\x93\x94"
	"\xf0\x9f\x93\x95"
	"\xf0\x9f\x93\x96"
	"\xf0\x9f\x93\x97"
	"\xf0\x9f\x93\x98"
	"\xf0\x9f\x93\x99"
	"\xf0\x9f\x93\x9a"
	"\xf0\x9f\x93\x93"
	"\xf0\x9f\x93\x92"
	"\xf0\x9f\x93\x83"
	"\xf0\x9f\x93\x9c"
	"\xf0\x9f\x93\x84"
	"\xf0\x9f\x93\xb0"
	"\xf0\x9f\x93\x91"
	"\xf0\x9f\x94\x96"
	"\xf0\x9f\x92\xb0"
	"\xf0\x9f\x92\xb4"
	"\xf0\x9f\x92\xb5"
	"\xf0\x9f\x92\xb8"
	"\xf0\x9f\x92\xb3"
	"\xf0\x9f\x92\xb9"
	"\xf0\x9f\x93\xa7"
	"\xf0\x9f\x93\xa8"
	"\xf0\x9f\x93\xa9"
	"\xf0\x9f\x93\xa4"
	"\xf0\x9f\x93\xa5"
	"\xf0\x9f\x93\xa6"
	"\xf0\x9f\x93\xab"
	"\xf0\x9f\x93\xaa"
	"\xf0\x9f\x93\xae"
	"\xf0\x9f\x93\x9d"
	"\xf0\x9f\x92\xbc"
	"\xf0\x9f\x93\x81"
	"\xf0\x9f\x93\x82"
	"\xf0\x9f\x93\x85"
	"\xf0\x9f\x93\x86"
	"\xf0\x9f\x93\x87"
	"\xf0\x9f\x93\x88"
	"\xf0\x9f\x93\x89"
	"\xf0\x9f\x93\x8a"
	"\xf0\x9f\x93\x8b"
	"\xf0\x9f\x93\x8c"
	"\xf0\x9f\x93\x8d"
	"\xf0\x9f\x93\x8e"
	"\xf0\x9f\x93\x8f"
	"\xf0\x9f\x93\x90"
	"\xf0\x9f\x94\x92"
	"\xf0\x9f\x94\x93"
	"\xf0\x9f\x94\x8f"
	"\xf0\x9f\x94\x90"
	"\xf0\x9f\x94\x91"
	"\xf0\x9f\x94\xa8"
	"\xf0\x9f\x92\xa3"
	"\xf0\x9f\x94\xa7"
	"\xf0\x9f\x94\xa9"
	"\xf0\x9f\x94\x97"
	"\xf0\x9f\x93\xa1"
	"\xf0\x9f\x92\x89"
	"\xf0\x9f\x92\x8a"
	"\xf0\x9f\x9a\xaa"
	"\xf0\x9f\x9a\xbd"
	"\xf0\x9f\x9a\xac"
	"\xf0\x9f\x97\xbf"
	"\xf0\x9f\x8f\xa7"
	"\xf0\x9f\x9a\xb9"
	"\xf0\x9f\x9a\xba"
	"\xf0\x9f\x9a\xbb"
	"\xf0\x9f\x9a\xbc"
	"\xf0\x9f\x9a\xbe"
	"\xf0\x9f\x9a\xab"
	"\xf0\x9f\x9a\xad"
	"\xf0\x9f\x94\x9e"
	"\xf0\x9f\x94\x83"
	"\xf0\x9f\x94\x99"
	"\xf0\x9f\x94\x9a"
	"\xf0\x9f\x94\x9b"
	"\xf0\x9f\x94\x9c"
	"\xf0\x9f\x94\x9d"
	"\xf0\x9f\x94\xaf"
	"\xf0\x9f\x94\xbc"
	"\xf0\x9f\x94\xbd"
	"\xf0\x9f\x8e\xa6"
	"\xf0\x9f\x93\xb6"
	"\xf0\x9f\x93\xb3"
	"\xf0\x9f\x93\xb4"
	"\xf0\x9f\x92\xb1"
	"\xf0\x9f\x92\xb2"
	"\xf0\x9f\x94\xb1"
	"\xf0\x9f\x93\x9b"
	"\xf0\x9f\x94\xb0"
	"\xf0\x9f\x94\x9f"
	"\xf0\x9f\x94\xa0"
	"\xf0\x9f\x94\xa1"
	"\xf0\x9f\x94\xa2"
	"\xf0\x9f\x94\xa3"
	"\xf0\x9f\x94\xa4"
	"\xf0\x9f\x86\x8e"
	"\xf0\x9f\x86\x91"
	"\xf0\x9f\x86\x92"
	"\xf0\x9f\x86\x93"
	"\xf0\x9f\x86\x94"
	"\xf0\x9f\x86\x95"
	"\xf0\x9f\x86\x96"
	"\xf0\x9f\x86\x97"
	"\xf0\x9f\x86\x98"
	"\xf0\x9f\x86\x99"
	"\xf0\x9f\x86\x9a"
	"\xf0\x9f\x88\x81"
	"\xf0\x9f\x88\xb6"
	"\xf0\x9f\x88\xaf"
	"\xf0\x9f\x89\x90"
	"\xf0\x9f\x88\xb9"
	"\xf0\x9f\x88\x9a"
	"\xf0\x9f\x88\xb2"
	"\xf0\x9f\x89\x91"
	"\xf0\x9f\x88\xb8"
	"\xf0\x9f\x88\xb4"
	"\xf0\x9f\x88\xb3"
	"\xf0\x9f\x88\xba"
	"\xf0\x9f\x88\xb5"
	"\xf0\x9f\x94\xb4"
	"\xf0\x9f\x94\xb5"
	"\xf0\x9f\x94\xb6"
	"\xf0\x9f\x94\xb7"
	"\xf0\x9f\x94\xb8"
	"\xf0\x9f\x94\xb9"
	"\xf0\x9f\x94\xba"
	"\xf0\x9f\x94\xbb"
	"\xf0\x9f\x92\xa0"
	"\xf0\x9f\x94\x98"
	"\xf0\x9f\x94\xb3"
	"\xf0\x9f\x94\xb2"
	"\xf0\x9f\x8f\x81"
	"\xf0\x9f\x9a\xa9"
	"\xf0\x9f\x8e\x8c";

#define NO FLAKE_NO_DIGIT

const uint16_t flake_emoji_values[4096] = {
	NO, NO, NO, NO, 375, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
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
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 374,
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
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 537, NO,
	NO, 538, 539, 540, 541, 542, 543, 544, 545, 546, 547, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, 548, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 553, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 550,
	NO, NO, 554, 558, 557, 560, 549, NO, 556, 552, 559, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	551, 555, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
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
	337, 282, 339, 283, 284, 285, 286, 287, 338, 288, 342, 263, 336, NO, NO, 261,
	NO, 328, NO, 329, 330, 331, NO, NO, NO, 332, NO, 333, NO, NO, NO, 334,
	335, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	218, 194, NO, NO, 195, 196, NO, 193, 187, 189, 190, 191, 192, 217, 197, 198,
	199, 200, 201, 202, 203, 215, 216, 204, 205, 206, 207, NO, 208, 209, 210, 211,
	NO, 212, 213, 214, 222, 224, 220, 221, 228, 229, 230, 231, 232, 233, 219, 223,
	234, 239, 235, 236, 237, 238, 240, 241, 242, 243, 244, 247, 248, 249, 250, 251,
	246, 227, 226, 225, 259, 252, 253, 254, 255, 256, 257, 258, NO, NO, NO, NO,
	356, 357, 245, 343, 344, 124, 345, 346, 347, 348, 349, 350, 575, 351, 352, 353,
	354, 355, 390, 399, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	289, 290, 291, 364, 410, 430, 522, 411, 378, 398, 293, 358, 431, 377, 371, 367,
	372, 369, 373, 363, 376, 408, 409, 413, 414, 415, 416, 417, 407, 365, 362, 366,
	360, 573, 131, 128, 132, NO, 359, NO, 361, NO, 133, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	265, 266, 267, 268, NO, 269, 270, 504, 271, 272, 273, 274, 275, 276, 440, 277,
	278, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 181, 172, 149, NO,
	NO, 154, 142, NO, 164, NO, NO, 152, 156, 179, 180, 182, 183, 184, 185, 176,
	177, 178, 171, 165, 166, 167, 168, 169, 161, 144, NO, 155, 175, 157, 150, 147,
	159, 146, 173, 174, 148, 141, 143, 151, 170, 158, 145, 160, 162, 153, 163, NO,
	98, NO, 96, 97, 100, 99, 85, 86, 83, 84, 89, 81, 82, 87, 88, 90,
	92, 396, 397, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389, 391, 392,
	393, 394, 395, 140, 139, NO, 102, 103, 105, 106, 138, 135, NO, NO, 116, 130,
	122, 104, 121, 120, 107, 108, 101, 118, 119, 41, 42, 43, 123, 44, 45, 38,
	39, 113, 117, 129, 400, 94, 125, 126, 292, 498, 499, 72, 58, 401, 402, 136,
	186, 137, 279, 63, 67, 65, 61, 62, 59, 70, 69, 68, 71, 60, 64, 66,
	569, 438, 74, 493, 80, 75, 77, 341, 78, 40, 95, 76, 79, NO, 188, 73,
	456, 526, 527, 460, 457, 458, NO, NO, 459, 461, 314, 425, 472, 426, 427, 428,
	429, 473, 474, 450, 452, 475, 476, 477, 478, 479, 480, 481, 482, 483, 484, 485,
	486, 454, 449, 448, 441, 442, 443, 444, 445, 446, 447, 529, 451, 471, 420, 421,
	422, 497, 404, 405, 465, 466, 467, 462, 463, 464, 469, 468, NO, NO, 470, NO,
	453, 418, 419, 524, 525, NO, 523, 433, NO, 434, 432, 412, 435, NO, NO, NO,
	NO, NO, NO, 513, NO, NO, NO, NO, NO, NO, 403, 423, 424, 436, 437, 489,
	490, 491, 487, 488, 406, NO, 455, 496, 570, 514, 515, 516, 517, 518, 512, 531,
	532, 533, 534, 535, 536, 340, 439, 494, 492, 495, 260, 368, NO, NO, 370, 519,
	530, 528, 572, 571, 561, 562, 563, 564, 565, 566, 567, 568, 520, 521, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	317, 318, 319, 320, 321, 322, 323, 324, 325, 326, 327, 316, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 264, 280, 281, 262, 503,
	NO, 2, 5, 0, 1, 4, 3, NO, NO, 6, 7, 11, 16, 8, NO, 14,
	NO, NO, 15, 32, 17, NO, 29, NO, 9, NO, 10, NO, 12, 13, 31, NO,
	37, 36, 26, 30, 35, 25, NO, NO, 23, 33, 18, 34, NO, 27, NO, NO,
	24, 28, 21, 22, NO, 20, NO, 19, 47, 48, 46, 49, 50, 51, 54, 53,
	52, NO, NO, NO, NO, 111, 112, 115, 55, 56, 57, 114, 91, 109, 110, 93,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	315, NO, NO, 294, 295, 296, NO, 297, NO, 298, NO, NO, 299, NO, NO, 308,
	NO, 300, 301, 302, NO, 303, NO, 304, NO, 305, 306, NO, NO, NO, NO, NO,
	NO, NO, 313, NO, 312, 310, NO, 311, 309, 574, 500, 510, 502, 511, NO, NO,
	NO, NO, 307, NO, NO, NO, 127, NO, NO, 505, 506, 507, 508, 501, 509, NO,
	134, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
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
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
#undef NO

const uint64_t flake_emoji_powers[] = {
	UINT64_C(1), UINT64_C(576),
	UINT64_C(331776), UINT64_C(191102976),
	UINT64_C(110075314176), UINT64_C(63403380965376),
	UINT64_C(36520347436056576),
};
