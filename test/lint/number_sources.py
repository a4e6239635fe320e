"""Every number in the catalogues says where it comes from.

A line of traces/**.yaml, models/**.yaml or policies/**.yaml that holds a number must end with a comment
(`# source ...` or `# assumption: why`), or belong to an entry (a map, or an item of a list, below the
top of the file) that has a `source:` key.

A number is a value that begins with a digit, alone or inside {...} and [...]: `10m`, `[79, 48]`,
`6.5 per 1000 node-days`. Digits inside a word or a sentence (H100-80GB, NvidiaXID79Error) are none, nor
is anything in a key that holds prose or a name.
"""

import re

PROSE = {"name", "title", "help", "description", "summary", "notes", "note", "source", "url",
         "scenario", "extends", "reason", "schema_version"}
KEY = re.compile(r"""^(?P<key>"[^"]*"|'[^']*'|[^\s#{}\[\],:"']+)\s*:(?=\s|$)\s*(?P<value>.*)$""")
NUMBER = re.compile(r"^[-+]?\.?\d")
BLOCK_SCALAR = re.compile(r"^(![\w-]+\s+)?[|>][-+0-9]*$")
FLOW_SOURCE = re.compile(r"[{,]\s*source\s*:")
# The parts of a flow collection: punctuation, or a scalar with its blanks.
TOKEN = re.compile(
    r"""[{}\[\],]|:(?=\s|$)|"[^"]*"|'[^']*'|(?:[^{}\[\],:"']|(?<=\w)['"]|:(?!\s|$))+""")


def split_comment(line):
    """(content, comment) of a line; a # counts outside of quotes, after white space."""
    quote = None
    for i, c in enumerate(line):
        if quote:
            quote = None if c == quote else quote
        elif c in "\"'" and (i == 0 or line[i - 1] in " \t[{,:"):
            quote = c
        elif c == "#" and (i == 0 or line[i - 1] in " \t"):
            return line[:i].rstrip(), line[i + 1:].strip()
    return line.rstrip(), ""


def has_number(value):
    """Does a value, a scalar or a flow collection, hold a number outside of prose?"""
    key = word = None
    for token in TOKEN.findall(value):
        token = token.strip()
        if token == ":":
            key = word
        elif token in ("{", "}", "]", ","):
            key = None
        elif token not in ("", "["):
            word = re.sub(r"^![\w-]+\s*", "", token).strip("\"'")
            if NUMBER.match(word) and key not in PROSE:
                return True
    return False


def problems_of(path, text):
    found = []
    entries = []  # the block maps around this line: [indent, has a source, problems so far]
    prose_indent = None  # lines deeper than this continue prose

    def close_deeper_than(indent):
        while entries and entries[-1][0] > indent:
            closed_indent, sourced, waiting = entries.pop()
            if not (sourced and closed_indent > 0):
                (entries[-1][2] if entries else found).extend(waiting)

    for number, line in enumerate(text.splitlines(), 1):
        content, comment = split_comment(line)
        rest = content.strip()
        indent = len(content) - len(content.lstrip())
        if rest in ("", "---", "...") or (prose_indent is not None and indent > prose_indent):
            continue
        prose_indent = None
        close_deeper_than(indent)
        while rest == "-" or rest.startswith("- "):
            item = rest[1:].lstrip()
            indent += len(rest) - len(item)
            rest = item
        if not entries or entries[-1][0] < indent:
            entries.append([indent, False, []])
        match = KEY.match(rest)
        key, value = (match["key"].strip("\"'"), match["value"]) if match else (None, rest)
        if key == "source":
            entries[-1][1] = True
        if key in PROSE or BLOCK_SCALAR.match(value):
            prose_indent = indent
        elif has_number(value) and not comment and not FLOW_SOURCE.search(value):
            entries[-1][2].append(f"{path}:{number}: a number without a source: {rest}")
    close_deeper_than(-1)
    return found


def problems(files):
    found = []
    for path, text in files.items():
        if path.endswith((".yaml", ".yml")) and path.startswith(("traces/", "models/", "policies/")):
            found += problems_of(path, text)
    return found
