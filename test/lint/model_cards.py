"""Each model, each policy and the engine has a model card, MODEL.md, with its five sections."""

import re

SECTIONS = ["Scope and limitations", "Equations", "Parameters", "Verification", "Validation"]
NO_MODELS = {"models", "models/base", "models/observed", "policies"}  # vocabulary, not behaviour


def problems(files):
    folders = {path.rpartition("/")[0] for path in files
               if path.startswith(("models/", "policies/", "sim/engine/"))
               and path.endswith(("_config.h", ".cc"))}
    found = []
    for folder in sorted(folders - NO_MODELS):
        card = folder + "/MODEL.md"
        if card not in files:
            found.append(f"{card}: missing")
            continue
        headings = re.findall(r"^#+\s+(.*?)\s*$", files[card], re.MULTILINE)
        found += [f"{card}: no section '{section}'" for section in SECTIONS
                  if section not in headings]
        for section in SECTIONS:
            body = re.search(rf"^#+ +{section} *\n+(?!#)\S", files[card], re.MULTILINE)
            if section in headings and not body:
                found.append(f"{card}: section '{section}' is empty")
    return found
