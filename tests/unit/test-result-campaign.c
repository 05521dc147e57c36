// SPDX-License-Identifier: GPL-3.0-or-later
// The campaign's document and the machine record.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/campaign.h"
#include "result/machine.h"
#include "result/store-private.h"

static char tmp_root[64];

static int make_root(void **state)
{
	(void)state;
	snprintf(tmp_root, sizeof(tmp_root), "/tmp/assay-campaign-XXXXXX");
	return mkdtemp(tmp_root) ? 0 : -1;
}

static int remove_root(void **state)
{
	_cleanup_free_ char *command = mem_printf("rm -r %s", tmp_root);

	(void)state;
	return system(command);
}

static char *new_root(void)
{
	static int n;
	char *dir = mem_printf("%s/%d", tmp_root, n++);

	assert_int_equal(mkdir(dir, 0755), 0);
	return dir;
}

static void verdict_never_improves(void **state)
{
	struct campaign c;
	_cleanup_json_ struct json_object *o = NULL;

	(void)state;
	campaign_init(&c);
	assert_int_equal(c.verdict, OUTCOME_NOT_RUN);
	campaign_verdict(&c, OUTCOME_PASSED, NULL);
	assert_int_equal(c.verdict, OUTCOME_PASSED);
	campaign_verdict(&c, OUTCOME_FAILED, "disk %s died", "sda");
	campaign_verdict(&c, OUTCOME_FAILED, "second");
	campaign_verdict(&c, OUTCOME_ABORTED, "third");
	campaign_verdict(&c, OUTCOME_PASSED, NULL);
	assert_int_equal(c.verdict, OUTCOME_FAILED);
	assert_string_equal(c.why, "disk sda died");
	campaign_warn(&c, "%d hot", 99);
	o = campaign_json(&c, NULL);
	assert_string_equal(json_get_str(o, "schema"), "assay.result/1");
	assert_string_equal(json_get_str(o, "verdict"), "failed");
	assert_string_equal(json_get_str(o, "why"), "disk sda died");
	assert_non_null(strstr(json_line(o), "\"warnings\":[\"99 hot\"]"));
	campaign_done(&c);
}

static void no_data_is_not_passed(void **state)
{
	static const struct {
		const char *record;
		const char *verdict;
	} rows[] = {
		{ NULL, "not-run" },
		{ "{\"kind\":\"run\",\"outcome\":\"skipped\"}", "not-run" },
		{ "{\"kind\":\"stack\",\"outcome\":\"passed\"}", "not-run" },
		{ "{\"kind\":\"run\",\"outcome\":\"passed\"}", "passed" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct campaign c;
		struct json_object *o;

		campaign_init(&c);
		campaign_verdict(&c, OUTCOME_PASSED, NULL);
		if (rows[i].record)
			json_append(c.runs,
				    json_parse_text(rows[i].record,
						    strlen(rows[i].record), NULL));
		o = campaign_json(&c, NULL);
		assert_string_equal(json_get_str(o, "verdict"), rows[i].verdict);
		assert_true((json_get_str(o, "why") == NULL) == (i == 3));
		json_object_put(o);
		campaign_done(&c);
	}
}

// The document has every member that the schema asks for, and the schema knows each.
static void document_fits_its_schema(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_json_ struct json_object *schema = NULL, *o = NULL;
	struct json_object *required, *known;
	struct err err = { 0 };
	struct campaign c;

	(void)state;
	assert_int_equal(
		io_read_file("tests/data/result/result.schema.json", &text, 1 << 16), 0);
	schema = json_parse_text(text.data, text.len, &err);
	assert_string_equal(err.text, "");
	required = json_get(schema, "required");
	known = json_get(schema, "properties");
	campaign_init(&c);
	o = campaign_json(&c, NULL);
	assert_int_equal(json_object_array_length(required),
			 json_object_object_length(o));
	for (size_t i = 0; i < json_object_array_length(required); i++)
		assert_true(json_object_object_get_ex(
			o, json_object_get_string(json_object_array_get_idx(required, i)),
			NULL));
	json_object_object_foreach (o, key, value) {
		(void)value;
		assert_non_null(json_get(known, key));
	}
	campaign_done(&c);
}

static void put_sys(const char *root, const char *path, const char *text)
{
	assert_int_equal(place_file(root, path, text, strlen(text)), 0);
}

static void machine_ids_are_real_and_safe(void **state)
{
	static const struct {
		const char *serial, *uuid, *mac, *id;
	} rows[] = {
		{ "ABC-123", "1-2", NULL, "ABC-123" },
		{ " W 1/2:3\n", NULL, NULL, "W_1_2_3" },
		{ "con", NULL, NULL, "m-con" },
		{ "To be filled by O.E.M.", "4c4c4544-0042", NULL, "4c4c4544-0042" },
		{ "Default string", "00000000-0000-0000-0000-000000000000",
		  "52:54:00:12:34:56", "mac-52-54-00-12-34-56" },
		{ "0000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "00:16:3e:11:22:33",
		  "mac-00-16-3e-11-22-33" },
		{ NULL, NULL, "00:00:00:00:00:00", "kind-00000000" },
		{ "System Serial Number", NULL, NULL, "kind-00000000" },
		{ "a-very-long-serial-number-that-goes-on-and-on", NULL, NULL,
		  "a-very-long-serial-number-that-g" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *root = new_root(), *id = NULL;

		if (rows[i].serial)
			put_sys(root, "sys/class/dmi/id/product_serial", rows[i].serial);
		if (rows[i].uuid)
			put_sys(root, "sys/class/dmi/id/product_uuid", rows[i].uuid);
		if (rows[i].mac)
			put_sys(root, "sys/class/net/eth0/address", rows[i].mac);
		put_sys(root, "sys/class/net/lo/address", "00:00:00:00:00:00");
		put_sys(root, "sys/class/net/dummy0/address", "ba:12:12:12:12:12");
		put_sys(root, "sys/class/net/dummy0/addr_assign_type", "1");
		id = machine_id(root);
		assert_string_equal(id, rows[i].id);
	}
}

// The same at each boot, whatever the order in which the kernel lists its devices.
static void machine_without_a_name_is_known_by_its_hardware(void **state)
{
	_cleanup_free_ char *one = new_root(), *same = new_root(), *other = new_root();
	_cleanup_free_ char *a = NULL, *b = NULL, *c = NULL;

	(void)state;
	put_sys(one, "sys/bus/pci/devices/0000:00:01.1/modalias", "pci:v00008086d7010\n");
	put_sys(one, "sys/bus/pci/devices/0000:00:02.0/modalias", "pci:v00001234d1111\n");
	put_sys(same, "sys/bus/pci/devices/0000:00:02.0/modalias",
		"pci:v00001234d1111\n");
	put_sys(same, "sys/bus/pci/devices/0000:00:01.1/modalias",
		"pci:v00008086d7010\n");
	put_sys(other, "sys/bus/pci/devices/0000:00:02.0/modalias",
		"pci:v00001234d1111\n");
	a = machine_id(one);
	b = machine_id(same);
	c = machine_id(other);
	assert_string_equal(a, b);
	assert_string_not_equal(a, c);
	assert_int_equal(strncmp(a, "kind-", 5), 0);
	assert_int_equal(strlen(a), 13);
}

static void machine_record_is_read(void **state)
{
	_cleanup_free_ char *root = new_root();
	_cleanup_json_ struct json_object *o = NULL;
	struct json_object *cpu;

	(void)state;
	put_sys(root, "proc/cmdline", "quiet assay.pass=hunter2 \"x=a b\" ro\n");
	put_sys(root, "proc/version", "Linux version 6.1.0\n");
	put_sys(root, "proc/cpuinfo",
		"processor\t: 0\nmodel\t\t: 13\nmodel name\t: Pentium III\n"
		"flags\t\t: fpu sse aes\n\nprocessor\t: 1\nmodel name\t: other\n");
	put_sys(root, "proc/meminfo", "MemTotal:         248684 kB\nMemFree: 1 kB\n");
	put_sys(root, "sys/devices/system/cpu/vulnerabilities/meltdown", "Vulnerable\n");
	put_sys(root,
		"sys/firmware/efi/efivars/"
		"SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
		"\6aaa\1");
	put_sys(root, "run/assay/clock-suspect", "");
	o = machine_json(root);
	cpu = json_get(o, "cpu");
	assert_string_equal(json_get_str(json_get(o, "kernel"), "cmdline"),
			    "quiet assay.pass=[removed] x=\"a b\" ro");
	assert_string_equal(json_get_str(cpu, "model"), "Pentium III");
	assert_string_equal(json_get_str(cpu, "model_number"), "13");
	assert_int_equal(json_get_int(cpu, "cpus", 0), 2);
	assert_string_equal(json_line(json_get(cpu, "flags")), "[\"aes\"]");
	assert_int_equal(json_get_int(json_get(o, "memory"), "total", 0),
			 INT64_C(248684) * 1024);
	assert_string_equal(json_line(json_get(o, "mitigations")),
			    "{\"meltdown\":\"Vulnerable\"}");
	assert_true(json_get_bool(json_get(o, "firmware"), "secure_boot", false));
	assert_string_equal(json_get_str(json_get(o, "firmware"), "boot"), "efi");
	assert_true(json_get_bool(json_get(o, "clock"), "suspect", false));
	assert_int_equal(strncmp(json_get_str(o, "id"), "kind-", 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdict_never_improves),
		cmocka_unit_test(no_data_is_not_passed),
		cmocka_unit_test(document_fits_its_schema),
		cmocka_unit_test(machine_ids_are_real_and_safe),
		cmocka_unit_test(machine_without_a_name_is_known_by_its_hardware),
		cmocka_unit_test(machine_record_is_read),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
