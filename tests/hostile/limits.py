"""Each limit, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.mutant import Mutant

__all__ = ["LIMITS"]

BUDGETS = "tests/hostile/test_budgets.py"

LIMITS = {
    "no limit of bytes": Mutant(
        "json_reader.py",
        "    if len(data) > budget.bytes:",
        "    if False:",
        "tests/test_intake.py",
    ),
    "no limit of nodes": Mutant(
        "json_reader.py",
        "        if nodes > budget.nodes:",
        "        if False:",
        "tests/test_intake.py",
    ),
    "no limit of depth": Mutant(
        "json_reader.py",
        "            if depth == budget.depth + 1:\n                begin",
        "            if False:\n                begin",
        "tests/test_intake.py",
    ),
    "no limit of depth with references": Mutant(
        "schema/context.py",
        "        if self.level > self.budget.depth:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of steps": Mutant(
        "schema/context.py",
        "        if self.steps > self.allowed:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of what is compared": Mutant(
        "schema/compiler.py",
        "        state.spend(spot, compared(result, member))\n",
        "        state.spend(spot)\n",
        BUDGETS,
    ),
    "no limit of time": Mutant(
        "deadline.py",
        "        if left < 0:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of time of lint": Mutant(
        "recording/lint.py",
        "    tick = deadline(budget.seconds)",
        "    tick = deadline(10**9)",
        "tests/test_lint.py",
    ),
    "no limit of time of record": Mutant(
        "deadline.py",
        "    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), 1)\n",
        "",
        "tests/test_record.py",
    ),
    "no limit of what record keeps": Mutant(
        "recording/recorder.py",
        "    if nodes < 0 or size < 0:",
        "    if False:",
        "tests/test_record.py",
    ),
    "no limit of values in a message": Mutant(
        "runtime/strict_json.py",
        "            _refuse_many(text)\n",
        "            pass\n",
        "tests/test_record.py",
    ),
    "no limit of findings": Mutant(
        "recording/lint.py",
        "    if len(kept) > budget.faults:",
        "    if False:",
        "tests/test_lint.py",
    ),
    "forms go back over what they read": Mutant(
        "recording/lint_patterns.py",
        "instead of|whenever)\\s++",
        "instead of|whenever)\\s+",
        "tests/test_lint.py",
    ),
    "no limit of time of other processes": Mutant(
        "pipeline/chunks.py",
        "        self.tick(seconds)\n",
        "",
        BUDGETS,
    ),
    "no limit of time of all chunks": Mutant(
        "pipeline/chunks.py",
        "granted.append(share * (self.tick() - sum(self.granted)))",
        "granted.append(self.tick())",
        BUDGETS,
    ),
    "no limit of time of a chunk": Mutant(
        "pipeline/chunks.py",
        "work = Work(budget, deadline(share))",
        "work = Work(budget, deadline(budget.seconds))",
        BUDGETS,
    ),
    "no limit of what a tool adds": Mutant(
        "pipeline/tool_files.py",
        "    if part.weight > work.budget.tool_made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of a tool's text": Mutant(
        "pipeline/tool_files.py",
        "    if len(canonical(order.raw)) > work.budget.tool_made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of what types print": Mutant(
        "schema/size.py",
        "        if total > limit or printed > budget.tool_made:",
        "        if total > limit:",
        BUDGETS,
    ),
    "no limit of what all tools add": Mutant(
        "pipeline/tool_files.py",
        "    if weight > budget.made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of keys together": Mutant(
        "schema/size.py",
        "        if len(pointer) > _KEYS * budget.name:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of what types weigh": Mutant(
        "schema/size.py",
        "        if total > limit or printed > budget.tool_made:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of patterns": Mutant(
        "schema/size.py",
        "        if needed > budget.states:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of properties": Mutant(
        "schema/size.py",
        "            if number > budget.properties:",
        "            if False:",
        BUDGETS,
    ),
    "no limit of branches": Mutant(
        "schema/unions.py",
        "len(branches) > state.budget.branches",
        "False",
        BUDGETS,
    ),
    "no limit of branches within branches": Mutant(
        "schema/context.py",
        "len(expr.members) > self.budget.branches",
        "False",
        BUDGETS,
    ),
    "no limit of an enum": Mutant(
        "schema/scalars.py",
        "    if len(unique) > state.budget.enum:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of a tool": Mutant(
        "recording/entries.py",
        "    if (nodes := count(item)) > budget.tool_nodes:",
        "    if (nodes := 0):",
        BUDGETS,
    ),
    "no limit of tools": Mutant(
        "recording/entries.py",
        "    if len(items) > budget.tools:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of names": Mutant(
        "recording/entries.py",
        "    elif len(name) > budget.name:",
        "    elif False:",
        BUDGETS,
    ),
}
