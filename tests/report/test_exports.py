# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms for other programs, read by those programs' own parsers where they have one."""

import csv
import io
import math
import re
import xml.etree.ElementTree as ElementTree

from conftest import assay
from prometheus_client.openmetrics.parser import text_string_to_metric_families

# pts-core/definitions/result-file.xsd: these elements, in this order
GENERATED = ["Title", "Description", "Notes", "LastModified", "TestClient", "InternalTags", "ReferenceID",
             "PreSetEnvironmentVariables"]
SYSTEM = ["Identifier", "TestClientVersion", "Hardware", "Software", "User", "TimeStamp", "Notes"]
RESULT = ["Identifier", "ProfileVersion", "Title", "AppVersion", "Arguments", "Description", "Scale",
          "Proportion", "DisplayFormat", "Data"]
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")


def numbers(result: dict):
    """Every number of a passed run: (arm, test, block, metric, unit, bound), value."""
    for run in result["runs"]:
        for m in run["metrics"] if run["outcome"] == "passed" else []:
            yield (run["arm"], run["test"], run["block"], m["name"], m["unit"], m["bound"]), m["value"]


def test_openmetrics(layers, published) -> None:
    for report in [layers, *published]:
        text = assay("report", "--format", "openmetrics", report.folder)
        families = list(text_string_to_metric_families(text))  # raises at what the spec forbids
        found = [(s.labels["arm"], s.labels["test"], int(s.labels["block"]), s.labels["metric"],
                  s.labels.get("bound", "exact"), s.value)
                 for family in families for s in family.samples]
        wanted = [(arm, test, block, name, bound, value)
                  for (arm, test, block, name, _, bound), value in numbers(report.result)]
        assert sorted(found) == sorted(wanted)
        assert all(not family.unit or family.name.endswith("_" + family.unit) for family in families)


def test_tidy(layers, published) -> None:
    for report in [layers, *published]:
        rows = csv.DictReader(io.StringIO(assay("report", "--format", "csv", report.folder)))
        found = [((r["arm"], r["test"], int(r["block"]), r["metric"], r["unit"], r["bound"]),
                  float(r["value"])) for r in rows]
        assert found == list(numbers(report.result))


def tags(element) -> list[str]:
    return [child.tag for child in element]


def test_phoronix(layers, published) -> None:
    for report in [layers, *[p for p in published if p.result["runs"]]]:
        root = ElementTree.fromstring(assay("report", "--format", "phoronix", report.folder))
        assert root.tag == "PhoronixTestSuite"
        kinds = tags(root)
        systems, results = kinds.count("System"), kinds.count("Result")
        assert kinds == ["Generated"] + ["System"] * systems + ["Result"] * results
        assert systems and results
        assert tags(root[0]) == GENERATED and TIME.fullmatch(root.findtext("Generated/LastModified"))
        for system in root.iter("System"):
            assert tags(system) == SYSTEM and TIME.fullmatch(system.findtext("TimeStamp"))
        arms = {s.findtext("Identifier") for s in root.iter("System")}
        assert arms == {arm["name"] for arm in report.result["plan"]["arms"]}
        for result in root.findall("Result"):
            assert tags(result) == RESULT
            for entry in result.iter("Entry"):
                assert tags(entry) == ["Identifier", "Value", "RawString"]
                values = [v for (arm, test, _, name, _, bound), v in numbers(report.result)
                          if (arm, test, name, bound) == (entry.findtext("Identifier"), result.findtext("Title"),
                                                          result.findtext("Arguments"), "exact")]
                raw = [float(v) for v in entry.findtext("RawString").split(":")]
                assert raw == sorted(values)
                middle = sorted(values)[(len(values) - 1) // 2:len(values) // 2 + 1]
                assert math.isclose(float(entry.findtext("Value")), sum(middle) / len(middle))


def test_bonnie_lines(layers) -> None:
    for form, fields in (("bonnie-1.03", 27), ("bonnie-1.98", 50)):
        lines = assay("report", "--format", form, layers.folder).splitlines()
        runs = [run for run in layers.result["runs"] if run["engine"] == "bonnie"]
        assert len(lines) == len(runs) == 40
        assert all(len(line.split(",")) == fields for line in lines)
