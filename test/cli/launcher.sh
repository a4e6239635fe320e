#!/usr/bin/env bash
# The launcher with a false Debian: dpkg-query, apt-get, sudo and cmake are stand-ins that note down
# how they were called. cmake "builds" a script that prints its folder, FAULTLINE_HOME and arguments.
set -euo pipefail

project=$(readlink -f -- "$FAULTLINE_HOME")
place=$(readlink -f -- "$(mktemp -d)")
trap 'rm -rf -- "$place"' EXIT
house=$place/house
tools=$place/tools
calls=$place/calls
mkdir -p "$house"/{models,policies,sim,cmake} "$tools" "$place/elsewhere"
cp "$project/faultline" "$project/packages.txt" "$house"
touch "$house/CMakeLists.txt" "$house/CMakePresets.json" "$house/sim/a.cc" "$calls"
for tool in bash cat chmod dirname env find flock grep mkdir mv nproc readlink rm; do
  ln -s "$(command -v "$tool")" "$tools/$tool"
done

tool() { # NAME: its text comes from stdin
  cat >"$tools/$1"
  chmod +x "$tools/$1"
}
tool dpkg-query <<STOP
#!$tools/bash
shift 3
for name in "\$@"; do
  [[ \$name == g++ || \$name == python3 ]] || printf '|%s installed|' "\$name"
done
STOP
tool apt-get <<STOP
#!$tools/bash
echo "apt-get \$*" | $tools/cat >>"$calls"
echo "talk of apt-get"
STOP
tool sudo <<STOP
#!$tools/bash
"\$@"
STOP
tool cmake <<STOP
#!$tools/bash
echo "cmake \$*" >>"$calls"
echo "talk of cmake"
$tools/mkdir -p "$house/build/release"
[[ -e "$house/broken" && \$1 == --build ]] && exit 1
echo >"$house/build/release/build.ninja"
printf '#!%s\necho "\$PWD \$FAULTLINE_HOME \$*"\n' "$tools/bash" >"$house/build/release/faultline"
$tools/chmod +x "$house/build/release/faultline"
STOP

failures=0
expect() { # WHAT ACTUAL PATTERN
  # shellcheck disable=SC2053 # (the third argument is a pattern)
  if [[ $2 != $3 ]]; then
    printf '%s: got\n  %s\nexpected\n  %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
launch() { # [NAME=VALUE...] ARGS: from another folder; sets out, err, code and called
  : >"$calls"
  code=0
  (cd "$place/elsewhere" && env -i PATH="$tools" "$@") \
    >"$place/out" 2>"$place/err" || code=$?
  out=$(<"$place/out")
  err=$(<"$place/err")
  called=$(<"$calls")
}

launch FAULTLINE_NO_INSTALL=1 "$house/faultline" run small
expect "only names: exit code" "$code" 2
expect "only names: names what is missing" "$err" "faultline: missing packages *: g++"
expect "only names: stdout is clean" "$out" ""
expect "only names: installs nothing" "$called" ""

launch FAULTLINE_NO_INSTALL=1 "$house/faultline" test
expect "the tests need more" "$err" "*: g++ python3"

touch "$house/broken"
launch "$house/faultline" run small
expect "a build that fails: exit code" "$code" 70
expect "a build that fails: says so" "$err" "*the build failed (see above)"
rm "$house/broken"

launch "$house/faultline" run "a b" --set x=1
expect "first run: exit code" "$code" 0
expect "first run: installs" "$called" "*apt-get * install --no-install-recommends g++*"
expect "first run: builds" "$called" "*cmake --build $house/build/release --target faultline*"
expect "first run: stdout is clean" "$out" "$place/elsewhere $house run a b --set x=1"
expect "first run: talks on stderr" "$err" "*talk of apt-get*talk of cmake*"

launch "$house/faultline" run small
expect "nothing changed: calls nothing" "$called" ""
expect "nothing changed: says nothing" "$err" ""
expect "nothing changed: runs" "$out" "$place/elsewhere $house run small"

touch "$house/sim/a.cc"
launch "$house/faultline" run small
expect "a source changed: builds" "$called" "*cmake --build*"
expect "a source changed: is not configured again" "${called//--preset/AGAIN}" "${called}"
rm "$house/sim/a.cc"
launch "$house/faultline" run small
expect "a source vanished: builds" "$called" "*cmake --build*"
touch "$house/models/catalogue.yaml"
launch "$house/faultline" run small # (the folder changed: one build that does nothing)
touch "$house/models/catalogue.yaml"
launch "$house/faultline" run small
expect "a catalogue changed: calls nothing" "$called" ""

ln -s "$house/faultline" "$place/elsewhere/link"
launch "$place/elsewhere/link" validate
expect "by a symbolic link" "$out" "$place/elsewhere $house validate"

rm "$tools/dpkg-query"
touch "$house/CMakeLists.txt"
launch "$house/faultline" run small
expect "not Debian: exit code" "$code" 2
expect "not Debian: names the packages" "$err" "*needs Debian 12*g++ cmake ninja-build*"

echo "$failures failures"
[[ $failures == 0 ]]
