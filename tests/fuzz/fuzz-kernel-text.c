// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of the kernel's lists: /proc/stat, /proc/PID/stat, /proc/diskstats,
// names of threads and ciphers. The first byte chooses.
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "stack/crypto-driver.h"
#include "suite/cpu-proc.h"
#include "suite/diskstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void disks(const char *text)
{
	struct diskstats d = { 0 };

	diskstats_parse(&d, text);
	for (size_t i = 0; i < d.n; i++)
		diskstats_since(&d, &d, d.items[i].name);
	diskstats_done(&d);
}

static void names(const char *text)
{
	_cleanup_strbuf_ struct strbuf cipher = { 0 };
	char family[CPU_TASK_NAME];

	cpu_task_class(text, family);
	if (strlen(family) >= sizeof(family))
		__builtin_trap();
	crypto_driver_spec_name(text, &cipher);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = NULL;
	struct cpu_times times;
	struct cpu_task task;

	if (size == 0)
		return 0;
	text = mem_strndup((const char *)data + 1, size - 1);
	switch (data[0] % 4) {
	case 0:
		cpu_times_parse(text, &times);
		break;
	case 1:
		if (cpu_task_parse(text, &task) == 0 &&
		    (task.pid <= 0 || strlen(task.name) >= sizeof(task.name)))
			__builtin_trap();
		break;
	case 2:
		disks(text);
		break;
	default:
		names(text);
	}
	return 0;
}
