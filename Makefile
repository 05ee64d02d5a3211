# Sluice: one Makefile, GNU make, gcc and pkg-config. `make help` lists the targets.
#
# Every configuration builds in its own folder, side by side: build/release, build/debug (DEBUG=1),
# build/sanitize (SANITIZE=1), with -static added for STATIC_LIBS=1. build/sluice links to the one
# built last. Nothing may fail while this file is read: a bare machine has git and make only, and
# `make demo` begins there.

SHELL := /bin/sh
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# --- Choices (all can be set on the command line; `make info` shows them) ----
ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TESTS ?=
DEMO_FLAGS ?=

CONFIG := $(if $(SANITIZE),sanitize,$(if $(DEBUG),debug,release))$(if $(STATIC_LIBS),-static)
B := build/$(CONFIG)

# --- Flags ----
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
INCLUDES := -I. -Isrc
LANGUAGE := -std=gnu11 $(WARNINGS) $(INCLUDES) -MMD -MP

comma := ,
SANITIZER := $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all \
  -fno-omit-frame-pointer)
OPTIMISE_HOST := $(if $(SANITIZE)$(DEBUG),-O1 -g,-O2 -g)
OPTIMISE_LEAF := $(if $(SANITIZE)$(DEBUG),-O1 -g,-O3 -g)

# Host code is never contracted: what it sums must not depend on the compiler's taste.
HOST_FLAGS := $(LANGUAGE) $(OPTIMISE_HOST) -ffp-contract=off $(SANITIZER) $(CFLAGS)

# Without -fno-math-errno the square root of the pair loop is not vectorised.
LEAF_MATH := -fopenmp -fno-math-errno -fno-trapping-math -ffp-contract=fast
LEAF_FLAGS := $(LANGUAGE) $(OPTIMISE_LEAF) $(LEAF_MATH) $(SANITIZER) $(CFLAGS)

# Flags of one leaf file, after all others. The compensated sums of integrate.c stand as written.
LEAF_FLAGS_integrate := -ffp-contract=off

# --- Libraries: HDF5's C library and libconfig, by pkg-config ----
HDF5_PC := $(shell $(PKG_CONFIG) --exists hdf5 2>/dev/null && echo hdf5 || \
	{ $(PKG_CONFIG) --exists hdf5-serial 2>/dev/null && echo hdf5-serial; })
ifneq ($(HDF5_PC),)
HDF5_CFLAGS ?= $(shell $(PKG_CONFIG) --cflags $(HDF5_PC))
HDF5_LIBS ?= $(shell $(PKG_CONFIG) --libs $(HDF5_PC))
endif
ifeq ($(shell $(PKG_CONFIG) --exists libconfig 2>/dev/null && echo yes),yes)
LIBCONFIG_CFLAGS ?= $(shell $(PKG_CONFIG) --cflags libconfig)
LIBCONFIG_LIBS ?= $(shell $(PKG_CONFIG) --libs libconfig)
endif
# As system headers: their warnings are not ours.
LIB_CFLAGS := $(patsubst -I%,-isystem %,$(HDF5_CFLAGS) $(LIBCONFIG_CFLAGS))
ifdef STATIC_LIBS
# The binary can be carried to a machine without them.
LIBS := $(filter -L%,$(HDF5_LIBS) $(LIBCONFIG_LIBS)) -l:libconfig.a \
  -Wl,-Bstatic -lhdf5 -lsz -laec -lz -Wl,-Bdynamic -lm -ldl
else
LIBS := $(HDF5_LIBS) $(LIBCONFIG_LIBS) -lm
endif
LINK_FLAGS := -fopenmp $(SANITIZER) $(LDFLAGS)

# --- Sources: whatever is there ----
MAIN_C := $(wildcard src/app/main.c)
HOST_C := $(filter-out src/app/main.c,$(wildcard src/*/*.c)) $(wildcard kernels/*.c)
CPU_ONCE_C := $(wildcard kernels/cpu/once_*.c)
LEAF_C := $(filter-out $(CPU_ONCE_C),$(wildcard kernels/cpu/*.c))
TESTS_C := $(wildcard tests/t[0-9]*.c)
TEST_SUPPORT_C := $(filter-out $(TESTS_C),$(wildcard tests/*.c))

# The leaf files are compiled once for each precision and instruction set, and chosen at run time.
PRECISIONS := f32 f64
DEFINE_f32 :=
DEFINE_f64 := -DSLUICE_DOUBLE
ifeq ($(shell uname -m),x86_64)
ISAS := x86_64 x86_64_v3 x86_64_v4
else
ISAS := native
endif
MARCH_x86_64 := -march=x86-64
MARCH_x86_64_v3 := -march=x86-64-v3
MARCH_x86_64_v4 := -march=x86-64-v4 -mprefer-vector-width=512
MARCH_native :=

HOST_O := $(HOST_C:%.c=$(B)/obj/%.o)
ONCE_O := $(CPU_ONCE_C:%.c=$(B)/obj/%.o)
LEAF_O := $(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(LEAF_C:%.c=$(B)/obj/%.$(p)_$(i).o)))
MAIN_O := $(MAIN_C:%.c=$(B)/obj/%.o)
TEST_SUPPORT_O := $(TEST_SUPPORT_C:%.c=$(B)/obj/%.o)
TEST_O := $(TESTS_C:%.c=$(B)/obj/%.o)
TEST_BIN := $(TESTS_C:tests/%.c=$(B)/tests/%)
PROGRAM := $(if $(MAIN_C),$(B)/sluice)

# --- Build ----
.PHONY: all tests-build FORCE
all: $(B)/libsluice.a $(PROGRAM) ## build/sluice (DEBUG=1, SANITIZE=1, STATIC_LIBS=1, WERROR=1)
	@if [ -n "$(PROGRAM)" ]; then ln -sfn $(CONFIG)/sluice build/sluice; fi

tests-build: $(TEST_BIN)

# Rewritten when its text changes, and only then: what depends on it is rebuilt when it must be.
define stamp
@mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.new; \
if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
endef

$(B)/flags: FORCE
	$(call stamp,$(CC) | $(HOST_FLAGS) | $(LEAF_FLAGS) | $(LEAF_FLAGS_integrate) | $(LIB_CFLAGS))
$(B)/link-flags: FORCE
	$(call stamp,$(CC) $(LINK_FLAGS) $(LIBS))

# A missing tool or library is said once, with the remedy, before any compiler error.
$(B)/prerequisites: $(B)/flags
	@command -v $(CC) >/dev/null || \
	  { echo "No compiler $(CC): 'make packages' installs what the build needs." >&2; exit 1; }
	@$(CC) $(MARCH_$(lastword $(ISAS))) -fopenmp -E -x c /dev/null >/dev/null 2>&1 || \
	  { echo "$(CC) does not know $(MARCH_$(lastword $(ISAS))) or -fopenmp: gcc 11 or later does." \
	  >&2; exit 1; }
	@command -v $(PKG_CONFIG) >/dev/null || [ -n "$(HDF5_LIBS)" ] || \
	  { echo "No pkg-config, which finds the libraries: 'make packages' installs it." >&2; exit 1; }
	@[ -n "$(HDF5_CFLAGS)$(HDF5_LIBS)" ] || \
	  { echo "pkg-config knows no HDF5 (asked for hdf5, hdf5-serial): 'make packages' installs it," \
	  "or set HDF5_CFLAGS and HDF5_LIBS." >&2; exit 1; }
	@[ -n "$(LIBCONFIG_CFLAGS)$(LIBCONFIG_LIBS)" ] || \
	  { echo "pkg-config knows no libconfig: 'make packages' installs it," \
	  "or set LIBCONFIG_CFLAGS and LIBCONFIG_LIBS." >&2; exit 1; }
	@touch $@

COMPILED := $(HOST_O) $(ONCE_O) $(LEAF_O) $(MAIN_O) $(TEST_O) $(TEST_SUPPORT_O)
$(COMPILED): $(B)/flags Makefile | $(B)/prerequisites

$(HOST_O) $(MAIN_O): $(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(HOST_FLAGS) $(FLAGS_OF_FILE) $(LIB_CFLAGS) -c $< -o $@

$(ONCE_O): $(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(HOST_FLAGS) -fopenmp $(LIB_CFLAGS) -c $< -o $@

$(TEST_O) $(TEST_SUPPORT_O): $(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(HOST_FLAGS) -Itests -fopenmp $(LIB_CFLAGS) -c $< -o $@

# $(1) precision, $(2) instruction set as in a symbol, $(3) source without .c
isa_name = $(subst _v,-v,$(subst x86_64,x86-64,$(1)))
leaf_defines = $(DEFINE_$(1)) -DSLUICE_ISA_NAME='"$(call isa_name,$(2))"' -DSLUICE_SUFFIX=$(1)_$(2)
define leaf_rule
$(B)/obj/$(3).$(1)_$(2).o: $(3).c
	@mkdir -p $$(@D)
	@echo "  CC    $$<  ($(1) $(2))"
	@$$(CC) $$(LEAF_FLAGS) $$(MARCH_$(2)) $$(call leaf_defines,$(1),$(2)) \
	  $$(LEAF_FLAGS_$(notdir $(3))) -c $$< -o $$@
endef
$(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(foreach f,$(LEAF_C:.c=),\
  $(eval $(call leaf_rule,$(p),$(i),$(f))))))

# Revision, compiler and flags reach one file only, so that a commit rebuilds one file only.
REVISION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1 | tr -d '"\\')
VERSION_DEFINES = -DSLUICE_REVISION='"$(REVISION)"' -DSLUICE_COMPILER='"$(COMPILER)"' \
  -DSLUICE_CONFIG='"$(CONFIG)"' -DSLUICE_ISAS='"$(call isa_name,$(ISAS))"' \
  -DSLUICE_FLAGS='"$(strip $(OPTIMISE_LEAF) $(LEAF_MATH) $(SANITIZER) $(CFLAGS))"'
$(B)/version: FORCE
	$(call stamp,$(VERSION_DEFINES))
$(B)/obj/src/core/version.o: $(B)/version
$(B)/obj/src/core/version.o: FLAGS_OF_FILE = $(VERSION_DEFINES)

# Listed in a stamp too: a source that was taken away leaves the library.
$(B)/members: FORCE
	$(call stamp,$(HOST_O) $(ONCE_O) $(LEAF_O))
$(B)/libsluice.a: $(HOST_O) $(ONCE_O) $(LEAF_O) $(B)/members
	@echo "  AR    $@"
	@rm -f $@; ar rcsD $@ $(HOST_O) $(ONCE_O) $(LEAF_O)

$(B)/sluice: $(MAIN_O) $(B)/libsluice.a $(B)/link-flags
	@echo "  LINK  $@"
	@$(CC) $(MAIN_O) $(B)/libsluice.a $(LINK_FLAGS) $(LIBS) -o $@

$(TEST_BIN): $(B)/tests/%: $(B)/obj/tests/%.o $(TEST_SUPPORT_O) $(B)/libsluice.a $(B)/link-flags
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $< $(TEST_SUPPORT_O) $(B)/libsluice.a $(LINK_FLAGS) $(LIBS) -o $@

-include $(COMPILED:.o=.d)

# --- Packages ----
.PHONY: packages
packages: ## install what build, plots and tests need (NO_INSTALL=1: only say what is missing)
	@tools/packages.sh install build plot test

# --- Demo ----
.PHONY: demo
demo: ## install what is missing, build, run a dam break, judge its energy, draw it
	@tools/packages.sh install build plot
	@+$(MAKE) --no-print-directory -j$(JOBS) all
	build/sluice run configs/dam_break.cfg --out out/dam_break --force $(DEMO_FLAGS)
	build/sluice energy out/dam_break
	build/sluice plot out/dam_break
	@echo
	@echo "The pictures:  $$(ls out/dam_break/*.png | tr '\n' ' ')"
	@echo "ParaView:      paraview out/dam_break/run.hdf.series"
	@echo "Another run:   build/sluice run configs/dam_break.cfg --set spacing=0.002 --out out/mine"

# --- Tests ----
.PHONY: test test-quick test-sanitize test-run
test: ## install what is missing, build, check, run all tests (TESTS="t010 t020": only those)
	@tools/packages.sh install build plot test
	@+$(MAKE) --no-print-directory -j$(JOBS) all tests-build
	@+$(MAKE) --no-print-directory test-run

# Everything is run, whatever failed before it.
test-run:
	@+failed=; \
	if [ -z "$(TESTS)" ]; then for check in check-tree check-format lint; do \
	  $(MAKE) --no-print-directory -k $$check || failed="$$failed $$check"; done; fi; \
	tools/run-tests.sh $(B) $(or $(TESTS),all) || failed="$$failed tests"; \
	[ -z "$$failed" ] || { echo "FAILED:$$failed" >&2; exit 1; }

test-quick: all tests-build ## run the unit tests written in C, nothing else
	@tools/run-tests.sh $(B) $(or $(TESTS),quick)

test-sanitize: ## the C and shell tests under AddressSanitizer and UBSan (TESTS=quick: only C)
	@+$(MAKE) --no-print-directory -j$(JOBS) SANITIZE=1 sanitize-build
	@tools/run-tests.sh build/sanitize $(or $(TESTS),no-python)

# Without the link: build/sluice stays what the user built.
.PHONY: sanitize-build
sanitize-build: tests-build $(PROGRAM)

# --- Checks that need no running ----
.PHONY: check-tree check-format format lint analyze check-nvcc
OWN_C := $(wildcard src/*/*.[ch] kernels/*.[ch] kernels/*/*.[ch] kernels/*/*.cu tests/*.[ch] \
  tests/*.cu)
# Layout and findings change from one version of these tools to the next: one version judges.
LLVM_VERSION := 14

check-tree: ## layers, headers on their own, names, lengths, links (tools/check-tree.py)
	@$$(tools/find-python.sh || echo python3) tools/check-tree.py

format: ## lay the C code out by .clang-format
	@tools/lint.sh format $(LLVM_VERSION) $(OWN_C)

check-format: ## say which files `make format` would change
	@tools/lint.sh check-format $(LLVM_VERSION) $(OWN_C)

lint: ## clang-tidy by .clang-tidy, only files that changed since the last time
	@+if tools/lint.sh has-tidy $(LLVM_VERSION); then \
	  $(MAKE) --no-print-directory -j$(JOBS) lint-files; fi

LINTED := $(patsubst %.c,build/lint/%.ok,$(MAIN_C) $(HOST_C) $(CPU_ONCE_C) $(LEAF_C) $(TESTS_C))
.PHONY: lint-files
lint-files: $(LINTED)
# Leaf files as one of their variants; clang 14 does not know the levels that gcc's builtin takes.
$(LEAF_C:%.c=build/lint/%.ok): LINT_DEFINES = $(call leaf_defines,f32,$(lastword $(ISAS)))
$(CPU_ONCE_C:%.c=build/lint/%.ok): LINT_DEFINES = '-D__builtin_cpu_supports(name)=1'
build/lint/src/core/version.ok: LINT_DEFINES = $(VERSION_DEFINES)
build/lint/%.ok: %.c $(filter %.h,$(OWN_C)) .clang-tidy tools/lint.sh
	@mkdir -p $(@D)
	@echo "  TIDY  $<"
	@tools/lint.sh tidy $(LLVM_VERSION) $< $(INCLUDES) -Itests $(LIB_CFLAGS) $(LINT_DEFINES)
	@touch $@

analyze: ## gcc's static analyzer over the library; findings are errors
	@+$(MAKE) --no-print-directory -j$(JOBS) B=build/analyze CFLAGS="-fanalyzer -Werror" \
	  build/analyze/libsluice.a

check-nvcc: ## compile every pair and pointwise header as device code, both precisions
	@tools/check-nvcc.sh tests/device_headers.cu $(INCLUDES)

# --- Documents and measurements ----
.PHONY: docs bench
docs: all ## write docs/config.md from the program's own parameter tables
	build/sluice info --markdown >docs/config.md.new
	mv docs/config.md.new docs/config.md

bench: all ## the pair loop and the step, as CSV in out/bench
	@mkdir -p out/bench
	build/sluice bench --out out/bench

# --- Install ----
.PHONY: install uninstall
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED_TOOLS := $(wildcard tools/sluice_*.py tools/*/*.py)
install: all ## program, man page, completion, tools, configs, documents (PREFIX, DESTDIR)
	install -d $(BIN) $(SHARE)/man/man1 $(SHARE)/bash-completion/completions
	install -d $(SHARE)/sluice/tools $(SHARE)/sluice/configs $(SHARE)/doc/sluice/docs/pictures
	install -d $(patsubst %,$(SHARE)/sluice/%,$(sort $(dir $(INSTALLED_TOOLS))))
	install -m 755 $(B)/sluice $(BIN)/sluice
	install -m 644 docs/sluice.1 $(SHARE)/man/man1/sluice.1
	install -m 644 tools/sluice-completion.bash $(SHARE)/bash-completion/completions/sluice
	for tool in $(INSTALLED_TOOLS); do install -m 755 $$tool $(SHARE)/sluice/$$tool || exit 1; done
	install -d $(SHARE)/sluice/data/reference
	install -m 644 data/reference/* $(SHARE)/sluice/data/reference
	install -m 644 configs/* $(SHARE)/sluice/configs
	install -m 644 README.md LICENSE $(SHARE)/doc/sluice
	install -m 644 docs/*.md $(SHARE)/doc/sluice/docs
	install -m 644 docs/pictures/* $(SHARE)/doc/sluice/docs/pictures

uninstall: ## remove what install put there
	rm -f $(BIN)/sluice $(SHARE)/man/man1/sluice.1
	rm -f $(SHARE)/bash-completion/completions/sluice
	rm -rf $(SHARE)/sluice $(SHARE)/doc/sluice

# --- Tidiness ----
.PHONY: info help clean print-%
info: ## show the build's settings
	@echo "configuration  $(CONFIG) in $(B)"
	@echo "revision       $(REVISION)"
	@echo "compiler       $(CC): $(or $(COMPILER),not found)"
	@echo "host flags     $(HOST_FLAGS)"
	@echo "leaf flags     $(LEAF_FLAGS)"
	@echo "leaf variants  $(PRECISIONS) x $(ISAS)"
	@echo "HDF5           $(or $(HDF5_PC),not found) $(HDF5_CFLAGS) $(HDF5_LIBS)"
	@echo "libconfig      $(or $(LIBCONFIG_LIBS),not found)"
	@echo "link           $(LINK_FLAGS) $(LIBS)"
	@echo "prefix         $(PREFIX)"

print-%: ## print one variable: make print-ISAS
	@echo '$* = $($*)'

clean: ## remove build/ (results in out/ stay)
	rm -rf build

help: ## this list
	@echo "make TARGET [VARIABLE=value]..."
	@awk -F ':.*## ' '/^[a-z%A-Z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
