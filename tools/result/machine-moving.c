// SPDX-License-Identifier: GPL-3.0-or-later
// What moves while a campaign runs, in one object.
#include "result/machine-moving.h"
#include "common/clock.h"
#include "result/machine.h"

struct json_object *machine_moving_json(const char *root)
{
	struct json_object *o = json_new(), *temperatures = json_new();
	_cleanup_json_ struct json_object *supplies = json_new();
	char wall[21];

	clock_wall(wall);
	json_set_str(o, "wall", wall);
	json_set_double(o, "mono", (double)clock_mono_ns() / CLOCK_SECOND);
	machine_cpu_moving(root, o);
	machine_memory_moving(root, o);
	json_set_str(o, "power", machine_power_source(root, supplies));
	machine_temperatures(root, temperatures);
	json_set(o, "celsius", temperatures);
	return o;
}
