"""Each limit, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.changes import gives, never, returns, text
from tests.hostile.mutant import Mutant

__all__ = ["LIMITS", "LIMIT_TESTS", "READER"]

LIMIT_TESTS = "tests/hostile/test_limits.py tests/hostile/test_time_limits.py"
READER = "tests/json_text/test_reader.py"
LINT = "tests/recording/test_lint.py"
RECORDER = "tests/recording/test_recorder.py"

LIMITS = {
    "no limit of bytes": Mutant(
        "json_reader.py", "parse_leniently", never("limits.bytes"), READER
    ),
    "no limit of nodes": Mutant(
        "json_reader.py", "_cut", never("limits.nodes"), READER
    ),
    "no limit of depth": Mutant(
        "json_reader.py", "_cut", never("limits.depth"), READER
    ),
    "no limit of depth with references": Mutant(
        "schema/context.py", "CompileContext.enter", never("limits.depth"), LIMIT_TESTS
    ),
    "no limit of steps": Mutant(
        "schema/context.py", "CompileContext.spend", never("allowed_steps"), LIMIT_TESTS
    ),
    "no limit of what is compared": Mutant(
        "schema/all_of.py", "merge_all", gives("_compared", "0"), LIMIT_TESTS
    ),
    "no limit of time": Mutant(
        "deadline.py", "Deadline.check", never("self._end"), LIMIT_TESTS
    ),
    "no limit of time of all batches": Mutant(
        "pipeline/parts.py", "within_limits", never("limits.seconds"), LIMIT_TESTS
    ),
    "no limit of steps of a tool": Mutant(
        "limits.py", "Budget.spend", never("limits.steps"), LIMIT_TESTS
    ),
    "no limit of steps of all tools": Mutant(
        "pipeline/parts.py", "within_limits", never("limits.steps"), LIMIT_TESTS
    ),
    "patterns cost no steps": Mutant(
        "schema/size.py", "weigh_schema", gives("budget.spend", "None"), LIMIT_TESTS
    ),
    "types of unions cost no steps": Mutant(
        "schema/union_cost.py",
        "_Graph.candidates",
        gives("budget.spend", "None"),
        LIMIT_TESTS,
    ),
    "what is written costs no steps": Mutant(
        "pipeline/tool_files.py", "_make", gives("budget.spend", "None"), LIMIT_TESTS
    ),
    "no limit of time of lint": Mutant(
        "recording/lint.py", "lint", gives("Deadline", "Deadline(10**9)"), LINT
    ),
    "no limit of time of record": Mutant(
        "deadline.py", "stopped_after", gives("signal.setitimer", "None"), RECORDER
    ),
    "no limit of what record keeps": Mutant(
        "recording/server_lists.py", "spend", returns("(nodes, size)"), RECORDER
    ),
    "no limit of values in a message": Mutant(
        "runtime/strict_json.py", "loads", gives("_refuse_many", "None"), RECORDER
    ),
    "no limit of findings": Mutant(
        "recording/lint.py", "_at_most", never("limits.faults"), LINT
    ),
    "forms go back over what they read": Mutant(
        "runtime/client/policy/suspicions.py", "", text("++", "+"), LINT
    ),
    "no limit of what a tool adds": Mutant(
        "pipeline/tool_files.py", "_make", never("made.characters"), LIMIT_TESTS
    ),
    "no limit of a tool's text": Mutant(
        "pipeline/tool_files.py", "_with_samples", never("tool_made"), LIMIT_TESTS
    ),
    "no limit of what all tools add": Mutant(
        "pipeline/parts.py", "within_limits", never("limits.made"), LIMIT_TESTS
    ),
    "no limit of what types print": Mutant(
        "schema/size.py", "weigh_types", never("printed"), LIMIT_TESTS
    ),
    "no limit of what types weigh": Mutant(
        "schema/size.py", "weigh_types", never("total"), LIMIT_TESTS
    ),
    "no limit of keys together": Mutant(
        "schema/size.py", "weigh_schema", never("limits.name"), LIMIT_TESTS
    ),
    "no limit of patterns": Mutant(
        "schema/size.py", "weigh_schema", never("limits.states"), LIMIT_TESTS
    ),
    "no limit of properties": Mutant(
        "schema/size.py", "weigh_schema", never("limits.properties"), LIMIT_TESTS
    ),
    "no limit of branches": Mutant(
        "schema/unions.py", "_is_beyond_types", never("limits.branches"), LIMIT_TESTS
    ),
    "no limit of branches within branches": Mutant(
        "schema/context.py",
        "CompileContext.either",
        never("limits.branches"),
        LIMIT_TESTS,
    ),
    "no limit of an enum": Mutant(
        "schema/scalars.py", "compile_enum", never("limits.enum"), LIMIT_TESTS
    ),
    "no limit of a tool": Mutant(
        "recording/entries.py", "_faults", never("limits.tool_nodes"), LIMIT_TESTS
    ),
    "no limit of tools": Mutant(
        "recording/mismatch.py", "refuse_too_many", never("limits.tools"), LIMIT_TESTS
    ),
    "no limit of names": Mutant(
        "recording/entries.py", "_faults", never("limits.name"), LIMIT_TESTS
    ),
}
