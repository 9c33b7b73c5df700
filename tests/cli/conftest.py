# SPDX-License-Identifier: Apache-2.0
"""pytest's configuration: the mark `full` (support/full.py), and a failing test shows how to run it alone."""

import os
from pathlib import Path

import pytest

from support.tool import BINARY


def pytest_configure(config):
    config.addinivalue_line("markers", "full: a combination that only scripts/test --full runs")


def pytest_report_header():
    return f"clconv: {BINARY}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        path = Path(__file__).parent / item.nodeid.split("::")[0].split("/")[-1]
        test = "::".join([os.path.relpath(path), *item.nodeid.split("::")[1:]])
        report.sections.append(("run it alone", f"CLCONV={BINARY} /usr/bin/python3 -m pytest '{test}'"))
