#!/usr/bin/env bash
# The same scenario and seed give the same JSON, byte for byte, whatever built the executable (g++ or
# clang++, Release or Debug) and however many threads run it.
set -euo pipefail
cd -- "$FAULTLINE_HOME"

result() { # EXECUTABLE SCENARIO THREADS
  "$1" run "$2" --reps 20 --seed 1 --threads "$3" --format json | sha256sum
}

status=0
for scenario in small llama3; do
  expected=$(result "$FAULTLINE_BINARY" "$scenario" 1)
  compare() { # NAME RESULT
    if [[ $2 == "$expected" ]]; then
      echo "$scenario: $1: the same"
    else
      echo "$scenario: $1: differs"
      status=1
    fi
  }
  compare "two threads" "$(result "$FAULTLINE_BINARY" "$scenario" 2)"
  for preset in clang dev; do
    build=build/identity-$preset
    cmake --preset "$preset" -B "$build" -DFAULTLINE_TESTS=OFF >/dev/null
    cmake --build "$build" --target faultline >/dev/null
    compare "preset $preset" "$(result "$build/faultline" "$scenario" 1)"
  done
done
exit "$status"
