# shellcheck shell=bash
# What the tests of the Slurm script share.

# The experiment that is run in shares, and once in one piece.
experiment=(sweep small --vary 'policy.gate=off,10%..50%/20%' --reps 21)

# compare_with_one_process PLACE: merges PLACE/results/*.db; the report must be that of one process.
compare_with_one_process() {
  "$FAULTLINE_BINARY" merge "$1"/results/*.db -o "$1/all.db" --format json >"$1/merged"
  "$FAULTLINE_BINARY" "${experiment[@]}" --format json >"$1/whole"
  cmp "$1/merged" "$1/whole"
}
