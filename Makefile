# flakeid: time-ordered ids for PostgreSQL
#
#   make demo                       see ids being generated, on a throw-away server
#   make check                      run the tests, on throw-away servers
#   make check-world                run all others, which take longer
#   make unit UNIT=text             unit tests only, of one topic or of all
#   make fuzz                       fuzz the decoders and their errors, a minute each
#   make sim SECONDS=600            simulate servers, and look for duplicate ids
#   make mutants                    plant bugs, and check that tests catch them
#   make bench                      run all benchmarks, at a tenth of their size
#   make && make install            as any PGXS extension ...
#   make installcheck REGRESS=fluid             ... regression tests, against a running server
#   make prove_installcheck PROVE_TESTS=t/050_crash.pl    ... TAP tests, which start servers
#   make deb                        Debian packages, in dist/
#   make rpm                        RPM packages, in dist/
#   make windows                    a zip per major for Windows, in dist/
#   make dist                       the release for PGXN, in dist/
#   make sql                        flakeid in plain SQL, also for pg_tle, in dist/
#
# See CONTRIBUTING.md for more.  PG_CONFIG=/path/to/pg_config selects the
# PostgreSQL to build for.

# VPATH builds: the folder of this Makefile
srcdir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
this := $(lastword $(MAKEFILE_LIST))

# These targets are programs.  They need no PGXS, which may be missing when make
# reads this file (and which has a "check" of its own).
SCRIPTED = bench check check-world deb demo dist fuzz mutants rpm sim sql unit windows

ifneq (,$(filter $(SCRIPTED),$(MAKECMDGOALS)))

program_bench = bench/all
program_check-world = script/check
arguments_check-world = world
program_sql = script/make-sql
arguments_sim = $(or $(SECONDS),$(SIM_SECONDS),20) $(SEED)
arguments_unit = $(UNIT)

.PHONY: $(SCRIPTED)
$(SCRIPTED):
	@$(srcdir)/$(or $(program_$@),script/$@) $(arguments_$@)

# Goals of PGXS beside these, as in "make clean sql"
OTHERS = $(filter-out $(SCRIPTED),$(MAKECMDGOALS))
ifneq (,$(OTHERS))
.PHONY: $(OTHERS)
$(OTHERS):
	@$(MAKE) -f '$(this)' $@
endif

else

MODULE_big = flakeid
EXTENSION = flakeid
DATA = $(notdir $(sort $(wildcard $(srcdir)/flakeid--*.sql)))
PGFILEDESC = "flakeid - time-ordered ids"
EXTRA_CLEAN = built-for

FORMAT_OBJS = $(patsubst $(srcdir)/%.c,%.o,$(sort $(wildcard $(srcdir)/src/format/*.c)))
PG_OBJS = $(patsubst $(srcdir)/%.c,%.o,$(sort $(wildcard $(srcdir)/src/pg/*.c)))
OBJS = $(FORMAT_OBJS) $(PG_OBJS)

# One word per topic; install creates the extension and the shared functions.
TOPICS = $(patsubst $(srcdir)/sql/%.sql,%,$(sort $(wildcard $(srcdir)/sql/*.sql)))
REGRESS = $(TOPICS)
# install comes first, also in "make installcheck REGRESS=fluid".
override REGRESS := install $(filter-out install,$(REGRESS))

# Otherwise "make installcheck" would run them too, whatever REGRESS is.
ifeq (,$(filter installcheck,$(MAKECMDGOALS)))
TAP_TESTS = 1
endif

# The version of the library; flakeid.control has that of the SQL.
FLAKEID_VERSION := $(shell sed -n 's/^   "version": "\(.*\)",$$/\1/p' $(srcdir)/META.json)

PG_CPPFLAGS = -I$(srcdir)/src -DFLAKEID_VERSION='"$(FLAKEID_VERSION)"'
PG_CFLAGS = -std=gnu17 -fvisibility=hidden -Wall -Wextra \
	-Wno-unused-parameter -Wno-sign-compare $(FLAKEID_CFLAGS)

# A server built in its own source tree does not set this.
ifneq ($(srcdir),.)
VPATH := $(srcdir)
endif

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
POSTGRES_H := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h
ifeq (,$(and $(wildcard $(PGXS)),$(wildcard $(POSTGRES_H))))
$(error PostgreSQL's server headers are missing: install them (on Debian postgresql-server-dev-all), or name the program that knows them by PG_CONFIG=/path/to/pg_config)
endif
include $(PGXS)
# Everybody can read what these commands install, whatever the umask.
MKDIR_P := umask 022 && $(MKDIR_P)
LLVM_BINPATH := umask 022 && $(LLVM_BINPATH)

# What pages tell administrators to use
SHARED = $(sort $(wildcard $(srcdir)/contrib/monitoring/*))
.PHONY: install-shared uninstall-shared
install: install-shared
install-shared:
	$(MKDIR_P) '$(DESTDIR)$(datadir)/flakeid'
	$(INSTALL_DATA) $(SHARED) '$(DESTDIR)$(datadir)/flakeid/'
uninstall: uninstall-shared
uninstall-shared:
	rm -rf '$(DESTDIR)$(datadir)/flakeid'

# PROVE_TESTS=t/050_crash.pl, PROVE_FLAGS=-j2, and CHECK_SCALE=0.1 for shorter
# tests
PG_PROVE_FLAGS += -I t
.PHONY: prove_installcheck
prove_installcheck:
	@test -x '$(bindir)/postgres' || { echo 'no server in bindir=$(bindir)' >&2; false; }
	$(prove_installcheck)

# VPATH builds need the folders of the objects; not as targets, since make
# would find those of the sources
.PHONY: object-folders
$(OBJS) $(OBJS:.o=.bc): | object-folders
object-folders:
	@$(MKDIR_P) src/format src/pg

# The flags that PostgreSQL uses for page checksums.  The loops over digits are
# short and of known length, but gcc does not unroll them at -O2: a call in SQL
# then takes up to 1.2 times as long (nanoflake_from_text), and encoding a
# SCRU160 twice as long.
src/format/text.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS)

# Any header may change the layout of a struct, another PG_CONFIG those of the
# server.
$(OBJS) $(OBJS:.o=.bc): $(wildcard $(srcdir)/src/*/*.h) $(srcdir)/META.json built-for
.PHONY: pg-config
built-for: pg-config
	@now="$$($(PG_CONFIG) --version --includedir-server --cflags) $(CC) $(FLAKEID_CFLAGS)"; \
	[ "$$now" = "$$(cat $@ 2>/dev/null)" ] || echo "$$now" >$@

endif
