#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GNU parallel: N shards, on this machine or on those of a login file.
#
#     examples/schedulers/gnu-parallel.sh N IN PSF OUT [option of parallel...]
#     examples/schedulers/gnu-parallel.sh 16 IN PSF OUT --sshloginfile hosts --workdir .
#
# On several machines, IN, PSF and OUT are on a shared file system. A shard that fails is tried three times. Running the same
# command again makes only what is missing. One machine with one device is as fast without this script, because clconv itself
# uses all cores.
set -euo pipefail
shards=$1 in=$2 psf=$3 out=$4
shift 4
clconv=${CLCONV:-clconv}

seq 0 $((shards - 1)) |
    parallel --will-cite --halt soon,fail=1 --retries 3 --line-buffer --tagstring 'shard {}' --jobs "${JOBS:-1}" "$@" \
        "$clconv" run "$in" --psf "$psf" --output "$out" --shard "{}/$shards" --resume --progress text \
        --report "$out/.reports/{}.json"
"$clconv" merge-reports "$out"/.reports/*.json --output "$out/report.json"
