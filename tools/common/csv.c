// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values, read and written.
#include <stdbool.h>
#include <string.h>

#include "common/csv.h"
#include "common/mem.h"

static int peek(const struct csv *csv)
{
	return csv->pos < csv->len ? (unsigned char)csv->text[csv->pos] : -1;
}

// Passes the line end, if there is one here: "\n" or "\r\n".
static bool pass_line_end(struct csv *csv)
{
	size_t at = csv->pos;

	if (at < csv->len && csv->text[at] == '\r')
		at++;
	if (at >= csv->len || csv->text[at] != '\n')
		return false;
	csv->pos = at + 1;
	csv->line++;
	return true;
}

static void pass_line(struct csv *csv)
{
	while (csv->pos < csv->len && !pass_line_end(csv))
		csv->pos++;
}

static int read_quoted(struct csv *csv, struct strbuf *to, struct err *err)
{
	int line = csv->line;

	csv->pos++; // the quote
	for (;;) {
		int c = peek(csv);

		if (c < 0)
			return err_set(err, -EBADMSG,
				       "the quote of line %d is not closed", line);
		csv->pos++;
		if (c == '"' && peek(csv) == '"')
			csv->pos++;
		else if (c == '"')
			return 0;
		csv->line += c == '\n';
		strbuf_add(to, &(char){ (char)c }, c != '\0');
	}
}

static bool at_end(const struct csv *csv)
{
	struct csv look = *csv;

	return peek(csv) < 0 || pass_line_end(&look);
}

static int read_field(struct csv *csv, struct strbuf *to, struct err *err)
{
	if (peek(csv) == '"') {
		int r = read_quoted(csv, to, err);

		if (r == 0 && peek(csv) != ',' && !at_end(csv))
			r = err_set(err, -EBADMSG,
				    "there is text behind a closing quote");
		return r;
	}
	while (peek(csv) != ',' && !at_end(csv)) {
		strbuf_add(to, csv->text + csv->pos, csv->text[csv->pos] != '\0');
		csv->pos++;
	}
	return 0;
}

int csv_next(struct csv *csv, struct csv_row *ret, struct err *err)
{
	bool more = true;

	while (pass_line_end(csv))
		;
	*ret = (struct csv_row){ .line = csv->line };
	if (peek(csv) < 0)
		return -ENOENT;
	while (more) {
		_cleanup_strbuf_ struct strbuf field = { 0 };
		int r = read_field(csv, &field, err);

		if (r < 0) {
			csv_row_done(ret);
			pass_line(csv);
			return r;
		}
		ret->fields = mem_grow(ret->fields, ret->n + 1, sizeof(*ret->fields));
		ret->fields[ret->n++] = strbuf_take(&field);
		more = peek(csv) == ',';
		csv->pos += more;
	}
	pass_line_end(csv);
	return 0;
}

void csv_row_done(struct csv_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		free(row->fields[i]);
	free(row->fields);
	*row = (struct csv_row){ 0 };
}

void csv_add(struct strbuf *to, const char *field)
{
	if (!strpbrk(field, ",\"\r\n")) {
		strbuf_puts(to, field);
		return;
	}
	strbuf_puts(to, "\"");
	for (const char *p = field; *p; p++)
		strbuf_puts(to, *p == '"' ? "\"\"" : (char[]){ *p, '\0' });
	strbuf_puts(to, "\"");
}
