# SPDX-License-Identifier: Apache-2.0
"""GNU parallel and Snakemake."""

import json
import shutil
import subprocess

import pytest
from conftest import COUNT, SCALING
from support.tool import BINARY, environment


def call(batch, *words, code=0):
    done = subprocess.run(
        list(map(str, words)), cwd=batch.folder, env=environment(CLCONV=BINARY), capture_output=True, text=True, timeout=600
    )
    assert (done.returncode == 0) == (code == 0), done.stdout + done.stderr
    return done.stdout + done.stderr


def counts(batch):
    return json.loads((batch.folder / "out/report.json").read_text())["counts"]


@pytest.mark.skipif(not shutil.which("parallel"), reason="needs GNU parallel")
def test_gnu_parallel_makes_the_batch_and_the_second_time_nothing(batch):
    call(batch, SCALING / "gnu-parallel.sh", 3, "in", "psf.txt", "out")
    batch.check()
    assert counts(batch)["done"] == COUNT
    call(batch, SCALING / "gnu-parallel.sh", 3, "in", "psf.txt", "out")
    assert counts(batch)["skipped"] == COUNT


@pytest.mark.skipif(not shutil.which("parallel"), reason="needs GNU parallel")
def test_gnu_parallel_fails_with_an_image_and_goes_on_when_it_is_repaired(batch):
    broken = batch.folder / "in/3.png"
    whole = broken.read_bytes()
    broken.write_bytes(whole[:50])
    call(batch, SCALING / "gnu-parallel.sh", 2, "in", "psf.txt", "out", code=1)
    broken.write_bytes(whole)
    call(batch, SCALING / "gnu-parallel.sh", 2, "in", "psf.txt", "out")
    batch.check()


@pytest.mark.skipif(not shutil.which("snakemake"), reason="needs snakemake")
def test_snakemake_makes_the_batch_and_then_only_what_depends_on_a_change(batch):
    command = ["snakemake", "--snakefile", SCALING / "Snakefile", "--cores", "2", "--scheduler", "greedy"]
    command += ["--config", "input=in", "psf=psf.txt", "output=out", "shards=3", f"clconv={BINARY}"]
    call(batch, *command)
    batch.check()
    assert "Nothing to be done" in call(batch, *command)
    (batch.folder / "in/4.png").write_bytes((batch.folder / "in/5.png").read_bytes())
    call(batch, *command)
    assert batch.outputs()["4.png"] == batch.outputs()["5.png"]
    assert counts(batch)["done"] == 1 and counts(batch)["skipped"] == COUNT - 1
