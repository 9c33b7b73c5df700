# SPDX-License-Identifier: Apache-2.0
"""What --help says of options, and values that they refuse. test_manual.py compares --help with the manual."""

import re

import pytest
from support.tool import ROOT, fail, succeed


def described(command, option):
    """The description of an option in --help, in one line."""
    text = succeed(command, "--help").out
    found = re.search(rf"^ +{option}\b.*\n(?:^ {{20,}}.*\n)*", text, re.MULTILINE)
    return " ".join(found.group(0).split())


def test_help_names_the_formats_of_several_parts():
    """docs/formats.md is made of what the binary does with files (test_format_table.py)."""
    rows = [row.split("|") for row in (ROOT / "docs/formats.md").read_text().splitlines() if re.search(r"all \w+, in one file", row)]
    named = re.search(r"counted from 0\. (.*?) hold all", described("run", "--parts")).group(1)
    assert {row[1].strip() for row in rows} == set(re.split(", | and ", named.lower()))
    assert "FITS" in named


def test_help_names_formats_with_bands_and_codecs():
    assert "FITS, JPEG, OpenEXR, PNG and TIFF of more than a sixteenth" in described("run", "--memory-limit")
    assert "TIFF none, packbits, lzw, zip[:1-9]" in described("run", "--compression")


@pytest.mark.parametrize(
    "command, options",
    [
        ("run", ["mix", "bias", "timeout", "max-pixels", "psf-clamp", "psf-power", "psf-crop"]),
        ("bloom", ["threshold", "knee", "clamp", "intensity", "scatter"]),
        ("deconvolve", ["nsr", "lambda"]),
    ],
)
def test_what_is_not_a_number_is_refused(command, options):
    """Comparisons with NaN are false, so that it is within any limits."""
    for option in options:
        for value in ["nan", "-1e9", "1e99"]:
            fail(2, command, "a.png", "--output", "out", f"--{option}={value}", says=[f"--{option}: '{value}' is not a number from"])


@pytest.mark.parametrize("option", ["--psf=", "--output=", "--no-such="])
def test_an_option_without_its_value_does_not_take_the_next_word(option):
    fail(2, "run", "a.png", option, "--output", "out", says=[f"{option}: has no value"])


@pytest.mark.parametrize(
    "requested, other",
    [
        (["--method", "fft", "--decide", "method=tiled"], "method=fft"),
        (["--decide", "tile=64x64", "--decide", "tile=32x32"], "tile=64x64"),
        (["--radix", "16,16,4", "--decide", "row-radices=8.8.8"], "row-radices=16.16.4"),
    ],
    ids=["method", "twice", "radix"],
)
def test_a_decision_that_contradicts_another_is_refused(requested, other):
    """The last one won, without a word."""
    size = ("--size", "200x100", "--psf-size", "9")
    for command in ("plan", "bench"):
        fail(2, command, *size, *requested, says=[requested[-1], other])
    succeed("plan", *size, "--method", "fft", "--decide", "method=fft", "--radix", "8", "--decide", "row-radices=4.8.8")
    fail(2, "tune", *size, "--residence", "local", "--decide", "residence=global", says=["residence=local"])
    succeed("bench", *size, "--decide", "programs=general", "--repeat", "1")


def test_version_names_the_commit_and_the_libraries():
    assert re.fullmatch(
        r"clconv [\d.]+ \(commit (unknown|[0-9a-f]{12}(-changed)?), OpenImageIO [\d.]+, CFITSIO [\d.]+, Little CMS [\d.]+\)\n",
        succeed("--version").out,
    )
