# SPDX-License-Identifier: Apache-2.0
"""Calling the tool."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("CLCONV", str(ROOT / "build/release/clconv"))
KERNELS = ROOT / "kernels"


@dataclass
class Result:
    command: str
    code: int
    out: str
    err: str

    def __repr__(self):
        return f"$ {self.command}\nexit {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}"


def environment(**changes):
    """The tests' environment without the user's settings for clconv, and with `changes` (None removes).

    Nothing is kept from one run to the next: a test that wants a cache says where.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("CLCONV")}
    env["CLCONV_CACHE_DIR"] = "/dev/null/no-cache"
    for name, value in changes.items():
        env.pop(name, None)
        if value is not None:
            env[name] = str(value)
    return env


def clconv(*arguments, cwd=None, stdin="", env=None, timeout=300):
    """Runs the tool to its end, whatever that is."""
    command = [BINARY, *map(str, arguments)]
    done = subprocess.run(
        command,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        env=environment(**(env or {})),
    )
    return Result(" ".join(command), done.returncode, done.stdout, done.stderr)


def succeed(*arguments, computes_wrongly=False, **settings):
    """Runs the tool, which must exit 0. Only if `computes_wrongly` may it have found a plan wrong and used another one: else
    its results would be right where its kernels are not."""
    result = clconv(*arguments, **settings)
    assert result.code == 0, result
    assert ("computes wrongly" in result.err) == computes_wrongly, result
    return result


def fail(code, *arguments, says=(), **settings):
    """Runs the tool, which must exit with `code` and name every word of `says` (any case) on standard error."""
    result = clconv(*arguments, **settings)
    assert result.code == code, result
    for word in says:
        assert str(word).lower() in result.err.lower(), f"standard error does not say {word!r}\n{result!r}"
    return result


def peak_bytes(*arguments, cwd=None, code=0, env=None):
    """Peak resident memory of a run that ends with an exit code, as the kernel counted it. `env`: see environment().

    A small process in between starts it: the kernel counts what the starting process has for the started one as well.
    """
    script = (
        "import os, subprocess, sys; p = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL); "
        "_, status, usage = os.wait4(p.pid, 0); print(status, usage.ru_maxrss)"
    )
    out = subprocess.run(
        ["/usr/bin/python3", "-c", script, BINARY, *map(str, arguments)],
        cwd=cwd,
        env=environment(**(env or {})),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    status, kilobytes = map(int, out.split())
    assert os.waitstatus_to_exitcode(status) == code
    return kilobytes * 1024


def files_below(folder):
    """Every file below `folder`, hidden ones too, as relative names."""
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if not path.is_dir())
