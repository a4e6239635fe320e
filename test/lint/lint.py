"""Runs one rule over the project's files: lint.py RULE. Exit code 1 and a line per problem."""

import importlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def project_paths():
    """The files under version control and those that could be added; all files without git."""
    git = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "ls-files", "-z", "--cached",
         "--others", "--exclude-standard"], capture_output=True, check=False)
    if git.returncode == 0:
        names = git.stdout.decode().split("\0")
    else:
        names = []
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if f not in (".git", "build", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
    return sorted(n for n in names if n and (ROOT / n).is_file())


def project_files():
    """Path from the root -> text, of all files that are text."""
    texts = {}
    for name in project_paths():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            texts[name] = data.decode("utf-8", errors="replace")
    return texts


def main():
    found = importlib.import_module(sys.argv[1]).problems(project_files())
    print("\n".join(found) or f"{sys.argv[1]}: nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
