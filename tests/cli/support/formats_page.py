# SPDX-License-Identifier: Apache-2.0
"""docs/formats.md has two parts, each made by a test: the table of formats, and the counts of the matrix."""

import os

from support.tool import ROOT

PAGE = ROOT / "docs/formats.md"
SECOND = "\n## Nothing changes unsaid\n"


def check_section(text):
    """Compares a part of the page with what it must be; WRITE_FORMATS=1 in the environment writes it."""
    page = PAGE.read_text()
    table, mark, matrix = page.partition(SECOND)
    is_second = text.startswith(SECOND[1:])
    old = mark[1:] + matrix if is_second else table
    if os.environ.get("WRITE_FORMATS"):
        PAGE.write_text(table + "\n" + text if is_second else text + mark + matrix)
        return
    assert old == text, "docs/formats.md says something else; WRITE_FORMATS=1 writes it anew"
