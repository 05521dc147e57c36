# SPDX-License-Identifier: GPL-3.0-or-later
# One Makefile for everything; `make help` lists the targets.

BUILD  ?= build
ARCH   ?= amd64
V      ?= 0
PYTHON ?= /usr/bin/python3
CC     ?= gcc
OPT    ?= -O2 -g
SAN    ?=
Q      := $(if $(filter 1,$(V)),,@)

WARN := -Wall -Wextra -Werror -Wshadow -Wvla -Wformat=2 -Wpointer-arith -Wwrite-strings \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wcast-qual \
	-Wno-format-truncation
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Itools -I. \
	    -DASSAY_VERSION='"$(shell cat VERSION)"'
CFLAGS   += -std=gnu11 $(OPT) $(WARN) $(SAN)
PKGS     := json-c libcryptsetup devmapper blkid libkmod libudev fdisk inih zlib \
	    liblzma libzstd liblz4 tcplay
LIBS     = $(shell pkg-config --libs $(PKGS)) -lm

LIB_SRC  := $(sort $(wildcard tools/*/*.c kexec/*.c))
INIT_SRC := $(sort $(filter-out init/run%.c,$(wildcard init/*.c)))
CMD_SRC  := $(sort $(wildcard tools/*.c init/run*.c))
TEST_SRC := $(sort $(wildcard tests/unit/test-*.c))

obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB       := $(BUILD)/libassay.a
TESTS     := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(TEST_SRC))
ALL_OBJ   := $(call obj,$(LIB_SRC) $(INIT_SRC) $(CMD_SRC) $(TEST_SRC))

.PHONY: all
all: deps-test $(BUILD)/assay $(BUILD)/init ## build the two programs for this host

$(LIB): $(call obj,$(LIB_SRC))
	$(Q)rm -f $@; $(AR) rcsDP $@ $^

$(BUILD)/assay: $(call obj,$(CMD_SRC)) $(LIB)
	$(Q)echo "  LD    $@"; $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# PID 1 is static: a truncated or damaged image must still be able to say so.
$(BUILD)/init: $(call obj,$(INIT_SRC)) $(LIB)
	$(Q)echo "  LD    $@"; $(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^ -lm

$(BUILD)/obj/%.o: %.c
	$(Q)mkdir -p $(@D); echo "  CC    $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(LIB)
	$(Q)mkdir -p $(@D); $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

# What the image is made from, built inside its build root by image/build.sh.
.PHONY: image-programs
image-programs: $(BUILD)/assay $(BUILD)/init

.PHONY: image run size reproduce bench-boot
image: deps-build ## build the kernel and initramfs for ARCH (amd64)
	image/root.sh $(ARCH)
	image/build.sh $(ARCH) $(LEVEL)
	image/check.sh $(ARCH)

.PHONY: iso usb pxe
iso: image ## assay.iso, for CD, or for dd to a stick
usb: image ## assay.img, a stick that takes a plan and results
pxe: image ## assay-pxe/, for a TFTP or HTTP server
iso usb pxe:
	image/media.sh $@
check-vm: iso usb pxe

run: deps-run image ## run configs/quick.ini in QEMU on an emulated laptop, and print the report
	image/run.sh $(ARCH) $(PLAN)

size: image ## print the parts of the image against their budget
	image/size.sh $(ARCH)

reproduce: image ## build the image and the media a second time and compare every byte
	image/reproduce.sh $(ARCH)

bench-boot: deps-run image ## guest time from kernel start to PID 1, beside a generic image
	image/bench-boot.sh $(ARCH)

.PHONY: check check-lint check-unit check-asan check-report check-vm check-all fuzz simulate bench-report
check: ## all rings: lint, unit, unit under sanitizers, report, image, run, vm
	tests/check.sh lint unit asan report image run vm

check-lint: deps-lint ## format, includes, shellcheck, cppcheck, clang-tidy
	BUILD=$(BUILD) bash tests/lint/run.sh

check-unit: deps-test $(TESTS) ## unit tests: no root, no kernel
	$(Q)failed=0; for t in $(TESTS); do $$t || failed=1; done; exit $$failed

check-asan: deps-test ## the same under the address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPT="-O1 -g" \
		SAN="-fsanitize=address,undefined -fno-sanitize-recover=all \
		-fno-omit-frame-pointer" check-unit

check-report: deps-test deps-report $(BUILD)/assay ## reports in a real browser and validators
	BUILD=$(abspath $(BUILD)) $(PYTHON) -m pytest tests/report -q

bench-report: deps-test $(BUILD)/assay ## time and memory of a report over 10,000 campaigns
	BUILD=$(abspath $(BUILD)) $(PYTHON) tests/report/bench_fleet.py $(BUILD)/bench-report

check-vm: deps-test image $(BUILD)/assay ## boot the image in QEMU and read what it did
	$(PYTHON) -m pytest tests/vm -n 2 -q --durations=0 $(PYTEST_ARGS)

check-all: ## check, with every matrix whole
	PYTEST_ARGS=--whole tests/check.sh lint unit asan report image run vm

simulate: deps-test $(BUILD)/unit/test-result-simulation ## the statistics on CAMPAIGNS (5000) simulated campaigns
	ASSAY_SIMULATE=$(or $(CAMPAIGNS),5000) $(BUILD)/unit/test-result-simulation

fuzz: deps-test deps-lint ## each fuzz target for FUZZ_SECONDS (60)
	tests/fuzz/run.sh $(or $(FUZZ_SECONDS),60)

.PHONY: deps-build deps-run deps-test deps-lint deps-report
deps-build deps-run deps-test deps-lint deps-report: deps-%: # install what a step needs (Debian)
	image/host-deps.sh $*

.PHONY: format clean help
format: ## format the C sources in place
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove what was built (downloads are kept)
	rm -rf $(BUILD)

help: ## list the targets
	$(Q)sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

-include $(ALL_OBJ:.o=.d)
