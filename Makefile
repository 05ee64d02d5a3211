# Sluice: one Makefile, GNU make, gcc and pkg-config. `make help` lists the targets.
#
# Every configuration builds in its own folder, side by side: build/release, build/debug (DEBUG=1),
# build/sanitize (SANITIZE=1), with -ids64 added for IDS=64, -static for STATIC_LIBS=1, -cuda for
# CUDA=1, -hip for HIP=1 and -mpi for MPI=1. build/sluice links to the one built last. Nothing may
# fail while this file is read: a bare machine has git and make only, and `make demo` begins there.

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
# The tests whose programs are built, as for tools/list-tests.sh; none: all.
BUILT_TESTS ?= $(TESTS)
DEMO_FLAGS ?=
# Bits of particle ids. 32 are enough for 4.29 G particles; with 64 a particle takes 4 bytes more.
IDS ?= 32
LONG_IDS := $(filter-out 32,$(IDS))
ifneq ($(filter-out 64,$(LONG_IDS)),)
$(error IDS=$(IDS): ids have 32 or 64 bits)
endif
# Of cuda and hip: those that compile their kernels for float alone. Checks do, which find in
# float what there is to find; such a backend refuses double.
FLOAT_ALONE ?=
# The even pairs that GPUs have; none: all. To try a kernel, or to count its registers.
GPU_PAIRS ?=

CONFIG := $(if $(SANITIZE),$(if $(filter thread,$(SANITIZE)),tsan,sanitize),$(if $(DEBUG),debug,release))$(LONG_IDS:%=-ids%)$(if $(STATIC_LIBS),-static)$(\
  )$(if $(CUDA),-cuda)$(if $(HIP),-hip)$(if $(EMULATED),-emulated)$(if $(MPI),-mpi)
B := build/$(CONFIG)
# Configurations with and without MPI, GPUs and static libraries share what knows nothing of them: the
# CPU's loops and most host code. ThreadSanitizer's shares the release's, see C_SANITIZER. Two that are
# built at once must have the same flags: each compiles its own, and the last one stays.
SHARED := $(if $(filter file,$(origin B)),build/$(patsubst tsan,release,$(firstword \
  $(subst -, ,$(CONFIG))))$(LONG_IDS:%=-ids%),$(B))

# --- Flags ----
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
# And what all code must know: the type of ids.
INCLUDES := -I. -Isrc $(LONG_IDS:%=-DSLUICE_IDS_%)
LANGUAGE = -std=gnu11 $(WARNINGS) $(INCLUDES)

comma := ,
hash := \#
SANITIZERS := $(if $(filter thread,$(SANITIZE)),thread,address$(comma)undefined)
SANITIZER := $(if $(SANITIZE),-fsanitize=$(SANITIZERS) -fno-sanitize-recover=all \
  -fno-omit-frame-pointer $(if $(filter thread,$(SANITIZE)),,-fPIC))
# ThreadSanitizer is for the emulated GPU's code, and for the team of threads that copies for it: all
# other C is the release's.
C_SANITIZER := $(if $(filter thread,$(SANITIZE)),,$(SANITIZER))
# Sanitizers name functions and lines: to describe variables, too, costs half of the compiler's time.
OPTIMISE_HOST := $(if $(C_SANITIZER),-O1 -g1,$(if $(DEBUG),-O1 -g,-O2 -g1))
# -Og compiles pair loops in two thirds of -O1's time, and they run as fast.
OPTIMISE_EMULATED := $(if $(SANITIZE),-Og -g1,$(OPTIMISE_HOST))
OPTIMISE_LOOPS := $(if $(C_SANITIZER),-Og -g1,$(if $(DEBUG),-O1 -g,-O3))

# Host code is never contracted: what it sums must not depend on the compiler's taste.
HOST_FLAGS = $(LANGUAGE) $(OPTIMISE_HOST) -ffp-contract=off $(C_SANITIZER) $(CFLAGS)

# Without -fno-math-errno the square root of the pair loop is not vectorised.
SIMD_MATH := -fopenmp-simd -fno-math-errno -fno-trapping-math
LOOP_MATH := $(SIMD_MATH) -ffp-contract=fast
LOOP_FLAGS = $(LANGUAGE) $(OPTIMISE_LOOPS) $(LOOP_MATH) $(C_SANITIZER) $(CFLAGS)

# Flags of one file of loops, after all others. The compensated sums of integrate.c and sums.c stand
# as written; reduce.c gives extremes the same bits with and without sums, and all layouts of swarm.c
# give the same.
LOOP_FLAGS_integrate := -ffp-contract=off
LOOP_FLAGS_sums := $(LOOP_FLAGS_integrate)
LOOP_FLAGS_swarm := -ffp-contract=off
LOOP_FLAGS_reduce := -ffp-contract=off

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
LIBCONFIG_LIBS ?= -lconfig
# As system headers: their warnings are not ours.
HOST_HEADERS := $(patsubst -I%,-isystem %,$(HDF5_CFLAGS) $(LIBCONFIG_CFLAGS))
ifdef STATIC_LIBS
# The binary can be carried to a machine without them.
LIBS := $(filter -L%,$(HDF5_LIBS) $(LIBCONFIG_LIBS)) -Wl,-Bstatic -lconfig -lhdf5 -lsz -laec -lz \
  -Wl,-Bdynamic -lm -ldl
else
LIBS := $(HDF5_LIBS) $(LIBCONFIG_LIBS) -lz -lm
endif

# --- MPI: the flags of its compiler; OpenMPI's and MPICH's know -show ----
# Beside mpicc.mpich lies mpirun.mpich.
MPICC ?= mpicc
MPIRUN ?= $(if $(findstring mpicc,$(MPICC)),$(subst mpicc,mpirun,$(MPICC)),mpirun)
ifdef MPI
MPI_COMMAND := $(shell $(MPICC) -show 2>/dev/null)
MPI_DEFINES := -DSLUICE_WITH_MPI
MPI_HEADERS := $(patsubst -I%,-isystem %,$(filter -I%,$(MPI_COMMAND)))
LIBS += $(filter -L% -l% -Wl$(comma)%,$(MPI_COMMAND))
endif

# --- GPUs: one source, kernels/gpu, for nvcc, hipcc, or g++ with the emulator (tests only) ----
# Files of folders called host are compiled once (NAME.cuda.o), all others once a precision
# (NAME.f32.cuda.o, NAME.f64.cuda.o).
GPUS := $(if $(CUDA),cuda) $(if $(HIP),hip) $(if $(EMULATED),emulated)
GPU_DEFINES := $(if $(CUDA),-DSLUICE_WITH_CUDA) $(if $(HIP),-DSLUICE_WITH_HIP) \
  $(if $(EMULATED),-DSLUICE_WITH_EMULATED)
LIB_CFLAGS := $(HOST_HEADERS) $(MPI_HEADERS)

ifdef CUDA
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(wildcard $(CUDA_HOME:%=%/bin/nvcc)) $(shell command -v nvcc 2>/dev/null) \
  $(wildcard /usr/local/cuda/bin/nvcc))
endif
# Code for every architecture of this list that the toolkit knows, and PTX of the newest, which
# later ones translate when the program starts. Code for 8.0 runs on 8.6, 8.7 and 8.9 too, for 10.0
# on 10.3, for 12.0 on 12.1.
CUDA_WANTED := 75 80 90 100 120
ifeq ($(origin CUDA_ARCHS),undefined)
CUDA_ARCHS := $(filter $(CUDA_WANTED),$(patsubst compute_%,%,$(if $(NVCC),\
  $(shell $(NVCC) --list-gpu-arch 2>/dev/null))))
endif
NVCC_ARCHS := $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a)$(comma)code=sm_$(a)) \
  $(foreach a,$(lastword $(CUDA_ARCHS)),-gencode arch=compute_$(a)$(comma)code=compute_$(a))
# Several are packed tightly: else the program for all of them is ten times as large. Drivers for CUDA
# 13 and later can read that, all of them; of those for 12 only some.
NVCC_PACKED := $(if $(word 2,$(CUDA_ARCHS)),$(shell $(NVCC) --version 2>/dev/null | \
  sed -nE 's/.*release (1[3-9]|[2-9][0-9])\..*/--compress-mode=size/p'))
CUDA_PATH := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
CUDA_LIBS ?= $(foreach d,$(wildcard $(CUDA_PATH)/lib64),-L$(d)) \
  -lcudart_static -lstdc++ -lrt -lpthread -ldl
endif

ifdef HIP
ifeq ($(origin HIPCC),undefined)
HIPCC := $(firstword $(shell command -v hipcc 2>/dev/null) $(wildcard /opt/rocm/bin/hipcc))
endif
# Those of this list that this hipcc has device libraries for.
HIP_WANTED := gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1201
ifeq ($(origin HIP_ARCHS),undefined)
HIP_ARCHS := $(if $(HIPCC),$(shell for a in $(HIP_WANTED); do \
  $(HIPCC) --offload-arch=$$a -x hip --cuda-device-only -E /dev/null >/dev/null 2>&1 && echo $$a; \
  done))
endif
HIP_LIB := $(wildcard $(patsubst %/bin/hipcc,%/lib,$(realpath $(HIPCC)))/libamdhip64.so)
HIP_LIBS ?= $(foreach d,$(patsubst %/,%,$(dir $(HIP_LIB))),-L$(d) -Wl$(comma)-rpath$(comma)$(d)) \
  -lamdhip64 -lstdc++
endif

# Divisions and square roots of the pair loops in float need not be exact; everything else is IEEE.
# pass.h refuses to compile for a GPU in a file that this list lacks. They take longest to compile, and
# are compiled first.
PAIR_LOOPS := kernels/gpu/window/window.cu kernels/gpu/window/adaptive.cu kernels/gpu/tiled.cu \
  kernels/gpu/bucket/bucket.cu \
  $(wildcard kernels/gpu/cells/*.cu) kernels/bench/gpu/stored_lists.cu kernels/bench/gpu/branching.cu
pair_loop = $(if $(filter $(1).cu,$(PAIR_LOOPS)),-DSLUICE_PAIR_LOOP $(if $(filter f32,$(2)),$(FAST_$(3))))
FAST_cuda := -use_fast_math
FAST_hip := -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt

# What is not there for double says so (device.cu).
GPU_FLOAT_ALONE = $(if $(filter $(1),$(FLOAT_ALONE)),-DSLUICE_FLOAT_ALONE)

# Strategies take up to a minute an object to compile; debug builds have a kernel of each pair that
# serves all cases, and not those for the usual ones, instances of the same templates.
GPU_FEW := $(if $(DEBUG),-DSLUICE_FEW_KERNELS)

# For hipcc's code, and for the host's of nvcc, which optimises device code in any case.
GPU_OPTIMISE ?= -O3
GPU_WARNINGS := -Wall -Wunused-parameter -Wshadow $(if $(WERROR),-Werror)
NVCC_THREADS ?= 2
GPU_FLAGS_cuda := -std=c++17 $(INCLUDES) $(GPU_FEW) $(GPU_OPTIMISE) $(NVCC_ARCHS) $(NVCC_PACKED) \
  --threads $(NVCC_THREADS) $(addprefix -Xcompiler ,$(GPU_WARNINGS) -ffp-contract=off) \
  -diag-suppress 177 $(if $(WERROR),-Werror all-warnings)
GPU_FLAGS_hip := -x hip -std=c++17 $(INCLUDES) $(GPU_FEW) $(GPU_OPTIMISE) $(GPU_WARNINGS) \
  -Wno-unused-command-line-argument -Wno-unknown-pragmas -Wno-unused-result \
  -Wno-unused-function -Wno-pass-failed $(HIP_ARCHS:%=--offload-arch=%)
# The host and the device agree to the last bit on which ranks need a place.
GPU_FLAGS_border_cuda := -fmad=false
GPU_FLAGS_border_hip := -ffp-contract=off
# Checks of memory by calls take two thirds of the time to compile of checks in line.
BY_CALLS := $(if $(findstring address,$(SANITIZER)),--param asan-instrumentation-with-call-threshold=0)
GPU_FLAGS_emulated := -x c++ -std=gnu++17 -DSLUICE_EMULATED $(INCLUDES) \
  $(OPTIMISE_EMULATED) -ffp-contract=off $(GPU_WARNINGS) -Wno-unknown-pragmas \
  $(if $(filter thread,$(SANITIZE)),,-fopenmp) $(subst $(comma)undefined,,$(SANITIZER)) $(BY_CALLS) $(CXXFLAGS)
# The emulator tells ThreadSanitizer by hand what orders its threads.
EMULATOR_FLAGS := $(OPTIMISE_HOST) $(if $(filter thread,$(SANITIZE)),-fno-sanitize=thread -DSLUICE_EMULATED_TSAN)
GPU_COMPILER_cuda = $(NVCC) $(GPU_FLAGS_cuda) $(call GPU_FLOAT_ALONE,cuda) $(NVCCFLAGS)
GPU_COMPILER_hip = $(HIPCC) $(GPU_FLAGS_hip) $(call GPU_FLOAT_ALONE,hip) $(HIPFLAGS)
# Only the general case of emulated cells, and under ThreadSanitizer of all strategies: a shorter
# build.
GPU_COMPILER_emulated = $(CXX) $(GPU_FLAGS_emulated) \
  $(if $(filter thread,$(SANITIZE))$(findstring /cells/,$<),-DPASS_GENERAL_ONLY)
# NCCL=1: GPUs of several ranks send to each other directly (RCCL on AMD).
ifdef NCCL
NCCL_CFLAGS ?=
NCCL_LIBS ?= $(if $(CUDA),-lnccl) $(if $(HIP),-lrccl)
GPU_FLAGS_cuda += -DSLUICE_NCCL $(NCCL_CFLAGS)
GPU_FLAGS_hip += -DSLUICE_NCCL $(NCCL_CFLAGS)
CUDA_LIBS += $(if $(CUDA),$(NCCL_LIBS))
HIP_LIBS += $(if $(HIP),$(NCCL_LIBS))
endif
GPU_LIBS := $(if $(CUDA),$(CUDA_LIBS)) $(if $(HIP),$(HIP_LIBS)) $(if $(EMULATED),-lstdc++)

# The tests' linker: lld takes half of the time of gold, and gold half of that of ld.
TEST_LINKER := $(firstword $(foreach name,lld gold,\
  $(shell $(CC) -fuse-ld=$(name) -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=$(name))))
# The emulator alone has threads of OpenMP.
LINK_FLAGS := -pthread $(if $(EMULATED),-fopenmp) $(SANITIZER) $(LDFLAGS)

# --- Sources: whatever is there ----
MAIN_C := $(wildcard src/app/main.c)
HOST_C := $(filter-out src/app/main.c,$(wildcard src/*/*.c src/*/*/*.c)) \
  $(wildcard kernels/formulas/*.c kernels/backends/*.c kernels/bench/*.c)
CPU_C := $(wildcard kernels/cpu/*.c kernels/bench/cpu/*.c)
CPU_LOOPS_C := $(filter-out kernels/cpu/loops/pair.c,\
  $(wildcard kernels/cpu/loops/*.c kernels/bench/cpu/loops/*.c))
# Rows of the lists of pairs, name:formulas:kernel:supports. Each is an object of its own.
PAIR_ROWS := $(shell sed -nE \
  '/define SLUICE_(COMMON|RARE)_PAIRS/s/.*/EVEN/p;/define SLUICE_ADAPTIVE_PAIRS/s/.*/ADAPTIVE/p; \
  s/^ *X.([a-z_]+), ([a-z_]+), (ALL|WENDLAND|OTHERS),.*/\1:\2:\3/p' kernels/registry.h | \
  sed -nE '/^[A-Z]+$$/{h;d};G;s/\n/:/p') \
  $(shell sed -nE 's/^EFFECT_PAIR.([a-z_]+), ([a-z_]+), (ALL|WENDLAND|OTHERS),.*/\1:\2:\3:EVEN/p' \
  src/physics/*/*.def)
pair_word = $(word $(2),$(subst :, ,$(1)))
# The header of a pair's formulas.
pair_header = kernels/pair/$(if $(filter wcsph_%,$(1)),wcsph_combinations,pair_$(1)).h
GPU_CU := $(if $(strip $(GPUS)),\
  $(wildcard kernels/gpu/*.cu kernels/gpu/*/*.cu kernels/bench/gpu/*.cu kernels/bench/gpu/*/*.cu))
GPU_HOST_CU := $(filter kernels/gpu/host/% kernels/bench/gpu/host/%,$(GPU_CU))
GPU_LOOPS_CU := $(filter $(GPU_CU),$(PAIR_LOOPS)) $(filter-out $(PAIR_LOOPS) $(GPU_HOST_CU),$(GPU_CU))
# The window strategy has an object for each pair with one support for all.
WINDOW_PAIRS := $(if $(GPU_PAIRS),$(GPU_PAIRS),$(foreach r,$(filter %:EVEN,$(PAIR_ROWS)),$(call pair_word,$(r),1)))
GPU_OBJECTS := $(if $(GPU_CU),$(WINDOW_PAIRS:%=kernels/gpu/window/window_%)) \
  $(filter-out kernels/gpu/window/window,$(GPU_LOOPS_CU:.cu=))
EMULATOR_CC := $(if $(EMULATED),$(wildcard kernels/gpu/emulator/*.cc))
# Tests are the files whose first line says so (tools/list-tests.sh, tests/README.md).
TESTS_C := $(shell tools/list-tests.sh --language c)
TESTS_CU := $(if $(EMULATED),$(shell tools/list-tests.sh --language cu))
FUZZ_TARGETS := config mesh snapshot
TEST_SUPPORT_C := $(wildcard tests/support/*.c tests/reference/*.c) $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%.c)

# The CPU's loops are compiled for each precision and instruction set, and chosen at run time.
PRECISIONS := f32 f64
gpu_precisions = $(if $(filter $(1),$(FLOAT_ALONE)),f32,$(PRECISIONS))
DEFINE_f32 :=
DEFINE_f64 := -DSLUICE_DOUBLE
ifeq ($(shell uname -m),x86_64)
ISAS := x86_64 x86_64_v3 x86_64_v4
else
ISAS := native
endif
ifdef SANITIZE # one instruction set, or it takes minutes to build; `make SANITIZE=1 ISAS=...`: others
ISAS := $(firstword $(ISAS))
endif
CPU_VARIANTS = '-DCPU_VARIANTS(X)=$(foreach i,$(ISAS),X($(i), "$(call isa_name,$(i))"))'
MARCH_x86_64 := -march=x86-64
MARCH_x86_64_v3 := -march=x86-64-v3
MARCH_x86_64_v4 := -march=x86-64-v4 -mprefer-vector-width=512
MARCH_native :=

# Host code that differs between configurations which share the rest.
OWN_HOST_C := $(shell grep -lE 'SLUICE_(WITH_(MPI|CUDA|HIP|EMULATED)|REVISION)' $(HOST_C)) \
  $(if $(filter thread,$(SANITIZE)),src/core/threads.c)
OWN_HOST_O := $(OWN_HOST_C:%.c=$(B)/obj/%.o)
SHARED_O := $(patsubst %.c,$(SHARED)/obj/%.o,$(filter-out $(OWN_HOST_C),$(HOST_C)))
HOST_O := $(OWN_HOST_O) $(SHARED_O)
CPU_O := $(CPU_C:%.c=$(B)/obj/%.o)
CPU_LOOPS_O := $(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),\
  $(foreach r,$(PAIR_ROWS),$(SHARED)/obj/kernels/cpu/loops/pair_$(call pair_word,$(r),1).$(p)_$(i).o) \
  $(CPU_LOOPS_C:%.c=$(SHARED)/obj/%.$(p)_$(i).o)))
GPU_O := $(foreach g,$(GPUS),\
  $(foreach p,$(call gpu_precisions,$(g)),$(GPU_OBJECTS:%=$(B)/obj/%.$(p).$(g).o)) \
  $(GPU_HOST_CU:%.cu=$(B)/obj/%.$(g).o)) \
  $(EMULATOR_CC:%.cc=$(B)/obj/%.o)
MAIN_O := $(MAIN_C:%.c=$(B)/obj/%.o)
TEST_SUPPORT_O := $(TEST_SUPPORT_C:%.c=$(B)/obj/%.o)
TEST_O := $(TESTS_C:%.c=$(B)/obj/%.o)
TEST_CU_O := $(TESTS_CU:%.cu=$(B)/obj/%.o)
TEST_BIN := $(TESTS_C:tests/%.c=$(B)/tests/%) $(TESTS_CU:tests/%.cu=$(B)/tests/%)
PROGRAM := $(if $(MAIN_C),$(B)/sluice)

# --- Build ----
.PHONY: all tests-build FORCE
all: $(B)/libsluice.a $(PROGRAM) ## build/sluice (CUDA=1, HIP=1, MPI=1, IDS=64, DEBUG=1, SANITIZE=1, STATIC_LIBS=1)
	@if [ -n "$(PROGRAM)" ]; then ln -sfn $(CONFIG)/sluice build/sluice; fi

tests-build: $(if $(BUILT_TESTS),$(filter $(TEST_BIN),\
  $(patsubst %,$(B)/%,$(basename $(shell tools/list-tests.sh --language c$(comma)cu $(BUILT_TESTS))))),$(TEST_BIN))

# Rewritten when its text changes, and only then: what depends on it is rebuilt when it must be.
define stamp
@mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.$(CONFIG); \
if cmp -s $@.$(CONFIG) $@; then rm -f $@.$(CONFIG); else mv $@.$(CONFIG) $@; fi
endef

$(B)/flags: FORCE
	$(call stamp,$(CC) | $(HOST_FLAGS) | $(GPU_DEFINES) $(MPI_DEFINES) | $(LIB_CFLAGS) | $(ISAS))
$(SHARED)/host-flags: FORCE
	$(call stamp,$(CC) | $(HOST_FLAGS) | $(HOST_HEADERS))
$(SHARED)/loop-flags: FORCE
	$(call stamp,$(CC) | $(LOOP_FLAGS) | $(LOOP_FLAGS_integrate) | $(LOOP_FLAGS_swarm))
$(B)/link-flags: FORCE
	$(call stamp,$(CC) $(LINK_FLAGS) $(TEST_LINKER) $(LIBS) $(GPU_LIBS))
$(B)/gpu-pairs.h: FORCE
	$(call stamp,$(hash)define PASS_PAIRS(X)$(foreach p,$(GPU_PAIRS), X($(p)$(comma) $(comma) $(comma) )))
$(B)/gpu-flags: FORCE
	$(call stamp,$(foreach g,$(GPUS),$(GPU_COMPILER_$(g)) | $(FAST_$(g)) |))

# A missing tool or library is said once, with the remedy, before any compiler error.
$(B)/prerequisites: $(B)/flags
	@command -v $(CC) >/dev/null || \
	  { echo "No compiler $(CC): 'make packages' installs what the build needs." >&2; exit 1; }
	@$(CC) $(MARCH_$(lastword $(ISAS))) -fopenmp-simd -E -x c /dev/null >/dev/null 2>&1 || \
	  { echo "$(CC) does not know $(MARCH_$(lastword $(ISAS))) or -fopenmp-simd: gcc 11 or later does." \
	  >&2; exit 1; }
	@command -v $(PKG_CONFIG) >/dev/null || [ -n "$(HDF5_LIBS)" ] || \
	  { echo "No pkg-config, which finds the libraries: 'make packages' installs it." >&2; exit 1; }
	@[ -n "$(HDF5_CFLAGS)$(HDF5_LIBS)" ] || \
	  { echo "pkg-config knows no HDF5 (asked for hdf5, hdf5-serial): 'make packages' installs it," \
	  "or set HDF5_CFLAGS and HDF5_LIBS." >&2; exit 1; }
	@echo '#include <libconfig.h>' | $(CC) $(LIB_CFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 || \
	  { echo "No libconfig.h, libconfig's header: 'make packages' installs it," \
	  "or set LIBCONFIG_CFLAGS and LIBCONFIG_LIBS." >&2; exit 1; }
	@echo '#include <zlib.h>' | $(CC) $(LIB_CFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 || \
	  { echo "No zlib.h, zlib's header: 'make packages' installs it." >&2; exit 1; }
	@[ -z "$(MPI)" ] || [ -n "$(MPI_COMMAND)" ] || \
	  { echo "No MPI compiler $(MPICC): 'tools/packages.sh install mpi' installs it, or set MPICC." >&2; \
	  exit 1; }
	@$(if $(CUDA),tools/gpu-toolkit.sh cuda "$(NVCC)" $(CUDA_ARCHS))
	@$(if $(HIP),tools/gpu-toolkit.sh hip "$(HIPCC)" $(HIP_ARCHS))
	@touch $@

COMPILED := $(OWN_HOST_O) $(CPU_O) $(MAIN_O) $(TEST_O) $(TEST_SUPPORT_O)
$(COMPILED): $(B)/flags Makefile | $(B)/prerequisites
$(SHARED_O): $(SHARED)/host-flags Makefile | $(B)/prerequisites
$(CPU_LOOPS_O): $(SHARED)/loop-flags Makefile | $(B)/prerequisites

$(CPU_O): FLAGS_OF_FILE = $(CPU_VARIANTS)
$(TEST_O) $(TEST_SUPPORT_O): FLAGS_OF_FILE = -Itests
$(COMPILED): $(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(HOST_FLAGS) $(GPU_DEFINES) $(MPI_DEFINES) $(FLAGS_OF_FILE) $(LIB_CFLAGS) -MMD -MP \
	  -c $< -o $@

$(SHARED_O): $(SHARED)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(HOST_FLAGS) $(FLAGS_OF_FILE) $(HOST_HEADERS) \
	  -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@.$(CONFIG)
	@mv $@.$(CONFIG) $@

# $(1) precision, $(2) instruction set as in a symbol, $(3) source without .c, $(4) object without
# its ending, $(5) more flags
isa_name = $(subst _v,-v,$(subst x86_64,x86-64,$(1)))
loop_defines = $(DEFINE_$(1)) -DSLUICE_ISA_NAME='"$(call isa_name,$(2))"' -DSLUICE_SUFFIX=$(1)_$(2)
define loop_rule
$(SHARED)/obj/$(4).$(1)_$(2).o: $(3).c
	@mkdir -p $$(@D)
	@echo "  CC    $(4)  ($(1) $(2))"
	@$$(CC) $$(LOOP_FLAGS) $$(MARCH_$(2)) $$(call loop_defines,$(1),$(2)) \
	  $$(LOOP_FLAGS_$(notdir $(3))) $(5) \
	  -MMD -MP -MT $$@ -MF $$(@:.o=.d) -c $$< -o $$@.$(CONFIG)
	@mv $$@.$(CONFIG) $$@
endef
$(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(foreach f,$(CPU_LOOPS_C:.c=),\
  $(eval $(call loop_rule,$(p),$(i),$(f),$(f))))))
pair_defines = -DPAIR_NAME=$(call pair_word,$(1),1) -DPAIR_FORMULAS=$(call pair_word,$(1),2) \
  -DPAIR_KERNEL=$(call pair_word,$(1),3) -DPAIR_SUPPORTS=$(call pair_word,$(1),4) \
  -DPAIR_HEADER='"$(call pair_header,$(call pair_word,$(1),2))"'
$(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(foreach r,$(PAIR_ROWS),\
  $(eval $(call loop_rule,$(p),$(i),kernels/cpu/loops/pair,$(\
  )kernels/cpu/loops/pair_$(call pair_word,$(r),1),$(call pair_defines,$(r)))))))

# $(1) source without .cu, $(2) precision or empty, $(3) cuda, hip, emulated, $(4) object without its
# endings, $(5) the pair of this object alone
define gpu_rule
$(B)/obj/$(4)$(2:%=.%).$(3).o: $(1).cu
	@mkdir -p $$(@D)
	@echo "  GPU   $(4)  ($(strip $(2) $(3)))"
	@$$(GPU_COMPILER_$(3)) $$(GPU_FLAGS_$(notdir $(1))_$(3)) $$(DEFINE_$(2)) $$(call pair_loop,$(1),$(2),$(3)) \
	  $(if $(5),-DPASS_NAME=$(5)) $(if $(GPU_PAIRS),-include $(B)/gpu-pairs.h) \
	  -MMD -MP -MT $$@ -MF $$(@:.o=.d) -c $$< -o $$@
endef
$(foreach g,$(GPUS),$(foreach f,$(GPU_HOST_CU:.cu=),$(eval $(call gpu_rule,$(f),,$(g),$(f)))))
$(foreach g,$(GPUS),$(foreach p,$(call gpu_precisions,$(g)),\
  $(foreach w,$(WINDOW_PAIRS),\
    $(eval $(call gpu_rule,kernels/gpu/window/window,$(p),$(g),kernels/gpu/window/window_$(w),$(w)))) \
  $(foreach f,$(filter-out kernels/gpu/window/window,$(GPU_LOOPS_CU:.cu=)),\
    $(eval $(call gpu_rule,$(f),$(p),$(g),$(f))))))
$(EMULATOR_CC:%.cc=$(B)/obj/%.o): $(B)/obj/%.o: %.cc
	@mkdir -p $(@D)
	@echo "  CXX   $<"
	@$(GPU_COMPILER_emulated) $(EMULATOR_FLAGS) -MMD -MP -c $< -o $@
$(TEST_CU_O): $(B)/obj/%.o: %.cu
	@mkdir -p $(@D)
	@echo "  GPU   $<  (emulated)"
	@$(GPU_COMPILER_emulated) -Itests -MMD -MP -c $< -o $@
$(GPU_O) $(TEST_CU_O): $(B)/gpu-flags $(if $(GPU_PAIRS),$(B)/gpu-pairs.h) Makefile | $(B)/prerequisites

# Revision, compiler and flags reach one file only, so that a commit rebuilds one file only.
REVISION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMPILER := $(shell $(CC) --version 2>/dev/null | head -n 1 | tr -d '"\\')$(\
  )$(if $(CUDA),; $(shell $(NVCC) --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p'))$(\
  )$(if $(HIP),; $(shell $(HIPCC) --version 2>/dev/null | sed -n 's/^HIP version: /hipcc /p'))
VERSION_DEFINES = -DSLUICE_REVISION='"$(REVISION)"' -DSLUICE_COMPILER='"$(COMPILER)"' \
  -DSLUICE_CONFIG='"$(CONFIG)"' -DSLUICE_MPIRUN='"$(MPIRUN)"' -DSLUICE_ISAS='"$(call isa_name,$(ISAS))"' \
  -DSLUICE_FLAGS='"$(strip $(OPTIMISE_LOOPS) $(LOOP_MATH) $(SANITIZER) $(CFLAGS))"'
$(B)/version: FORCE
	$(call stamp,$(VERSION_DEFINES))
$(B)/obj/src/core/version.o: $(B)/version
$(B)/obj/src/core/version.o: FLAGS_OF_FILE = $(VERSION_DEFINES)
# gcc takes MPICH's MPI_STATUSES_IGNORE, which is no array, for one that is too short.
$(B)/obj/src/domain/comm_mpi.o: FLAGS_OF_FILE = -Wno-stringop-overflow
# The pair loops of fitted walls.
$(SHARED)/obj/src/fit/pack_relax.o $(SHARED)/obj/src/fit/pack_list.o: \
  FLAGS_OF_FILE = $(OPTIMISE_LOOPS) $(SIMD_MATH)

$(if $(filter thread,$(SANITIZE)),$(eval $(B)/obj/src/core/threads.o: FLAGS_OF_FILE = $(SANITIZER)))

# Listed in a stamp too: a source that was taken away leaves the library.
MEMBERS := $(GPU_O) $(CPU_LOOPS_O) $(CPU_O) $(HOST_O)
$(B)/members: FORCE
	$(call stamp,$(MEMBERS))
$(B)/libsluice.a: $(MEMBERS) $(B)/members
	@echo "  AR    $@"
	@rm -f $@; ar qcsD $@ $(MEMBERS)

$(B)/sluice: $(MAIN_O) $(B)/libsluice.a $(B)/link-flags
	@echo "  LINK  $@"
	@$(CC) $(MAIN_O) $(B)/libsluice.a $(LINK_FLAGS) $(LIBS) $(GPU_LIBS) -o $@

# Tests under AddressSanitizer share one library: a hundred programs with a copy each take 8 GB of disk.
$(B)/libsluice.so: $(MEMBERS) $(B)/members $(B)/link-flags
	@echo "  LINK  $@"
	@$(CC) -shared $(MEMBERS) $(TEST_LINKER) $(LINK_FLAGS) $(LIBS) $(GPU_LIBS) -o $@

TEST_LIBRARY := $(B)/libsluice$(if $(C_SANITIZER),.so,.a)
$(TEST_BIN): $(B)/tests/%: $(B)/obj/tests/%.o $(TEST_SUPPORT_O) $(TEST_LIBRARY) $(B)/link-flags
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $< $(TEST_SUPPORT_O) $(TEST_LIBRARY) $(if $(C_SANITIZER),-Wl$(comma)-rpath$(comma)$(CURDIR)/$(B)) \
	  $(TEST_LINKER) $(LINK_FLAGS) $(LIBS) $(GPU_LIBS) -o $@

-include $(COMPILED:.o=.d) $(SHARED_O:.o=.d) $(CPU_LOOPS_O:.o=.d) $(GPU_O:.o=.d) $(TEST_CU_O:.o=.d)

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
	@echo "Another run:   build/sluice run configs/dam_break.cfg --set spacing=0.0028575 --out out/mine"

# --- Tests ----
.PHONY: test test-quick test-sanitize test-emulated test-run
test: ## install what is missing, build, check, run all but slow tests (TESTS="threads grid": only those)
	@tools/packages.sh install build plot test
	@+$(MAKE) --no-print-directory -j$(JOBS) all tests-build
	@+$(MAKE) --no-print-directory test-run

# Everything is run, whatever failed before it.
test-run:
	@+failed=; \
	if [ -z "$(TESTS)" ]; then for check in check-tree check-format; do \
	  $(MAKE) --no-print-directory -k $$check || failed="$$failed $$check"; done; fi; \
	tools/run-tests.sh $(B) $(TESTS) || failed="$$failed tests"; \
	[ -z "$$failed" ] || { echo "FAILED:$$failed" >&2; exit 1; }

test-quick: all tests-build ## run the unit tests written in C, nothing else
	@tools/run-tests.sh $(B) $(or $(TESTS),--language c --without slow)

test-sanitize: ## the C and shell tests under AddressSanitizer and UBSan (TESTS="--language c": only C)
	@tools/packages.sh install build test emulated mpi
	@+$(MAKE) --no-print-directory -j$(JOBS) SANITIZE=1 EMULATED=1 MPI=1 sanitize-build
	@SLUICE_TEST_BACKEND=cpu tools/run-tests.sh build/sanitize-emulated-mpi $(or $(TESTS),--language c$(comma)cu$(comma)sh --without slow)

.PHONY: expected
expected: $(PROGRAM) ## write the tables of docs/scaling.md, "What to expect"
	@$$(tools/find-python.sh || echo python3) tools/expected_scaling.py $(PROGRAM)

# The program with long ids has some of the same pair loops, as it must give the same bits; the rest
# of it is compiled in little time.
.PHONY: test-mpi test-mpi-build
test-mpi: ## several ranks: the same bits as one, and faults; long ids; installs an MPI
	@tools/packages.sh install build plot test mpi
	@+$(MAKE) --no-print-directory test-mpi-build
	@SLUICE_REQUIRE="MPI mpirun python IDS=64" tools/run-tests.sh build/release-mpi $(or $(TESTS),--tagged mpi)

test-mpi-build:
	@+$(MAKE) --no-print-directory -j$(JOBS) MPI=1 build/release-mpi/sluice
	@+$(MAKE) --no-print-directory -j$(JOBS) MPI=1 IDS=64 B=build/long-ids ISAS=$(firstword $(ISAS)) \
	  OPTIMISE_HOST=-O0 build/long-ids/sluice

.PHONY: test-gpu
test-gpu: ## with CUDA=1 or HIP=1: tests tagged gpu, on the cards of this machine
	@[ -n "$(GPUS)" ] || { echo "make test-gpu needs CUDA=1 or HIP=1." >&2; exit 1; }
	@+$(MAKE) --no-print-directory -j$(JOBS) all tests-build
	@SLUICE_TEST_BACKEND=$(firstword $(GPUS)) tools/run-tests.sh $(B) $(or $(TESTS),--tagged gpu)

.PHONY: test-aarch64
test-aarch64: ## tests in C of a program for aarch64 with NEON, in an emulator; half an hour
	@tools/test-aarch64.sh

.PHONY: test-all
test-all: ## all tests in all builds, in full but for TSan; hours; can be stopped and goes on
	@tools/packages.sh install build plot surface report browser movie test memory shells lint fuzz emulated hip mpi paraview package site
	@tools/test-all.sh

# What the GPU's kernels do, on small cases: tests in C in parts, which differ from run to run, others
# whole. EMULATED_TAGS and TSAN_TAGS say which; TESTS="bin strategies": these alone, without TSan.
EMULATED_RUNS ?= 32/forward 64/reverse
EMULATED_TAGS ?= emulator,emulator-slow
EMULATED_PARTS ?= 24
# ThreadSanitizer makes everything some fifty times slower; the kernels of all cases are enough there.
TSAN_RUNS ?= 32/forward 64/reverse
TSAN_TAGS ?= tsan,tsan-slow
TSAN_PARTS ?= 48
test-emulated: ## the GPU's kernels on the CPU: warps of 32, 64, both orders, ASan and TSan
	@tools/packages.sh install build plot test emulated mpi
	@+$(MAKE) --no-print-directory -j$(JOBS) SANITIZE=1 EMULATED=1 MPI=1 sanitize-build
	@+[ -n "$(TESTS)" ] || $(MAKE) --no-print-directory -j$(JOBS) SANITIZE=thread EMULATED=1 \
	  BUILT_TESTS="--tagged $(TSAN_TAGS)" sanitize-build
	@failed=; \
	SLUICE_TEST_PARTS=$(EMULATED_PARTS) tools/run-emulated.sh build/sanitize-emulated-mpi $(EMULATED_RUNS) \
	  -- $(or $(TESTS),--language c$(comma)cu --tagged $(EMULATED_TAGS)) || failed=1; \
	[ -n "$(TESTS)" ] || tools/run-emulated.sh build/sanitize-emulated-mpi 64/reverse \
	  -- --language sh$(comma)py --tagged $(EMULATED_TAGS) || failed=1; \
	[ -n "$(TESTS)" ] || SLUICE_TEST_PARTS=$(TSAN_PARTS) \
	  tools/run-emulated.sh build/tsan-emulated $(TSAN_RUNS) -- --tagged $(TSAN_TAGS) || failed=1; \
	[ -z "$$failed" ]

# Without the link: build/sluice stays what the user built.
.PHONY: sanitize-build
sanitize-build: tests-build $(PROGRAM)

# --- Fuzzing: host code by clang, with libFuzzer's coverage and sanitizers; pair loops by gcc ----
.PHONY: fuzz fuzz-build
SECONDS ?= 60
FUZZ := build/fuzz$(LONG_IDS:%=-ids%)
FUZZ_CC ?= clang
FUZZ_FLAGS = -std=gnu11 -w $(INCLUDES) -Itests $(LIB_CFLAGS) -O1 -g1 -ffp-contract=off \
  -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined
# Without what no reader needs.
FUZZ_HOST_C := $(filter-out src/app/% src/bench/% src/plan/% kernels/bench/%,$(HOST_C)) \
  $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%.c)
FUZZ_HOST_O := $(FUZZ_HOST_C:%.c=$(FUZZ)/obj/%.o)
FUZZ_MUTATE_O := $(FUZZ)/obj/tests/fuzz/mutate_snapshot.o
FUZZ_BIN := $(FUZZ_TARGETS:%=$(FUZZ)/%)

fuzz: ## send broken configs, meshes and snapshots to their readers (SECONDS=60)
	@tools/packages.sh install build fuzz
	@+$(MAKE) --no-print-directory -j$(JOBS) all fuzz-build
	@tools/fuzz.sh $(SECONDS) $(FUZZ_TARGETS)

fuzz-build: $(FUZZ_BIN)

$(FUZZ)/obj/src/core/version.o: FLAGS_OF_FILE = $(VERSION_DEFINES)
$(FUZZ_HOST_O) $(FUZZ_MUTATE_O): $(FUZZ)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  FUZZ  $<"
	@$(FUZZ_CC) $(FUZZ_FLAGS),fuzzer-no-link -MMD -MP $(FLAGS_OF_FILE) -c $< -o $@

$(FUZZ_BIN): $(FUZZ)/%: tests/fuzz/libfuzzer.c $(FUZZ_HOST_O) $(FUZZ_MUTATE_O) $(CPU_O) $(CPU_LOOPS_O)
	@echo "  LINK  $@"
	@$(FUZZ_CC) $(FUZZ_FLAGS),fuzzer -DFUZZ_TARGET=fuzz_$* $< $(FUZZ_HOST_O) \
	  $(if $(filter snapshot,$*),$(FUZZ_MUTATE_O)) $(CPU_O) $(CPU_LOOPS_O) \
	  $(LDFLAGS) $(LIBS) -o $@

-include $(FUZZ_HOST_O:.o=.d) $(FUZZ_MUTATE_O:.o=.d)

# --- Checks that need no running ----
.PHONY: check-tree check-format hooks format lint analyze check-gpu-builds gpu-build build-hip
OWN_C := $(wildcard src/*/*.[ch] src/*/*/*.[ch] kernels/*.[ch] kernels/*/*.[ch] kernels/*/*/*.[ch] kernels/*/*/*/*.[ch] \
  kernels/gpu/*.cu kernels/gpu/*/*.cc kernels/*/*/*.cu kernels/*/*/*/*.cu \
  tests/*/*.[ch] tests/*/*/*.[ch] tests/*/*/*.cu tools/numerics/*.c)
# Layout and findings change from one version of these tools to the next: one version judges.
LLVM_VERSION := 14

check-tree: ## layers, circles, headers on their own, names, lengths, links (tools/check-tree.py)
	@$$(tools/find-python.sh || echo python3) tools/check-tree.py \
	  $(if $(wildcard $(SHARED)/obj),--objects $(SHARED)/obj) \
	  $(if $(filter undefined,$(origin HEADERS)),,--headers "$(HEADERS)")

format: ## lay the C code out by .clang-format
	@tools/lint.sh format $(LLVM_VERSION) $(OWN_C)

check-format: ## say which files `make format` would change
	@tools/lint.sh check-format $(LLVM_VERSION) $(OWN_C)

hooks: ## let git check each commit first, in seconds (tools/hooks; git commit --no-verify skips it)
	@tools/hooks/install.sh

lint: ## clang-tidy by .clang-tidy, only files that changed since the last time
	@+if tools/lint.sh has-tidy $(LLVM_VERSION); then \
	  $(MAKE) --no-print-directory -j$(JOBS) lint-files; fi

# How many steps the analyzer follows through a function at most: as many as clang-tidy by itself.
LINT_STEPS ?= 225000
LINTED := $(patsubst %.c,build/lint/%.ok,$(MAIN_C) $(HOST_C) $(CPU_C) $(CPU_LOOPS_C) $(TESTS_C))
.PHONY: lint-files
lint-files: $(LINTED)
# The loops as one of their variants; clang 14 does not know the levels that gcc's builtin takes.
$(CPU_LOOPS_C:%.c=build/lint/%.ok): LINT_DEFINES = $(call loop_defines,f32,$(lastword $(ISAS)))
$(CPU_C:%.c=build/lint/%.ok): LINT_DEFINES = '-D__builtin_cpu_supports(name)=1'
build/lint/src/core/version.ok: LINT_DEFINES = $(VERSION_DEFINES)
build/lint/flags: FORCE
	$(call stamp,$(LINT_STEPS))
build/lint/%.ok: %.c $(filter %.h,$(OWN_C)) .clang-tidy tools/lint.sh build/lint/flags
	@mkdir -p $(@D)
	@echo "  TIDY  $<"
	@tools/lint.sh tidy $(LLVM_VERSION) $< $(INCLUDES) -Itests $(LIB_CFLAGS) $(LINT_DEFINES) \
	  -Xclang -analyzer-config -Xclang max-nodes=$(LINT_STEPS)
	@touch $@

analyze: ## gcc's static analyzer over the library; findings are errors
	@+$(MAKE) --no-print-directory -j$(JOBS) B=build/analyze CFLAGS="-fanalyzer -Werror" \
	  build/analyze/libsluice.a

check-gpu-builds: ## build for CUDA (where nvcc is) and HIP, and start that, without a GPU
	@+tools/check-gpu-builds.sh $(if $(WERROR),WERROR=1) $(if $(GPU_PAIRS),"GPU_PAIRS=$(GPU_PAIRS)")

# Without the link: build/sluice stays what the user built.
gpu-build: $(PROGRAM)

# As HIP=1 builds it, but for one architecture. The release's objects serve for the CPU.
HIP_CHECKED ?= gfx90a
build-hip: ## build/hip/sluice: all kernels, optimised, for AMD's gfx90a; needs no card, and half an hour
	@tools/packages.sh install build hip
	@+began=$$(date +%s); \
	$(MAKE) --no-print-directory -j$(JOBS) B=build/hip SHARED=build/release HIP=1 HIP_ARCHS=$(HIP_CHECKED) gpu-build && \
	roc-obj-ls build/hip/sluice | grep -q "amdgcn-amd-amdhsa--$(HIP_CHECKED)" && \
	echo "build/hip/sluice has code for $(HIP_CHECKED), built in $$(($$(date +%s) - began)) s on $(JOBS) cores"

# --- Documents and measurements ----
.PHONY: docs site bench validate validate-gpu numerics gallery
docs: all ## write docs/config.md, columns.md and options.md from the program's own tables
	build/sluice info --markdown >docs/config.md.new
	mv docs/config.md.new docs/config.md
	build/sluice info --columns --markdown >docs/columns.md.new
	mv docs/columns.md.new docs/columns.md
	tools/options-page.sh build/sluice >docs/options.md.new
	mv docs/options.md.new docs/options.md

site: ## build/site/index.html: README.md and docs/ as a site; MOVIES=1: with the gallery's movies
	@tools/packages.sh install site $(if $(MOVIES),build plot movie)
	$(if $(MOVIES),@+$(MAKE) --no-print-directory -j$(JOBS) all)
	$(if $(MOVIES),@$$(tools/find-python.sh numpy matplotlib h5py || echo python3) \
	  tools/gallery.py build/sluice --movies)
	@$$(tools/find-python.sh sphinx myst_parser furo || echo python3) -m sphinx -q -W --keep-going \
	  -d build/site-doctrees -c tools/site . build/site
	@echo "build/site/index.html"

bench: all ## the pair loop and the step, as CSV in out/bench
	@mkdir -p out/bench
	build/sluice bench pair --csv out/bench/pair.csv
	build/sluice bench step --csv out/bench/step.csv

gallery: ## run every config and draw docs/gallery.md anew (a quarter of an hour on two cores)
	@tools/packages.sh install build plot
	@+$(MAKE) --no-print-directory -j$(JOBS) all
	@$$(tools/find-python.sh numpy matplotlib h5py || echo python3) tools/gallery.py build/sluice

numerics: ## what the numerics buy and cost into docs/numerics.md (two minutes)
	@$$(tools/find-python.sh || echo python3) tools/numerics.py --out docs/numerics.md

VALIDATE_FLAGS ?=
validate: ## all reference cases into docs/validation.md, 1 on a missed gate (VALIDATE_FLAGS=...)
	@tools/packages.sh install build plot
	@+$(MAKE) --no-print-directory -j$(JOBS) all
	build/sluice validate -- --write docs/validation.md --jobs 2 $(VALIDATE_FLAGS)

validate-gpu: ## the same on a GPU, with its finer resolutions, six cases at once (HIP=1: not CUDA)
	@tools/packages.sh install build plot
	@+$(MAKE) --no-print-directory -j$(JOBS) $(if $(HIP),,CUDA=1) all
	build/sluice validate -- --write docs/validation.md --backend $(if $(HIP),hip,cuda) --jobs 6 \
	  $(VALIDATE_FLAGS)

# --- Install ----
.PHONY: install install-files uninstall
INSTALLED = $(B)/sluice
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED_TOOLS := $(wildcard tools/sluice_*.py tools/*/*.py tools/*/*/*.py tools/report/*.js tools/report/*.css)
PACKAGE := $(wildcard python/sluice/*.py python/sluice/py.typed python/examples/*.ipynb)
install: all ## program, Python package, tools, configs, documents, man page (PREFIX, DESTDIR)
	@+$(MAKE) --no-print-directory install-files
	@tools/install-python.sh install "$(PREFIX)" "$(DESTDIR)"

install-files:
	install -d $(BIN) $(SHARE)/man/man1 $(SHARE)/bash-completion/completions
	install -d $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -d $(SHARE)/sluice/tools $(SHARE)/sluice/configs $(SHARE)/doc/sluice/docs/pictures $(SHARE)/doc/sluice/docs/notes
	install -d $(SHARE)/doc/sluice/docs/tutorials
	install -d $(patsubst %,$(SHARE)/sluice/%,$(sort $(dir $(INSTALLED_TOOLS) $(PACKAGE))))
	install -m 755 $(INSTALLED) $(BIN)/sluice
	install -m 644 docs/sluice.1 $(SHARE)/man/man1/sluice.1
	install -m 644 tools/completion/sluice.bash $(SHARE)/bash-completion/completions/sluice
	install -m 644 tools/completion/_sluice $(SHARE)/zsh/site-functions/_sluice
	install -m 644 tools/completion/sluice.fish $(SHARE)/fish/vendor_completions.d/sluice.fish
	for tool in $(INSTALLED_TOOLS); do install -m 644 $$tool $(SHARE)/sluice/$$tool || exit 1; done
	chmod 755 $(SHARE)/sluice/tools/sluice_*.py
	for file in $(PACKAGE); do install -m 644 $$file $(SHARE)/sluice/$$file || exit 1; done
	install -m 644 tools/validate/cases.txt $(SHARE)/sluice/tools/validate
	install -m 644 tools/shipped/cases.txt $(SHARE)/sluice/tools/shipped
	install -d $(SHARE)/sluice/data/reference $(SHARE)/sluice/data/bodies
	install -m 644 data/reference/* $(SHARE)/sluice/data/reference
	install -m 644 data/bodies/* $(SHARE)/sluice/data/bodies
	install -m 644 configs/* $(SHARE)/sluice/configs
	install -m 644 *.md LICENSE CITATION.cff $(SHARE)/doc/sluice
	install -m 644 docs/*.md $(SHARE)/doc/sluice/docs
	install -m 644 docs/notes/*.md $(SHARE)/doc/sluice/docs/notes
	install -m 644 docs/tutorials/*.md $(SHARE)/doc/sluice/docs/tutorials
	install -m 644 docs/pictures/* $(SHARE)/doc/sluice/docs/pictures

uninstall: ## remove what install put there
	rm -f $(BIN)/sluice $(SHARE)/man/man1/sluice.1
	rm -f $(SHARE)/bash-completion/completions/sluice
	rm -f $(SHARE)/zsh/site-functions/_sluice $(SHARE)/fish/vendor_completions.d/sluice.fish
	rm -rf $(SHARE)/sluice $(SHARE)/doc/sluice
	@tools/install-python.sh uninstall "$(PREFIX)" "$(DESTDIR)"

# --- Packages for other machines: a wheel for pip, a package for Debian ----
.PHONY: wheel deb package-stage portable
# They hold the objects of the program, linked once more: for an old glibc, with static libraries.
PACKAGES := build/packages
STAGE := build/package-stage$(CUDA:%=-cuda)
wheel: package-stage ## build/packages/sluice_sph-*.whl, for pip on any Linux with glibc 2.27 (CUDA=1: with CUDA)
	@tools/package/wheel.sh $(STAGE)/usr $(PACKAGES) $(if $(CUDA),cuda)

deb: package-stage ## build/packages/sluice-sph_*.deb, for Debian and Ubuntu (CUDA=1: with CUDA)
	@tools/package/deb.sh $(STAGE)/usr $(PACKAGES) $(if $(CUDA),cuda)

package-stage:
	@tools/packages.sh install build package
	@+$(MAKE) --no-print-directory -j$(JOBS) portable

portable: $(B)/sluice-portable
	@rm -rf $(STAGE)
	@$(MAKE) --no-print-directory install-files INSTALLED=$< DESTDIR=$(STAGE) PREFIX=/usr >/dev/null

static_lib = $(or $(firstword $(wildcard $(patsubst -L%,%/lib$(1).a,$(filter -L%,$(LIBS) $(GPU_LIBS))))),$(\
  )$(shell $(CC) -print-file-name=lib$(1).a))
PORTABLE_LIBS = $(foreach l,config hdf5 sz aec z $(if $(CUDA),cudart_static) gcc,$(call static_lib,$(l)))
$(B)/sluice-portable: $(B)/sluice tools/package/link.sh tools/package/requirements.txt \
  $(if $(CUDA),tools/package/streams.cpp)
	@echo "  LINK  $@"
	@tools/package/link.sh $@ $< $(MAIN_O) $(B)/libsluice.a \
	  $(if $(CUDA),tools/package/streams.cpp) $(PORTABLE_LIBS)

# --- Tidiness ----
.PHONY: info help clean print-%
info: ## show the build's settings
	@echo "configuration  $(CONFIG) in $(B)"
	@echo "revision       $(REVISION)"
	@echo "compiler       $(CC): $(or $(COMPILER),not found)"
	@echo "host flags     $(HOST_FLAGS)"
	@echo "loop flags     $(LOOP_FLAGS)"
	@echo "loop variants  $(PRECISIONS) x $(ISAS)"
	@$(if $(CUDA),echo "CUDA           $(or $(NVCC),not found) for $(CUDA_ARCHS): $(GPU_FLAGS_cuda)")
	@$(if $(HIP),echo "HIP            $(or $(HIPCC),not found) for $(HIP_ARCHS): $(GPU_FLAGS_hip)")
	@echo "HDF5           $(or $(HDF5_PC),not found) $(HDF5_CFLAGS) $(HDF5_LIBS)"
	@echo "libconfig      $(LIBCONFIG_CFLAGS) $(LIBCONFIG_LIBS)"
	@echo "link           $(LINK_FLAGS) $(LIBS) $(GPU_LIBS)"
	@echo "prefix         $(PREFIX)"

print-%: ## print one variable: make print-ISAS
	@echo '$* = $($*)'

clean: ## remove build/ (results in out/ stay)
	rm -rf build

help: ## this list
	@echo "make TARGET [VARIABLE=value]..."
	@awk -F ':.*## ' '/^[a-z%A-Z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
