#!/usr/bin/env bash
# A result store that cannot grow any more: a clear error, exit code 3, and an intact file from which the
# same command goes on when there is room again. The full disk is a limit on the size of files, which needs no
# privileges.
set -euo pipefail

binary=${FAULTLINE_BINARY:-}
if [[ ! -x $binary ]]; then
  echo "FAULTLINE_BINARY is not set: nothing to test"
  exit 0
fi
place=$(mktemp -d)
trap 'rm -rf -- "$place"' EXIT
store=$place/results.db

sweep() { # OPTION...
  "$binary" sweep small --vary policy.gate=off,20% --reps 600 --format json --quiet "$@"
}

fail() { # WHAT
  echo "$1"
  cat "$place/err"
  exit 1
}

# So that there is a file, with something in it.
"$binary" sweep small --vary policy.gate=off,20% --reps 10 --quiet -o "$store" >/dev/null

for blocks in 150 20; do # of 1 KiB; the second one is less than the file has
  code=0
  (
    trap '' XFSZ # the write fails, in place of a signal
    ulimit -f "$blocks"
    sweep -o "$store"
  ) >"$place/out" 2>"$place/err" || code=$?
  [[ $code == 3 ]] || fail "exit code $code with $blocks KiB"
  [[ ! -s $place/out ]] || fail "a report with $blocks KiB"
  grep -qE "^faultline sweep: cannot use \`$store\`: (disk I/O error|database or disk is full)" \
    "$place/err" || fail "another error with $blocks KiB"
done

sweep -o "$store" >"$place/resumed" 2>"$place/err" || fail "it does not go on"
sweep >"$place/undisturbed" 2>"$place/err"
cmp "$place/resumed" "$place/undisturbed"
