#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs after an array. Fails unless every shard is there and every image is done. See slurm-array.sh.
#SBATCH --job-name=clconv-merge
#SBATCH --output=clconv-merge-%j.log
set -euo pipefail
out=$1
exec "${CLCONV:-clconv}" merge-reports "$out"/.reports/*.json --output "$out/report.json"
