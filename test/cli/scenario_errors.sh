#!/usr/bin/env bash
# Bad scenario files and what `faultline validate` says about them, word for word: each
# scenario-errors/NAME.yaml has its NAME.txt. `UPDATE=1 test/cli/scenario_errors.sh` writes them anew.
set -euo pipefail

binary=${FAULTLINE_BINARY:-}
if [[ ! -x $binary ]]; then
  echo "FAULTLINE_BINARY is not set: nothing to test"
  exit 0
fi
cd "$FAULTLINE_HOME/test/cli/scenario-errors"

failures=0
for file in *.yaml missing.yaml; do
  code=0
  said=$("$binary" validate "$file" 2>&1 >/dev/null) || code=$?
  if [[ ${UPDATE:-} ]]; then
    printf '%s\n' "$said" >"${file%.yaml}.txt"
  elif [[ $code != 2 ]] || ! diff -u "${file%.yaml}.txt" - <<<"$said"; then
    echo "$file: exit code $code, or another text than in ${file%.yaml}.txt"
    failures=$((failures + 1))
  fi
done
exit $((failures > 0))
