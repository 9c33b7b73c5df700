# SPDX-License-Identifier: Apache-2.0
"""The Indexed Job as far as a client can judge: its fields, a typed round trip, and every pod's command, run here."""

import json
import re
import shutil
import subprocess

import pytest
import yaml
from conftest import SCALING
from support.tool import clconv

MANIFEST = SCALING / "kubernetes-job.yaml"

# Fields of the batch/v1 API (Kubernetes 1.21 and later: completionMode), as far as the manifest may use them.
FIELDS = {
    "": {"apiVersion", "kind", "metadata", "spec"},
    "spec": {"completionMode", "completions", "parallelism", "backoffLimit", "template", "ttlSecondsAfterFinished"},
    "spec.template": {"metadata", "spec"},
    "spec.template.spec": {"restartPolicy", "terminationGracePeriodSeconds", "containers", "volumes"},
    "spec.template.spec.containers": {"name", "image", "command", "args", "env", "resources", "volumeMounts"},
    "spec.template.spec.containers.env": {"name", "value"},
    "spec.template.spec.containers.resources": {"requests", "limits"},
    "spec.template.spec.containers.volumeMounts": {"name", "mountPath", "readOnly"},
    "spec.template.spec.volumes": {"name", "persistentVolumeClaim", "emptyDir"},
    "spec.template.spec.volumes.persistentVolumeClaim": {"claimName", "readOnly"},
}


@pytest.fixture(scope="module")
def job():
    return yaml.safe_load(MANIFEST.read_text())


def check_fields(value, path=""):
    if isinstance(value, list):
        for entry in value:
            check_fields(entry, path)
    elif isinstance(value, dict) and path in FIELDS:
        assert set(value) <= FIELDS[path], f"{path}: {set(value) - FIELDS[path]}"
        for name, entry in value.items():
            check_fields(entry, f"{path}.{name}".lstrip("."))


def test_the_manifest_has_only_fields_of_the_api(job):
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    check_fields(job)


def test_names_and_numbers_fit_together(job):
    spec = job["spec"]
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    assert spec["completionMode"] == "Indexed"
    assert 0 < spec["parallelism"] <= spec["completions"]
    assert pod["restartPolicy"] in ("OnFailure", "Never"), "a job's pods are not restarted for ever"
    assert f"--shard=env:JOB_COMPLETION_INDEX/{spec['completions']}" in container["args"]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", job["metadata"]["name"])


@pytest.mark.skipif(not shutil.which("kubectl"), reason="needs kubectl")
def test_kubectl_knows_every_field(job):
    """--local decodes into the client's types, which drop what they do not know, without a cluster."""
    command = ["kubectl", "label", "--local", "--filename", str(MANIFEST), "--output", "json", "tested=yes"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

    def missing(wanted, found, path=""):
        if isinstance(wanted, dict):
            return [gap for name in wanted for gap in missing(wanted[name], (found or {}).get(name), f"{path}.{name}")]
        if isinstance(wanted, list):
            return [gap for i, entry in enumerate(wanted) for gap in missing(entry, (found or [])[i], f"{path}[{i}]")]
        return [] if str(wanted) == str(found) else [f"{path}: {wanted!r} became {found!r}"]

    assert missing(job, json.loads(done.stdout)) == []


def test_all_pods_together_make_the_batch(batch, job):
    (container,) = job["spec"]["template"]["spec"]["containers"]
    count = job["spec"]["completions"]
    for index in range(count):
        words = [*container["command"], *container["args"]][1:]
        words = [word.replace("$(JOB_COMPLETION_INDEX)", str(index)).replace("psf.exr", "psf.txt") for word in words]
        words = [word.replace("/data", str(batch.folder)) for word in words]
        result = clconv(*words, env={"JOB_COMPLETION_INDEX": index})
        assert result.code == 0, result
    batch.check()
    reports = sorted((batch.folder / "out/.reports").glob("*.json"))
    assert len(reports) == count
    assert clconv("merge-reports", *reports).code == 0
    assert clconv("merge-reports", *reports[1:]).code == 1
