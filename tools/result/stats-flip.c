// SPDX-License-Identifier: GPL-3.0-or-later
// The sign-flip permutation test: which arm ran first in a block was drawn, so under "no
// difference" each r could as well have had the other sign.
#include <math.h>
#include <stdbool.h>

#include "common/mem.h"
#include "result/stats.h"

#define DRAWS 9999
#define SEED  UINT64_C(0x41737361)
#define TIE   1e-9 // sums of the same numbers in another order differ in the last bits

// The next sign vector: all of them with the first sign kept (the others are mirror
// images), or drawn. False after the last.
struct flips {
	size_t n;
	uint64_t next, last, state;
	bool exact;
	signed char *sign;
};

static void flips_init(struct flips *f, size_t n)
{
	f->n = n;
	f->exact = n <= STATS_EXACT_MAX;
	f->next = 0;
	f->last = f->exact ? (uint64_t)1 << (n ? n - 1 : 0) : DRAWS;
	f->state = SEED;
	f->sign = mem_new(n + 1, sizeof(*f->sign));
}

// xorshift64*, Vigna 2014; its high bits are good.
static unsigned draw_bit(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (unsigned)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 63);
}

static bool flips_next(struct flips *f)
{
	if (f->next == f->last)
		return false;
	for (size_t i = 0; i < f->n; i++) {
		unsigned minus =
			f->exact ? (unsigned)(f->next >> i) & 1 : draw_bit(&f->state);

		f->sign[i] = minus ? -1 : 1;
	}
	f->next++;
	return true;
}

// A drawn set lacks the data themselves, which are as likely as any other.
static double share(const struct flips *f, uint64_t extreme)
{
	if (f->exact)
		return (double)extreme / (double)f->last;
	return ((double)extreme + 1) / ((double)f->last + 1);
}

// |sum(±r)| / sqrt(sum(r^2)), values that are not there left out. For one family it
// orders sign vectors as Student's t of the flipped values does.
static double statistic(const double *r, const signed char *sign, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(r[i]))
			continue;
		sum += sign ? sign[i] * r[i] : r[i];
		squares += r[i] * r[i];
	}
	return squares > 0 ? fabs(sum) / sqrt(squares) : 0;
}

double stats_sign_flip(const double *r, size_t n)
{
	double seen = statistic(r, NULL, n);
	uint64_t extreme = 0;
	struct flips f;
	double p;

	flips_init(&f, n);
	while (flips_next(&f))
		extreme += statistic(r, f.sign, n) >= seen - TIE;
	p = share(&f, extreme);
	free(f.sign);
	return p;
}

struct family {
	size_t index;
	double seen;
	uint64_t extreme;
};

static int strongest_first(const void *va, const void *vb)
{
	const struct family *a = va, *b = vb;

	if (a->seen != b->seen)
		return a->seen > b->seen ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

void stats_step_down(const double *r, size_t n, size_t m, double *p)
{
	_cleanup_free_ struct family *families = mem_new(m + 1, sizeof(*families));
	double least = 0;
	struct flips f;

	for (size_t k = 0; k < m; k++)
		families[k] = (struct family){ k, statistic(r + k * n, NULL, n), 0 };
	if (m)
		qsort(families, m, sizeof(*families), strongest_first);
	flips_init(&f, n);
	while (flips_next(&f)) {
		double most = 0; // of this family and all weaker ones

		for (size_t k = m; k > 0; k--) {
			struct family *family = &families[k - 1];

			most = fmax(most, statistic(r + family->index * n, f.sign, n));
			family->extreme += most >= family->seen - TIE;
		}
	}
	for (size_t k = 0; k < m; k++) {
		least = fmax(least, share(&f, families[k].extreme));
		p[families[k].index] = least;
	}
	free(f.sign);
}
