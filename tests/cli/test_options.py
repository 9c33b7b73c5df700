"""The options of run and bloom: all are in the page of conventions."""

import re

import pytest
from support.tool import ROOT, fail, succeed


@pytest.mark.parametrize("command", ["run", "bloom"])
def test_every_option_is_in_the_page_of_conventions(command):
    page = (ROOT / "docs/conventions.md").read_text()
    help_lines = succeed(command, "--help").out.splitlines()
    spellings = [re.match(r" +((-{1,2}[a-z][a-z-]*(?:, ?)?)+)", line) for line in help_lines]
    options = [re.findall(r"-{1,2}[a-z][a-z-]*", found.group(1)) for found in spellings if found]
    assert len(options) > 40
    missing = [names for names in options if not any(re.search(re.escape(name) + r"(?![a-z-])", page) for name in names)]
    assert not [names for names in missing if "--help" not in names]


@pytest.mark.parametrize(
    "command, options",
    [
        ("run", ["mix", "bias", "timeout", "max-pixels", "psf-clamp", "psf-power", "psf-crop"]),
        ("bloom", ["threshold", "knee", "clamp", "intensity", "scatter"]),
    ],
)
def test_what_is_not_a_number_is_refused(command, options):
    """Comparisons with NaN are false, so that it is within any limits."""
    for option in options:
        for value in ["nan", "-1e9", "1e99"]:
            fail(2, command, "a.png", "--output", "out", f"--{option}={value}", says=[f"--{option}: '{value}' is not a number from"])
