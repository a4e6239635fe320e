#!/usr/bin/env bash
# clang-format over every C++ file and shellcheck over every script; first each tool must object to a
# bad sample.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
cd -- "$here/../.." || exit 1
status=0

# files PATTERN: the project's files whose path matches.
files() {
  (cd -- "$here" && /usr/bin/python3 -c 'import lint; print("\n".join(lint.project_paths()))') |
    grep -E -- "$1"
}

format=(clang-format-14 --style=file --dry-run -Werror)
if echo 'int  main( ){}' | "${format[@]}" --assume-filename=bad.cc 2>/dev/null; then
  echo "clang-format does not object to a bad sample"
  status=1
fi
mapfile -t sources <<<"$(files '\.(cc|h)$')"
"${format[@]}" "${sources[@]}" || status=1

# shellcheck disable=SC2016 # (the sample is meant to stay as it is)
if echo 'cat $1' | shellcheck --shell=bash - >/dev/null; then
  echo "shellcheck does not object to a bad sample"
  status=1
fi
mapfile -t scripts <<<"$(files '(\.sh|^faultline|^\.ci/run)$')"
shellcheck "${scripts[@]}" || status=1

echo "${#sources[@]} C++ files, ${#scripts[@]} scripts"
exit "$status"
