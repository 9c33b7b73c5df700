# SPDX-License-Identifier: Apache-2.0
"""From one format to another: what other programs show of an input they show of its output, or the report has a warning that
names what the output's format does not hold.

One file of each kind (support/matrix/across.py) goes to every format that can be written."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
from support.full import mostly_full
from support.matrix.across import EXTENSIONS, FEW, SOURCES, listed_tags, lost_kinds, pictures_differ
from support.matrix.compare import unsaid
from support.matrix.formats import SHOWN_BY, all_cases
from support.tool import clconv

CASES = {case.name: case for case in all_cases() if case.name in SOURCES}
ORIENTATION = "IFD0:Orientation"
REFUSED = "cannot hold [0-9]+ channels|parts [(]pages or frames[)] to convolve"  # what an output has no place for


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("across")
    (folder / "in").mkdir()
    for case in CASES.values():
        case.make(folder / "in" / case.name)
    return folder


def unsaid_across(before, after, item, target, output):
    """The losses that no warning names. Both: (part, format, tags that exiftool lists)."""
    (_, _, tags), (_, _, kept) = before, after
    turns = "order" in [warning["kind"] for warning in item["warning_details"]]
    found = pictures_differ((*before[:2], tags.get(ORIENTATION, 1)), (*after[:2], kept.get(ORIENTATION, 1)), turns)
    if target == "jpeg":  # whose loss was requested
        found = [difference for difference in found if difference[0] != "samples"]
    words = " ".join(warning["message"] for warning in item["warning_details"])
    return unsaid(found, item) + [("tags", kind, None) for kind in lost_kinds(tags, kept, output, words)]


@pytest.mark.parametrize("target, which", mostly_full(product(EXTENSIONS, ("few", "all")), product(EXTENSIONS, ["few"])))
def test_what_another_format_does_not_hold_is_reported(target, which, folder):
    names = [name for name in (FEW if which == "few" else SOURCES) if CASES[name].format != target]
    (folder / "sources").write_text("".join(f"in/{name}\n" for name in names))
    result = clconv("run", "--files-from", "sources", "--output", f"to-{target}", "--format", EXTENSIONS[target], "--method", "none",
                    "--overwrite", "--report", "to.json", "-q", cwd=folder)  # fmt: skip
    assert result.code in (0, 1), result
    items = json.loads((folder / "to.json").read_text())["items"]
    done = [item for item in items if item["status"] == "done"]
    before, after = listed_tags(folder / "in", names), listed_tags(folder, [item["output"] for item in done])
    wrong = [f"{item['input']}: {item['error']}" for item in items if item["status"] != "done" and not re.search(REFUSED, item["error"])]
    for item in done:
        name, output = Path(item["input"]).name, item["output"]
        source = CASES[name].format
        first = (SHOWN_BY[source](folder / "in" / name).parts[0], source, before.get(name, {}))
        second = (SHOWN_BY[target](folder / output).parts[0], target, after.get(output, {}))
        wrong += [f"{name}: {kind}: {one} -> {other}" for kind, one, other in unsaid_across(first, second, item, target, folder / output)]
    assert done and not wrong, "\n".join(wrong) + f"\nagain: cd {folder} && {result.command}"
