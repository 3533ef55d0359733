"""Each limit, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.mutant import Mutant

__all__ = ["LIMITS"]

LIMIT_TESTS = "tests/hostile/test_limits.py"

LIMITS = {
    "no limit of bytes": Mutant(
        "json_reader.py",
        "    if len(data) > limits.bytes:",
        "    if False:",
        "tests/json_text/test_reader.py",
    ),
    "no limit of nodes": Mutant(
        "json_reader.py",
        "        if nodes > limits.nodes:",
        "        if False:",
        "tests/json_text/test_reader.py",
    ),
    "no limit of depth": Mutant(
        "json_reader.py",
        "            if depth == limits.depth + 1:\n                begin",
        "            if False:\n                begin",
        "tests/json_text/test_reader.py",
    ),
    "no limit of depth with references": Mutant(
        "schema/context.py",
        "        if self.depth > self.limits.depth:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of steps": Mutant(
        "schema/context.py",
        "        if self.steps > self.allowed_steps:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of what is compared": Mutant(
        "schema/compiler.py",
        "        context.spend(part_location, compared(result, schema))\n",
        "        context.spend(part_location)\n",
        LIMIT_TESTS,
    ),
    "no limit of time": Mutant(
        "deadline.py",
        "        if left < 0:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of time of lint": Mutant(
        "recording/lint.py",
        "    tick = deadline(limits.seconds)",
        "    tick = deadline(10**9)",
        "tests/recording/test_lint.py",
    ),
    "no limit of time of record": Mutant(
        "deadline.py",
        "    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), 1)\n",
        "",
        "tests/recording/test_recorder.py",
    ),
    "no limit of what record keeps": Mutant(
        "recording/recorder.py",
        "    if nodes < 0 or size < 0:",
        "    if False:",
        "tests/recording/test_recorder.py",
    ),
    "no limit of values in a message": Mutant(
        "runtime/strict_json.py",
        "            _refuse_many(text)\n",
        "            pass\n",
        "tests/recording/test_recorder.py",
    ),
    "no limit of findings": Mutant(
        "recording/lint.py",
        "    if len(kept) > limits.faults:",
        "    if False:",
        "tests/recording/test_lint.py",
    ),
    "forms go back over what they read": Mutant(
        "recording/lint_patterns.py",
        "instead of|whenever)\\s++",
        "instead of|whenever)\\s+",
        "tests/recording/test_lint.py",
    ),
    "no limit of time of other processes": Mutant(
        "pipeline/chunks.py",
        "        self.tick(seconds)\n",
        "",
        LIMIT_TESTS,
    ),
    "no limit of time of all chunks": Mutant(
        "pipeline/chunks.py",
        "granted.append(share * (self.tick() - sum(self.granted)))",
        "granted.append(self.tick())",
        LIMIT_TESTS,
    ),
    "no limit of time of a chunk": Mutant(
        "pipeline/chunks.py",
        "work = Work(limits, deadline(share))",
        "work = Work(limits, deadline(limits.seconds))",
        LIMIT_TESTS,
    ),
    "no limit of what a tool adds": Mutant(
        "pipeline/tool_files.py",
        "    if part.weight > work.limits.tool_made:",
        "    if False:",
        LIMIT_TESTS,
    ),
    "no limit of a tool's text": Mutant(
        "pipeline/tool_files.py",
        "    if len(canonical(order.raw)) > work.limits.tool_made:",
        "    if False:",
        LIMIT_TESTS,
    ),
    "no limit of what types print": Mutant(
        "schema/size.py",
        "        if total > limit or printed > limits.tool_made:",
        "        if total > limit:",
        LIMIT_TESTS,
    ),
    "no limit of what all tools add": Mutant(
        "pipeline/tool_files.py",
        "    if weight > limits.made:",
        "    if False:",
        LIMIT_TESTS,
    ),
    "no limit of keys together": Mutant(
        "schema/size.py",
        "        if len(pointer) > _KEYS * limits.name:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of what types weigh": Mutant(
        "schema/size.py",
        "        if total > limit or printed > limits.tool_made:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of patterns": Mutant(
        "schema/size.py",
        "        if needed > limits.states:",
        "        if False:",
        LIMIT_TESTS,
    ),
    "no limit of properties": Mutant(
        "schema/size.py",
        "            if number > limits.properties:",
        "            if False:",
        LIMIT_TESTS,
    ),
    "no limit of branches": Mutant(
        "schema/unions.py",
        "count > context.limits.branches",
        "False",
        LIMIT_TESTS,
    ),
    "no limit of branches within branches": Mutant(
        "schema/context.py",
        "len(expr.members) > self.limits.branches",
        "False",
        LIMIT_TESTS,
    ),
    "no limit of an enum": Mutant(
        "schema/scalars.py",
        "    if len(values) > context.limits.enum:",
        "    if False:",
        LIMIT_TESTS,
    ),
    "no limit of a tool": Mutant(
        "recording/entries.py",
        "    if (nodes := count(item)) > limits.tool_nodes:",
        "    if (nodes := 0):",
        LIMIT_TESTS,
    ),
    "no limit of tools": Mutant(
        "recording/mismatch.py",
        "    if len(items) > limits.tools:",
        "    if False:",
        LIMIT_TESTS,
    ),
    "no limit of names": Mutant(
        "recording/entries.py",
        "    elif not 0 < len(name) <= limits.name:",
        "    elif False:",
        LIMIT_TESTS,
    ),
}
