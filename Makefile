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
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Itools \
	    -DASSAY_VERSION='"$(shell cat VERSION)"'
CFLAGS   += -std=gnu11 $(OPT) $(WARN) $(SAN)
PKGS     := json-c libcryptsetup devmapper blkid libkmod libudev fdisk inih
LIBS     = $(shell pkg-config --libs $(PKGS)) -lm

LIB_SRC  := $(sort $(wildcard tools/*/*.c))
INIT_SRC := $(sort $(filter-out init/run%.c,$(wildcard init/*.c)))
CMD_SRC  := $(sort $(wildcard tools/*.c init/run*.c))
TEST_SRC := $(sort $(wildcard tests/unit/test-*.c))

obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB       := $(BUILD)/libassay.a
TESTS     := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(TEST_SRC))
ALL_OBJ   := $(call obj,$(LIB_SRC) $(INIT_SRC) $(CMD_SRC) $(TEST_SRC))

.PHONY: all
all: $(BUILD)/assay $(BUILD)/init ## build the two programs for this host

$(LIB): $(call obj,$(LIB_SRC))
	$(Q)rm -f $@; $(AR) rcsD $@ $^

$(BUILD)/assay: $(call obj,$(CMD_SRC)) $(LIB)
	$(Q)echo "  LD    $@"; $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# PID 1 is static: a truncated or damaged image must still be able to say so.
$(BUILD)/init: $(call obj,$(INIT_SRC)) $(LIB)
	$(Q)echo "  LD    $@"; $(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^

$(BUILD)/obj/%.o: %.c
	$(Q)mkdir -p $(@D); echo "  CC    $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(LIB)
	$(Q)mkdir -p $(@D); $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

-include $(ALL_OBJ:.o=.d)
