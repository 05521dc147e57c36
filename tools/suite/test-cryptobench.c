// SPDX-License-Identifier: GPL-3.0-or-later
// Engine cryptobench: libcryptsetup's own benchmark of ciphers and key derivations, in
// memory, and which driver the kernel took for each.
#include <libcryptsetup.h>
#include <math.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/crypto-driver.h"
#include "stack/kdf.h"
#include "suite/crypto-list.h"
#include "suite/engines.h"
#include "suite/work.h"

#define BUFFER      ((size_t)1 << 20) // as `cryptsetup benchmark` has it
#define BUFFER_SPAN 1.0               // s, for which libcryptsetup measures at least
#define IV_BYTES    16
#define ADIANTUM_IV 32
#define KDF_BITS    256
#define ARGON2_MAX  (UINT64_C(1) << 20) // kB, cryptsetup's default
#define ARGON2_CPUS 4                   // likewise

static const struct param_spec params[] = {
	{ .key = "ciphers",
	  .type = PARAM_TEXT,
	  .fallback = "aes-cbc:128 serpent-cbc:128 twofish-cbc:128 aes-cbc:256 "
		      "serpent-cbc:256 twofish-cbc:256 aes-xts:256 serpent-xts:256 "
		      "twofish-xts:256 aes-xts:512 serpent-xts:512 twofish-xts:512 "
		      "xchacha12,aes-adiantum:256 xchacha20,aes-adiantum:256",
	  .help = "cipher-mode:key-bits, blanks between them; none leaves them out" },
	{ .key = "pbkdfs",
	  .type = PARAM_TEXT,
	  .fallback = "pbkdf2-sha1 pbkdf2-sha256 pbkdf2-sha512 pbkdf2-ripemd160 "
		      "pbkdf2-whirlpool argon2i argon2id",
	  .help = "key derivations, blanks between them; none leaves them out" },
	{ .key = "pbkdf-time",
	  .type = PARAM_DURATION,
	  .fallback = "2s",
	  .help = "that opening a keyslot with Argon2 should take" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	crypto_list_check(test_param(test, params, "ciphers"),
			  test_param(test, params, "pbkdfs"), test->name, file,
			  test->line, faults);
}

struct job {
	struct crypto_list list;
	uint32_t kdf_ms;
};

// The library counts one round more than it times, so that a slow cipher looks faster by
// 1/N: with B the buffer and N the rounds in a bit more than a second it reports
// (N + 1) B / t. N follows from the rate itself: a round is begun until the second is
// over, so N is the whole number below the reported rounds a second.
static double corrected(double rate)
{
	double rounds = rate * BUFFER_SPAN / (double)BUFFER;
	double n = rounds > 2 ? ceil(rounds) - 1 : 1;

	return rate * n / (n + 1);
}

static struct json_object *about_driver(const struct crypto_item *c, bool cpu_has_aes)
{
	_cleanup_strbuf_ struct strbuf name = { 0 }, shout = { 0 };
	struct json_object *o = json_new();
	struct crypto_driver d;

	crypto_driver_name(c->cipher, c->mode, &name);
	json_set_str(o, "kernel_name", strbuf_str(&name));
	if (crypto_driver_live(strbuf_str(&name), &d) < 0)
		return o;
	json_set_str(o, "driver", d.driver);
	json_set_str(o, "module", d.module);
	json_set_int(o, "priority", d.priority);
	crypto_driver_shout(strbuf_str(&name), d.driver, cpu_has_aes, &shout);
	if (shout.len)
		json_set_str(o, "shout", strbuf_str(&shout));
	return o;
}

static bool cpu_has_aes(void)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	return io_read_file("/proc/cpuinfo", &text, (size_t)4 << 20) == 0 &&
	       crypto_cpu_has_aes(strbuf_str(&text));
}

static void bench_cipher(const struct crypto_item *c, bool has_aes, int out)
{
	double mib = 1 << 20, enc = 0, dec = 0;
	bool adiantum = strcmp(c->mode, "adiantum") == 0;
	int r = crypt_benchmark(NULL, c->cipher, c->mode, c->bits / 8,
				adiantum ? ADIANTUM_IV : IV_BYTES, BUFFER, &enc, &dec);
	struct json_object *o = about_driver(c, has_aes);

	json_set_str(o, "item", c->text);
	json_set_str(o, "metric", c->metric);
	if (r < 0) {
		json_set_str(o, "refused", strerror(-r));
	} else {
		json_set_double(o, "encrypt_reported", enc * mib);
		json_set_double(o, "decrypt_reported", dec * mib);
		json_set_double(o, "encrypt", corrected(enc * mib));
		json_set_double(o, "decrypt", corrected(dec * mib));
	}
	work_say(out, o);
}

// Half of the memory that is free, as much as cryptsetup would take at most.
static uint32_t argon2_memory(void)
{
	uint64_t kb = kdf_available() / 2;

	return (uint32_t)(kb < ARGON2_MAX ? kb : ARGON2_MAX);
}

static void bench_kdf(const struct crypto_item *c, uint32_t ms, int out)
{
	bool argon2 = strncmp(c->cipher, "argon2", 6) == 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct crypt_pbkdf_type kdf = {
		.type = c->cipher,
		.hash = argon2 ? NULL : c->mode,
		.time_ms = argon2 ? ms : 1000,
		.max_memory_kb = argon2 ? argon2_memory() : 0,
		.parallel_threads =
			argon2 ? (uint32_t)(cpus < ARGON2_CPUS ? cpus : ARGON2_CPUS) : 0,
	};
	int r = crypt_benchmark_pbkdf(NULL, &kdf, "foo", 3,
				      "0123456789abcdef0123456789abcdef", 32,
				      KDF_BITS / 8, NULL, NULL);
	struct json_object *o = json_new();

	json_set_str(o, "item", c->text);
	json_set_str(o, "metric", c->metric);
	if (r < 0)
		json_set_str(o, "refused", strerror(-r));
	json_set_uint(o, "iterations", kdf.iterations);
	if (argon2) {
		json_set_uint(o, "memory", UINT64_C(1024) * kdf.max_memory_kb);
		json_set_uint(o, "threads", kdf.parallel_threads);
		json_set_double(o, "seconds", ms / 1000.0);
	}
	work_say(out, o);
}

static int bench(void *arg, int out)
{
	const struct job *job = arg;
	bool has_aes = cpu_has_aes();

	for (size_t i = 0; i < job->list.n; i++) {
		const struct crypto_item *c = &job->list.items[i];

		work_progress(out, i, job->list.n);
		if (c->bits)
			bench_cipher(c, has_aes, out);
		else
			bench_kdf(c, job->kdf_ms, out);
	}
	return 0;
}

static void add(struct run *run, const char *name, const char *what, const char *unit,
		double value)
{
	_cleanup_free_ char *full = mem_printf("%s%s", name, what);

	metric_add(&run->metrics, full, unit, BETTER_HIGHER, BOUND_EXACT, value);
}

static void heard(struct run *run, struct json_object *o, void *arg _unused_)
{
	const char *item = json_get_str(o, "item"), *metric = json_get_str(o, "metric");
	const char *refused = json_get_str(o, "refused");
	const char *shout = json_get_str(o, "shout");
	struct json_object *list = json_get(run->detail, "measured");
	double memory = json_get_double(o, "memory", 0);
	double iterations = json_get_double(o, "iterations", 0);

	if (!list) {
		list = json_new_array();
		json_set(run->detail, "measured", list);
	}
	json_append(list, json_object_get(o));
	if (shout)
		run_warn(run, "%s", shout);
	if (refused) {
		run_note(run, "%s: not measured: %s", item, refused);
	} else if (json_get(o, "encrypt")) {
		add(run, metric, "_encrypt", "B/s", json_get_double(o, "encrypt", 0));
		add(run, metric, "_decrypt", "B/s", json_get_double(o, "decrypt", 0));
	} else if (memory > 0) { // what it writes in its time: one figure for all of it
		add(run, metric, "", "B/s",
		    iterations * memory / json_get_double(o, "seconds", 1));
	} else {
		add(run, metric, "", "1/s", iterations);
	}
}

static void run_cryptobench(struct run *run)
{
	const struct plan_test *test = run->test;
	struct job job = {
		.kdf_ms = (uint32_t)(param_duration(test->params, test->n, params,
						    "pbkdf-time") /
				     1000000),
	};
	const struct work work = { .work = bench, .heard = heard, .arg = &job };

	crypto_list_parse(&job.list, test_param(test, params, "ciphers"), true, NULL);
	crypto_list_parse(&job.list, test_param(test, params, "pbkdfs"), false, NULL);
	run_cap(run, 0);
	if (run_work(run, &work) == 0) {
		if (run->metrics.n)
			run_end(run, OUTCOME_PASSED, NULL);
		else
			run_end(run, OUTCOME_SKIPPED,
				"this kernel offers none of these ciphers to programs "
				"(module algif_skcipher), and no key derivation ran");
	}
	crypto_list_done(&job.list);
}

const struct test_ops test_cryptobench = {
	.engine = "cryptobench",
	.help = "libcryptsetup's benchmark of ciphers and key derivations, in memory",
	.place = TEST_ON_DEVICE,
	.params = params,
	.check = check,
	.run = run_cryptobench,
};
