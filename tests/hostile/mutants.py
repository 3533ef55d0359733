"""Each defence, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.limits import LIMITS
from tests.hostile.mutant import Mutant

__all__ = ["MUTANTS"]

PROMISES, HOSTILE = "tests/hostile/test_promises.py", "tests/hostile/test_hostile.py"
DOCSTRINGS = "tests/hostile/test_docstrings.py"
TAKEN, CHOSEN = "tests/hostile/test_names.py", "tests/hostile/test_chosen.py"
SOURCE, NAMES = "tests/properties/test_source.py", "tests/properties/test_names.py"

MUTANTS = LIMITS | {
    "literals are not escaped": Mutant(
        "python/literals.py",
        "    body = json.dumps(text)[1:-1]\n",
        "    body = text\n",
        SOURCE,
    ),
    "docstrings are not escaped": Mutant(
        "python/literals.py",
        """.replace("\\\\", "\\\\\\\\").replace('\"""', '\\\\"\\\\"\\\\"')""",
        "",
        SOURCE,
    ),
    "docstrings may run": Mutant(
        "python/literals.py",
        'body = inert("\\n".join(lines).strip())',
        'body = "\\n".join(lines).strip()',
        DOCSTRINGS,
    ),
    "docstrings that run are not refused": Mutant(
        "selfcheck/statements.py",
        "        if active := first_active(text):",
        "        if active := '':",
        "tests/selfcheck/test_statements.py",
    ),
    "tests may be a server's": Mutant(
        "render/tool_module.py",
        'return tool.function.startswith("test_")',
        "return False",
        DOCSTRINGS,
    ),
    "docstrings are not cleaned": Mutant(
        "python/literals.py", 'else HIDDEN.sub("", raw)', "else raw", SOURCE
    ),
    "removed text is not told": Mutant(
        "python/literals.py", "    if removed:\n", "    if removed < 0:\n", PROMISES
    ),
    "texts are not cut": Mutant(
        "python/literals.py", "    if cut > 0:\n", "    if cut > 10**9:\n", PROMISES
    ),
    "templates print anything": Mutant(
        "python/literals.py",
        '    raise TypeError(f"a template',
        '    return str(value)\n    raise TypeError(f"a template',
        PROMISES,
    ),
    "tools take any name": Mutant(
        "python/reserved.py",
        "TOOLS = _PYTHON |",
        "TOOLS = frozenset[str]() and _PYTHON |",
        HOSTILE,
    ),
    "fields take any name": Mutant(
        "python/reserved.py",
        "FIELDS = _PYTHON | _MODEL",
        "FIELDS = frozenset[str]()",
        HOSTILE,
    ),
    "classes take any name": Mutant(
        "python/reserved.py",
        "CLASSES = _EXCEPTIONS | _MODULE",
        "CLASSES = frozenset[str]()",
        NAMES,
    ),
    "names may be alike": Mutant(
        "python/names.py",
        "        if clash and (wire != base",
        "        if False and (wire != base",
        NAMES,
    ),
    "a hash may be another's name": Mutant(
        "python/names.py", "used = {*reserved, *claims}", "used = {*reserved}", TAKEN
    ),
    "hashes for models may be another's name": Mutant(
        "render/exports.py", "    taken = {*claims}", "    taken = set[str]()", TAKEN
    ),
    "names that are made from a name may be taken": Mutant(
        "python/names.py",
        "if reserved.isdisjoint(derived(n))",
        "if n not in reserved",
        TAKEN,
    ),
    "a tool that fails our check costs the others": Mutant(
        "pipeline/tool_files.py",
        "    if faults := selfcheck.check(part.files):",
        "    if faults := selfcheck.check({}):",
        TAKEN,
    ),
    "models see every keyword": Mutant(
        "render/exports.py",
        "        if keyword not in KNOWN or",
        "        if",
        PROMISES,
    ),
    "models see hidden texts": Mutant(
        "render/exports.py",
        "        elif keyword in _TOLD:\n",
        "        elif keyword in ():\n",
        PROMISES,
    ),
    "the self-check finds nothing": Mutant(
        "pipeline/generate.py",
        "    if faults := selfcheck.check(",
        "    if faults := [] and selfcheck.check(",
        PROMISES,
    ),
    "keys may stand twice": Mutant(
        "json_reader.py",
        "    if len(members) == len(pairs):",
        "    if members or not pairs:",
        "tests/json_text/test_reader.py",
    ),
    "numbers become nothing": Mutant(
        "json_reader.py",
        "(value == 0 and _NOT_ZERO.match(digits))",
        "False",
        "tests/json_text/test_reader.py",
    ),
    "numbers are rounded in silence": Mutant(
        "json_reader.py",
        "return value if is_same else",
        "return value if True else",
        "tests/json_text/test_reader.py",
    ),
    "NaN is a value": Mutant(
        "json_reader.py",
        'parse_constant=lambda name: _Flaw(f"{name} is not a JSON value")',
        "parse_constant=float",
        "tests/json_text/test_reader.py",
    ),
    "half a character is one": Mutant(
        "json_reader.py",
        "    try:\n        value.encode()\n",
        "    try:\n        pass\n",
        "tests/json_text/test_reader.py",
    ),
    "patterns of any size are used": Mutant(
        "runtime/validation/patterns.py",
        "        if sum(sizes) > MOST_STATES or len(sizes) > MOST_GROUPS:",
        "        if False:",
        PROMISES,
    ),
    "any header is sent": Mutant(
        "runtime/protocol/messages.py",
        "        if not isinstance(token, str) or not TOKEN.fullmatch(token):",
        "        if not isinstance(token, str):",
        PROMISES,
    ),
    "unions multiply": Mutant(
        "schema/compile.py",
        "        if not more:\n",
        "        if True:\n",
        "tests/schema/test_ambiguity.py",
    ),
    "residual validation asks again": Mutant(
        "runtime/validation/node.py",
        "        if not self.shared:\n",
        "        if True:\n",
        "tests/runtime/validation/test_schema_hostile.py",
    ),
    "residual validation finds all faults": Mutant(
        "runtime/validation/node.py",
        "\nMOST = 21\n",
        "\nMOST = 10**9\n",
        "tests/runtime/validation/test_schema_hostile.py -k many_faults",
    ),
    "all faults are built": Mutant(
        "runtime/client/binding.py",
        "    if count <= _SHOWN:\n",
        "    if True:\n",
        "tests/runtime/test_binding.py",
    ),
    "malformed answers are awaited": Mutant(
        "runtime/transport/process.py",
        "            box.put(error)\n",
        "            pass\n",
        "tests/runtime/test_stdio.py -k malformed",
    ),
    "header fields of HTTP/2 are logged": Mutant(
        "runtime/transport/log_redaction.py",
        "    return not ours.get()\n",
        "    return True\n",
        "tests/runtime/test_secrets.py -k http2",
    ),
    "links are followed": Mutant(
        "write/plan.py",
        "    if stat.S_ISLNK(found.st_mode):",
        "    if False:",
        "tests/write/test_links.py",
    ),
    "folders may be links": Mutant(
        "write/files.py",
        "    if stat.S_ISLNK(found.st_mode) or tag & _SURROGATE:",
        "    if False:",
        "tests/write/test_links.py",
    ),
    "what is foreign is replaced": Mutant(
        "write/plan.py",
        "    elif not ours:",
        "    elif False:",
        "tests/write/test_write.py",
    ),
    "any path is a path": Mutant(
        "paths.py",
        "    return _PATH.fullmatch(path) is not None and",
        "    return True or",
        "tests/write/test_write.py tests/write/test_manifest.py",
    ),
    "two tools may share a name": Mutant(
        "recording/entries.py",
        '    if kind in {"tools", "prompts"}:',
        "    if False:",
        "tests/recording/test_refused.py",
    ),
    "references lead out": Mutant(
        "runtime/validation/references.py",
        "def resolve(",
        "def resolve(*_: object) -> object:\n    return True, None\n\n\ndef _resolve(",
        "tests/hostile/test_limits.py",
    ),
    "numbers meet in one place of a table": Mutant(
        "runtime/strict_json.py",
        '    return f"{int(value):x}"\n',
        "    return value\n",
        CHOSEN,
    ),
    "all of a name is read": Mutant(
        "python/names.py", '("NFKD", text)[:_READ]', '("NFKD", text)', CHOSEN
    ),
    "all faults of an answer are kept": Mutant(
        "runtime/validation/bounded.py",
        "        if _is_large(value):\n",
        "        if False:\n",
        "tests/runtime/validation/test_bounded.py",
    ),
    "names that are needed cost nothing": Mutant(
        "runtime/validation/assertions.py",
        "                run.spend(len(needs[name]) // 16)\n",
        "",
        "tests/runtime/validation/test_schema_hostile.py",
    ),
    "secrets are shown": Mutant(
        "recording/secrets.py",
        '            text = text.replace(secret, "***")',
        "            pass",
        "tests/recording/test_secrets.py",
    ),
}
