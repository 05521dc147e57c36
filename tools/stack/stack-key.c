// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of what a stack makes: random and kept by nobody, or, where a test must open the
// stack once more, such as follow from a number.
#include <string.h>

#include "common/splitmix.h"
#include "stack/stack.h"

int stack_make_key(const struct stack *stack, size_t len, struct secret *ret,
		   struct err *err)
{
	uint64_t state = stack->key_seed;
	int r;

	if (stack->keys && stack->keys->make)
		return stack->keys->make(ret, stack->keys->arg, err);
	r = state ? secret_new(ret, len) : secret_random(ret, len);
	if (r < 0)
		return err_set(err, r, "no key: %s", strerror(-r));
	for (size_t i = 0; stack->key_seed && i < len; i++)
		ret->data[i] = (char)splitmix_next(&state);
	return 0;
}
