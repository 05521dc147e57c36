// SPDX-License-Identifier: GPL-3.0-or-later
// A list of everything wrong with an input.
#include <stdarg.h>
#include <string.h>

#include "common/fault.h"
#include "common/mem.h"

void fault_add(struct fault_list *list, const char *file, int line, const char *fmt, ...)
{
	struct fault *f;
	va_list ap;

	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	f = &list->items[list->n++];
	f->file = file ? mem_strdup(file) : NULL;
	f->line = line;
	va_start(ap, fmt);
	f->text = mem_vprintf(fmt, ap);
	va_end(ap);
}

void fault_print(const struct fault_list *list, FILE *to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct fault *f = &list->items[i];

		if (f->file && f->line)
			fprintf(to, "%s:%d: %s\n", f->file, f->line, f->text);
		else if (f->file)
			fprintf(to, "%s: %s\n", f->file, f->text);
		else
			fprintf(to, "%s\n", f->text);
	}
}

void fault_done(struct fault_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].file);
		free(list->items[i].text);
	}
	free(list->items);
	*list = (struct fault_list){ 0 };
}
