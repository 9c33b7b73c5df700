# SPDX-License-Identifier: Apache-2.0
"""The manual pages that are installed, made of --help."""

import gzip
import re
import subprocess

from support.tool import BINARY, ROOT, environment, succeed


def test_each_command_has_a_page_with_all_its_options(tmp_path):
    subprocess.run([ROOT / "scripts/make-man", BINARY, tmp_path], check=True, env=environment())
    pages = {path.name.removesuffix(".1.gz"): gzip.decompress(path.read_bytes()).decode() for path in tmp_path.iterdir()}
    commands = re.findall(r"^  ([a-z-]+)  +\S", succeed("--help").out.partition("\nOptions")[0], re.M)
    assert sorted(pages) == sorted(["clconv", "clconv-compile", *(f"clconv-{command}" for command in commands)])
    for command in commands:
        entries = [line.replace("\\-", "-") for line in re.findall(r"^\.TP\n\.B (.*)$", pages[f"clconv-{command}"], re.M)]
        options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", succeed(command, "--help").out, re.M)
        assert options
        for option in options:
            assert any(re.search(rf"(^|,){option}\b(?!-)", entry) for entry in entries), (command, option)
