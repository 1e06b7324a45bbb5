# flakeid: time-ordered ids for PostgreSQL
#
#   make demo                       see ids being made, on a throw-away server
#   make check                      pass every test, on throw-away servers
#   make check-majors               ... with every major, in root file systems
#   make check-setup                "make demo" on new machines, in root file systems
#   make bench                      measure everything, at a tenth of its size
#   make fuzz                       fuzz the decoders and their errors, a minute each
#   make sim SECONDS=600            look for ids made twice, in simulated fleets
#   make mutants                    plant bugs, and see each caught by a test
#   make check-upgrade              pg_upgrade with live data, in a root file system
#   make soak SECONDS=60            32 clients, by default for half an hour
#   make && make install            as any PGXS extension ...
#   make installcheck               ... against a running server
#   make deb                        Debian packages, in dist/
#   make dist                       the release as PGXN takes it, in dist/
#
# PG_CONFIG=/path/to/pg_config chooses the PostgreSQL to build for.

# VPATH builds: where this Makefile is
srcdir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

# These set up all they need by themselves, PGXS included, which need not be
# there yet when make reads this file (and has a "check" of its own).
SCRIPTED = bench check check-another-format check-assert check-clients check-deb \
	check-javascript check-majors check-partman check-portable check-setup check-upgrade deb \
	demo dist fuzz lint memory mutants sim soak sqlsmith unit

ifneq (,$(filter $(SCRIPTED),$(MAKECMDGOALS)))

# Without SECONDS each keeps its own variable, of the environment or of make.
ifneq (,$(SECONDS))
HOW_LONG = SIM_SECONDS='$(SECONDS)' SQLSMITH_SECONDS='$(SECONDS)' SOAK_SECONDS='$(SECONDS)'
endif

.PHONY: $(SCRIPTED)
$(SCRIPTED):
	@PG_CONFIG='$(PG_CONFIG)' $(HOW_LONG) $(srcdir)/script/$@

else

MODULE_big = flakeid
EXTENSION = flakeid
DATA = flakeid--1.0.sql
PGFILEDESC = "flakeid - time-ordered ids"

FORMAT_OBJS = $(patsubst $(srcdir)/%.c,%.o,$(sort $(wildcard $(srcdir)/src/format/*.c)))
PG_OBJS = $(patsubst $(srcdir)/%.c,%.o,$(sort $(wildcard $(srcdir)/src/pg/*.c)))
OBJS = $(FORMAT_OBJS) $(PG_OBJS)

# One word per topic; install creates the extension and what the others share.
TOPICS = $(patsubst $(srcdir)/sql/%.sql,%,$(sort $(wildcard $(srcdir)/sql/*.sql)))
REGRESS = $(TOPICS)
# First of all, also for "make installcheck REGRESS=fluid"
override REGRESS := install $(filter-out install,$(REGRESS))

# The version stands in the control file alone.
FLAKEID_VERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(srcdir)/flakeid.control)

PG_CPPFLAGS = -I$(srcdir)/src -DFLAKEID_VERSION='"$(FLAKEID_VERSION)"'
PG_CFLAGS = -std=gnu17 -fvisibility=hidden -Wall -Wextra \
	-Wno-unused-parameter -Wno-sign-compare $(FLAKEID_CFLAGS)

# A server that was built in its own source tree does not find this out.
ifneq ($(srcdir),.)
VPATH := $(srcdir)
endif

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# VPATH builds need the folders of the objects; not as targets, since make
# would find those of the sources
.PHONY: object-folders
$(OBJS) $(OBJS:.o=.bc): | object-folders
object-folders:
	@$(MKDIR_P) src/format src/pg

# As PostgreSQL builds its page checksums.  The loops over digits are short and
# of known length; gcc does not unroll them at -O2, which makes a call in SQL up to
# 1.2 times slower (nanoflake_from_base36), and the text of a SCRU160 takes twice
# as long
src/format/flake_text.o src/format/scru160_text.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS)

# Any header may change what a struct looks like
$(OBJS) $(OBJS:.o=.bc): $(wildcard $(srcdir)/src/*/*.h) $(srcdir)/flakeid.control

endif
