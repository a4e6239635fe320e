"""No file names a path of one machine, a package registry or a mirror; code is plain ASCII."""

import re

# (Written so that this file does not match itself.)
TRACES = re.compile("|".join([
    r"(?<![\w.$}])/(?:work|tmp|home|root)/" + r"\w",
    r"\b(?:registry|proxy)\." + r"[a-z]+\.(?:org|com)\b",
    r"\bdeb\." + r"debian\.org\b",
    r"\bpypi\." + r"org\b",
    r'"resolved": *"' + "http",
]))
CODE = (".cc", ".h", ".py", ".sh", ".cmake", ".txt")


def problems(files):
    found = []
    for path, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            match = TRACES.search(line)
            if match:
                found.append(f"{path}:{number}: a trace of one machine: {match[0]}")
            if path.endswith(CODE) and not line.isascii():
                found.append(f"{path}:{number}: not plain ASCII")
    return found
