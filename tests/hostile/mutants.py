"""Each defence, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.changes import always, argument, constant, gives, never, returns
from tests.hostile.limits import LIMIT_TESTS, LIMITS, READER
from tests.hostile.mutant import Mutant

__all__ = ["MUTANTS"]

PROMISES, HOSTILE = "tests/hostile/test_promises.py", "tests/hostile/test_hostile.py"
DOCSTRINGS = "tests/hostile/test_docstrings.py"
TAKEN, CHOSEN = "tests/hostile/test_names.py", "tests/hostile/test_chosen.py"
SOURCE, NAMES = "tests/properties/test_source.py", "tests/properties/test_names.py"
STATEMENTS = "tests/python/test_selfcheck_statements.py"
SKILL = "tests/targets/test_agent_skill.py"
AMBIGUITY = "tests/schema/test_ambiguity.py"
RESIDUAL = "tests/runtime/validation/test_schema_hostile.py"
WRITE, LINKS = "tests/write/test_write.py", "tests/write/test_links.py"

MUTANTS = LIMITS | {
    "all lines are sure": Mutant(
        "pipeline/formatting.py",
        "is_sure",
        returns("True"),
        "tests/pipeline/test_formatting.py",
    ),
    "literals are not escaped": Mutant(
        "python/literals.py", "_quote", gives("_string", "f'|{text}|'"), SOURCE
    ),
    "docstrings are not escaped": Mutant(
        "python/literals.py", "docstring", gives("replace", "body"), SOURCE
    ),
    "docstrings may run": Mutant(
        "python/literals.py",
        "docstring",
        gives("inert", "chr(10).join(lines).strip()"),
        DOCSTRINGS,
    ),
    "docstrings that run are not refused": Mutant(
        "python/selfcheck_statements.py",
        "_File.docstring",
        gives("first_active", "None"),
        STATEMENTS,
    ),
    "pages of skills may run": Mutant(
        "python/skill_safety.py", "not_run", gives("_RUN.sub", "text"), SKILL
    ),
    "pages that run are not refused": Mutant(
        "python/selfcheck_markdown.py",
        "markdown_faults",
        gives("first_run", "''"),
        SKILL,
    ),
    "tests may be a server's": Mutant(
        "render/tool_module.py", "seems_a_test", returns("False"), DOCSTRINGS
    ),
    "docstrings are not cleaned": Mutant(
        "python/literals.py", "_cleaned", gives("HIDDEN.sub", "raw"), SOURCE
    ),
    "removed text is not told": Mutant(
        "python/literals.py", "_cleaned", never("removed"), PROMISES
    ),
    "texts are not cut": Mutant(
        "python/literals.py", "_cleaned", never("cut"), PROMISES
    ),
    "templates print anything": Mutant(
        "python/literals.py",
        "finalize",
        returns("value if isinstance(value, Code | PyName) else str(value)"),
        PROMISES,
    ),
    "tools take any name": Mutant(
        "python/reserved.py", "", constant("TOOLS", "frozenset[str]()"), HOSTILE
    ),
    "fields take any name": Mutant(
        "python/reserved.py", "", constant("FIELDS", "frozenset[str]()"), HOSTILE
    ),
    "classes take any name": Mutant(
        "python/reserved.py", "", constant("CLASSES", "frozenset[str]()"), NAMES
    ),
    "names may be alike": Mutant(
        "python/names.py", "_contested", returns("set[str]()"), NAMES
    ),
    "a hash may be another's name": Mutant(
        "python/names.py", "separate", constant("used", "{*reserved}"), TAKEN
    ),
    "a spelling may be a hashed name": Mutant(
        "python/names.py", "_is_hashed", returns("False"), TAKEN
    ),
    "hashed names may be alike": Mutant(
        "python/names.py", "_ended", constant("taken", "used"), TAKEN
    ),
    "names for models may be another tool's": Mutant(
        "render/export_names.py",
        "export_names",
        gives("separate", "{wire: _base(wire) for wire in wires}"),
        "tests/hostile/test_model_names.py",
    ),
    "hashed names may be too long for models": Mutant(
        "python/names.py",
        "_hashed",
        constant("stem", "base[:52]"),
        "tests/hostile/test_model_names.py",
    ),
    "names that are made from a name may be taken": Mutant(
        "python/names.py",
        "_free",
        gives("reserved.isdisjoint", "n not in reserved"),
        TAKEN,
    ),
    "a tool that fails our check costs the others": Mutant(
        "pipeline/tool_files.py", "_make", gives("selfcheck.check", "[]"), TAKEN
    ),
    "models see every keyword": Mutant(
        "render/model_schema.py", "_cleaned", always("KNOWN"), PROMISES
    ),
    "models see hidden texts": Mutant(
        "render/model_schema.py", "_keyword", never("_FOR_MODELS"), PROMISES
    ),
    "the self-check finds nothing": Mutant(
        "pipeline/assemble.py", "_self_check", gives("selfcheck.check", "[]"), PROMISES
    ),
    "keys may stand twice": Mutant(
        "json_reader.py", "_object", always("members"), READER
    ),
    "numbers become nothing": Mutant(
        "json_reader.py", "_real", never("_NOT_ZERO"), READER
    ),
    "numbers are rounded in silence": Mutant(
        "json_reader.py", "_real", always("is_same"), READER
    ),
    "NaN is a value": Mutant(
        "json_reader.py",
        "_load",
        argument("json.loads", "parse_constant", "float"),
        READER,
    ),
    "half a character is one": Mutant(
        "json_reader.py", "_fault", gives("value.encode", "None"), READER
    ),
    "patterns of any size are used": Mutant(
        "runtime/validation/patterns.py", "_read", never("PATTERN_STATES"), PROMISES
    ),
    "any header is sent": Mutant(
        "runtime/protocol/headers.py",
        "header_params",
        never("_TOKEN.fullmatch"),
        PROMISES,
    ),
    "unions multiply": Mutant(
        "schema/compile.py", "_compile", always("more"), AMBIGUITY
    ),
    "residual validation asks again": Mutant(
        "runtime/validation/node.py",
        "SchemaNode.faults",
        always("self.shared"),
        RESIDUAL,
    ),
    "residual validation finds all faults": Mutant(
        "runtime/limits.py",
        "",
        constant("CHECK_FAULTS", "10**9"),
        f"{RESIDUAL} -k many_faults",
    ),
    "names that are needed cost nothing": Mutant(
        "runtime/validation/assertions.py",
        "_dependent.test",
        gives("run.spend", "None"),
        RESIDUAL,
    ),
    "references lead out": Mutant(
        "runtime/validation/references.py",
        "resolve",
        returns("(True, None)"),
        LIMIT_TESTS,
    ),
    "all faults are built": Mutant(
        "runtime/client/faults.py",
        "faults_of",
        always("limits.FAULTS"),
        "tests/runtime/test_binding.py",
    ),
    "all faults of an answer are kept": Mutant(
        "runtime/validation/bounded.py",
        "reader.read",
        never("_is_large"),
        "tests/runtime/validation/test_bounded.py",
    ),
    "malformed answers are awaited": Mutant(
        "runtime/protocol/inbox.py",
        "Inbox.blame",
        gives("box.put", "None"),
        "tests/runtime/test_stdio.py -k malformed",
    ),
    "header fields of HTTP/2 are logged": Mutant(
        "runtime/transport/log_redaction.py",
        "_drop",
        returns("True"),
        "tests/runtime/test_secrets.py -k http2",
    ),
    "numbers meet in one place of a table": Mutant(
        "runtime/json_values.py", "number_key", returns("value"), CHOSEN
    ),
    "all of a name is read": Mutant(
        "python/names.py", "", constant("_READ", "10**9"), CHOSEN
    ),
    "links are followed": Mutant("write/plan.py", "_current", never("S_ISLNK"), LINKS),
    "folders may be links": Mutant(
        "write/files.py", "folder_fault", never("S_ISLNK"), LINKS
    ),
    "what is foreign is replaced": Mutant(
        "write/plan.py", "_plan_wanted", never("ours"), WRITE
    ),
    "any path is a path": Mutant(
        "paths.py", "is_safe", returns("True"), f"{WRITE} tests/write/test_manifest.py"
    ),
    "two tools may share a name": Mutant(
        "recording/entries.py",
        "entries",
        never("kind"),
        "tests/recording/test_refused.py",
    ),
    "secrets are shown": Mutant(
        "recording/secrets.py",
        "mask",
        gives("sub", "text"),
        "tests/recording/test_secrets.py",
    ),
}
