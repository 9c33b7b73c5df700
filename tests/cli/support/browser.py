# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser shows them."""

import re
import shutil
import subprocess

import pytest


def browser():
    """The browser's program. Skips the test if there is none."""
    return shutil.which("chromium") or pytest.skip("no Chromium here")


def assert_loads_nothing(page):
    assert not re.search(r"(src|href)=|https?://|@import|url\(", page), "the page requests something outside itself"
    assert "default-src 'none'" in page, "the page lets a browser load what it likes"


def shown(page, folder, probe=""):
    """The document after its scripts and the script `probe` have run, as HTML. No script may have complained."""
    assert page.count("</body>") == 1
    file = folder / "probe.html"
    file.write_text(page.replace("</body>", f"<script>{{{probe}}}</script></body>"))
    result = subprocess.run(
        [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
        + ["--virtual-time-budget=10000", f"--user-data-dir={folder / 'profile'}", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "CONSOLE" not in result.stderr, result.stderr
    return result.stdout
