# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node, started here: munge, the controller and the node's daemon, all in one folder."""

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import time

import numpy as np
import pytest
from conftest import COUNT, SCALING
from support.images import as_integers, picture, write_image
from support.tool import BINARY, environment

SBIN = "/usr/sbin"
PROGRAMS = ["munged", "slurmctld", "slurmd"]
pytestmark = pytest.mark.skipif(
    not all(shutil.which(name, path=f"{SBIN}:/usr/bin") for name in [*PROGRAMS, "sbatch"]),
    reason="needs slurm-wlm and munge",
)

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        (folder / "state").mkdir()
        (folder / "spool").mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                folder=folder,
                user=getpass.getuser(),
                controller=free_port(),
                daemon=free_port(),
                cpus=os.cpu_count(),
            )
        )
        self.env = environment(SLURM_CONF=folder / "slurm.conf", CLCONV=BINARY)

    def start(self):
        munge = ["--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/munge.socket"]
        munge += [f"--{name}-file={self.folder}/munged.{name}" for name in ("pid", "log", "seed")]
        self.daemon("munged", *munge)
        self.wait("munge's socket", lambda: (self.folder / "munge.socket").exists())
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.wait("an idle node", lambda: "idle" in self.call("sinfo", "--noheader", check=False))

    def daemon(self, name, *words):
        log = open(self.folder / f"{name}.out", "wb")
        self.daemons.append(
            subprocess.Popen([f"{SBIN}/{name}", *words], env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        )

    def wait(self, what, ready):
        deadline = time.monotonic() + 60
        while not ready():
            logs = "".join(f"--- {path.name}\n{path.read_text()[-2000:]}" for path in self.folder.glob("*.log"))
            assert time.monotonic() < deadline, f"no {what}\n{logs}"
            assert all(daemon.poll() is None for daemon in self.daemons), logs
            time.sleep(0.1)

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def call(self, *words, cwd=None, check=True, **changes):
        env = self.env | {name: str(value) for name, value in changes.items()}
        done = subprocess.run(list(map(str, words)), env=env, cwd=cwd, capture_output=True, text=True, timeout=300)
        logs = "".join(path.read_text() for path in sorted(cwd.glob("*.log"))) if cwd else ""
        assert done.returncode == 0 or not check, done.stdout + done.stderr + logs
        return done.stdout


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def report_of(batch):
    return json.loads((batch.folder / "out/report.json").read_text())


def submit(cluster, batch, *options, **env):
    script = SCALING / "slurm-array.sh"
    cluster.call("sbatch", "--wait", *options, script, "in", "psf.txt", "out", cwd=batch.folder, **env)


def merge(cluster, batch):
    cluster.call("sbatch", "--wait", SCALING / "slurm-merge.sh", "out", cwd=batch.folder)


@pytest.mark.parametrize("array", ["0-3", "1-7:2%2"])
def test_an_array_makes_the_batch(cluster, batch, array):
    submit(cluster, batch, f"--array={array}")
    batch.check()
    merge(cluster, batch)
    assert report_of(batch)["counts"]["done"] == COUNT
    assert [shard["index"] for shard in report_of(batch)["shards"]] == [0, 1, 2, 3]


def test_a_task_alone_repairs_its_shard(cluster, batch):
    submit(cluster, batch, "--array=0-2")
    (batch.folder / "out/4.png").unlink()
    write_image(batch.folder / "in/1.png", as_integers(picture(40, 30, 3, seed=77), np.uint8))
    submit(cluster, batch, "--array=1", SHARD="1/3")
    merge(cluster, batch)
    # The reports of the other two shards are those of the first run: 4 and 3 images; this one made 2 of its 3 again.
    counts = report_of(batch)["counts"]
    assert (counts["done"], counts["skipped"]) == (4 + 3 + 2, 1)
    assert batch.outputs()["4.png"] == batch.expected["4.png"]
    assert batch.outputs()["1.png"] != batch.expected["1.png"]


def test_a_missing_shard_fails_the_merge(cluster, batch):
    submit(cluster, batch, "--array=0-2")
    (batch.folder / "out/.reports/1.json").unlink()
    merged = cluster.call("sbatch", "--wait", SCALING / "slurm-merge.sh", "out", cwd=batch.folder, check=False)
    assert merged is not None and not (batch.folder / "out/report.json").exists()
    assert "1/3" in "".join(path.read_text() for path in batch.folder.glob("clconv-merge-*.log"))


def test_the_processes_of_an_srun_are_shards_too(cluster, batch):
    command = [BINARY, "run", "in", "--psf", "psf.txt", "--output", "out", "--shard", "slurm"]
    cluster.call("srun", "--ntasks=2", "--overcommit", *command, cwd=batch.folder)
    batch.check()
