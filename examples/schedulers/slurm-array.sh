#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm job array: every task makes one shard.
#
#     sbatch --array=0-15 examples/schedulers/slurm-array.sh IN PSF OUT
#     sbatch --dependency=afterok:JOB examples/schedulers/slurm-merge.sh OUT
#
# Any regular array works (1-16, 0-30:2, 0-99%8). To run a task that died again: `scontrol requeue`, or alone:
#
#     SHARD=3/16 sbatch --array=3 examples/schedulers/slurm-array.sh IN PSF OUT
#
# Settings from the environment: CLCONV (the program), SHARD, and CLCONV_OPTIONS, words that go to clconv run.
#SBATCH --job-name=clconv
#SBATCH --output=clconv-%A-%a.log
#SBATCH --signal=B:TERM@60
set -euo pipefail
in=$1 psf=$2 out=$3
shard=${SHARD:-slurm}
number=${SHARD:+${SHARD%/*}}
[[ -n $number ]] || number=$(((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN) / SLURM_ARRAY_TASK_STEP))

# exec: Slurm's SIGTERM before the time limit, or at scancel, reaches clconv, which finishes images in flight. The next
# attempt of this task continues from there.
# shellcheck disable=SC2086  # CLCONV_OPTIONS holds words
exec "${CLCONV:-clconv}" run "$in" --psf "$psf" --output "$out" --shard "$shard" --resume --progress text \
    --report "$out/.reports/$number.json" ${CLCONV_OPTIONS:-}
