"""Compiles an include of each header of models/ as a policy would see it: fence.py COMPILER DIR:DIR...

models/base and models/observed must be visible, everything else must not.
"""

import subprocess
import sys

import lint

VISIBLE = ("models/base/", "models/observed/")


def main():
    compiler, folders = sys.argv[1:]
    includes = [f"-I{folder}" for folder in folders.split(":")]
    headers = [p for p in lint.project_paths() if p.startswith("models/") and p.endswith(".h")]
    seen = {True: 0, False: 0}
    wrong = []
    for header in headers:
        allowed = header.startswith(VISIBLE)
        done = subprocess.run(
            [compiler, *includes, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"], text=True,
            input=f'#include "{header}"\n', capture_output=True, check=False)
        seen[allowed] += 1
        if allowed and done.returncode != 0:
            wrong.append(f"{header}: a policy cannot include it:\n{done.stderr}")
        if not allowed and (done.returncode == 0 or header not in done.stderr):
            wrong.append(f"{header}: a policy can include it")
    if not all(seen.values()):
        wrong.append(f"too few headers to tell: {seen}")
    print("\n".join(wrong) or f"visible to policies: {seen[True]} headers, hidden: {seen[False]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
