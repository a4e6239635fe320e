#!/usr/bin/env bash
# The Slurm script without Slurm: its tasks, one after the other, with the variables that Slurm sets. A task
# that is requeued goes on, and what is no array is refused. With a real Slurm: slurm_array_slow.sh.
set -euo pipefail

if [[ ! -x ${FAULTLINE_BINARY:-} ]]; then
  echo "FAULTLINE_BINARY is not set: nothing to test"
  exit 0
fi
# shellcheck source=test/support/slurm.sh
source "$FAULTLINE_HOME/test/support/slurm.sh"
place=$(mktemp -d)
trap 'rm -rf -- "$place"' EXIT
script=$FAULTLINE_HOME/deploy/slurm/faultline-array.sbatch
export FAULTLINE=$FAULTLINE_BINARY FAULTLINE_RESULTS=$place/results
export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3
export SLURM_CPUS_PER_TASK=1

for task in 1 2 3 2; do
  SLURM_ARRAY_TASK_ID=$task bash "$script" "${experiment[@]}" 2>"$place/err"
done
grep -q '^0 replications of small' "$place/err" # the second task again
compare_with_one_process "$place"

code=0
SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 bash "$script" "${experiment[@]}" 2>"$place/err" || code=$?
[[ $code == 2 ]] && grep -q 'submit it as an array from 1 without gaps' "$place/err"
