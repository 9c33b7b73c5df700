# SPDX-License-Identifier: Apache-2.0
"""Nothing changes unsaid: what other programs show of an input they show of its output, or the report has a warning that
names the change.

Files of every format that can be written, of all sample types, photometrics, channels, codecs and orders that other programs
can make (support/matrix), go through three runs that ought to give them back. docs/formats.md has the counts.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from support.formats_page import check_section
from support.matrix.compare import differences, unsaid
from support.matrix.formats import SHOWN_BY, all_cases
from support.matrix.tagged import tags_of
from support.tool import clconv

MODES = {
    "none": ("--method", "none"),
    "one": ("--psf", "one.txt", "--mix", "1"),  # a PSF of one sample, with the programs of the next
    "mix": ("--psf", "box:3", "--mix", "0"),
}
CASES = all_cases()


class Outcomes:
    """The inputs, the outputs of each mode, and what the reports say."""

    def __init__(self, folder):
        self.folder, self.items, self.shown, self.unmade, self.tags = folder, {}, {}, {}, {}
        (folder / "in").mkdir()
        (folder / "one.txt").write_text("1\n")
        for case in CASES:
            try:
                case.make(folder / "in" / case.name)
            except Exception as error:  # that case fails, the others do not
                self.unmade[case.name] = repr(error)
        (folder / "list").write_text("".join(f"in/{case.name}\n" for case in CASES if case.name not in self.unmade))
        for mode, options in MODES.items():
            result = clconv("run", "--files-from", "list", "--output", mode, "--report", f"{mode}.json", "-q", *options, cwd=folder)
            assert result.code in (0, 1), result
            items = json.loads((folder / f"{mode}.json").read_text())["items"]
            self.items[mode] = {Path(item["input"]).name: item for item in items}

    def show(self, case, place):
        """What a viewer shows. `place`: `in`, or a mode."""
        key = (place, case.name)
        if key not in self.shown:
            self.shown[key] = SHOWN_BY[case.format](self.folder / place / case.name)
            if case.has_tags:
                self.shown[key].facts.update(self.tags_of(place)[case.name])
        return self.shown[key]

    def tags_of(self, place):
        if place not in self.tags:
            self.tags[place] = tags_of(self.folder / place, [case.name for case in CASES if case.has_tags])
        return self.tags[place]

    def rerun(self, case, mode):
        return f"cd {self.folder} && clconv run in/{case.name} --output again {' '.join(MODES[mode])} --report again.json"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    return Outcomes(tmp_path_factory.mktemp("matrix"))


def judged(outcomes, case, mode):
    """(equal, warned or refused; what is wrong)."""
    item = outcomes.items[mode][case.name]
    if item["status"] != "done":
        if case.expected and re.search(case.expected, item["error"]):
            return "refused", ""
        return "", f"it was refused: {item['error']}"
    if case.expected:
        return "", f"it was to be refused ({case.expected})"
    found = differences(outcomes.show(case, "in"), outcomes.show(case, mode), mode == "one")
    if not found:
        return "equal", ""
    left = unsaid(found, item)
    lines = "".join(f"\n  {kind}: {before} -> {after}" for kind, before, after in left)
    return "warned", lines and f"{lines}\nand the report only warns: {item['warning_details']}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_reader_agrees_with_the_program_that_made_the_file(case, outcomes):
    """Otherwise the matrix itself is wrong."""
    assert case.name not in outcomes.unmade, outcomes.unmade[case.name]
    shown = outcomes.show(case, "in")
    if case.codes is not None:
        samples = shown.parts[0].samples
        assert samples.shape == case.codes.shape
        assert (samples == case.codes).all() or abs(samples - case.codes).max() <= 1e-6 * abs(case.codes).max()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_goes_in_comes_out_or_the_report_says_what_did_not(case, mode, outcomes):
    _, wrong = judged(outcomes, case, mode)
    assert not wrong, f"{case.name}, {mode}: {wrong}\nagain: {outcomes.rerun(case, mode)}"


HEAD = """## Nothing changes unsaid

tests/cli/test_matrix.py makes files of every format that can be written: of all sample types,
depths, photometrics, channels, codecs, orders, windows, parts and tags that other programs can
write. Each goes through `--method none`, through a PSF of one sample, and through `--mix 0`. What
other programs show of the input they show of the output (**equal**), or the report has a warning
that names the change (**warned**), or the file is refused with a message (**refused**).

| format | files | equal | warned | refused |
|---|---|---|---|---|
"""

TAIL = """
Floats may differ by float's rounding after a PSF, and pixels without alpha may lose their colour
there. Codecs that lose may lose once more. Not in the matrix, because Debian 12 has no other
program that reads or writes them: RLA with several sample types, IFF of Maya with codecs, DPX with
run lengths or several elements, OpenEXR scan lines with codecs other than RLE and ZIP.

tests/cli/test_matrix_across.py takes one file of each kind to every other format. What it shows
there, and the metadata that exiftool lists, are the same, or a warning names what is not.
"""


def test_the_page_has_the_counts(outcomes):
    rows = []
    for name in SHOWN_BY:
        cases = [case for case in CASES if case.format == name]
        counts = Counter(judged(outcomes, case, mode)[0] for case in cases for mode in MODES)
        rows.append(f"| {name} | {len(cases)} | {counts['equal']} | {counts['warned']} | {counts['refused']} |\n")
    check_section(HEAD + "".join(rows) + TAIL)
