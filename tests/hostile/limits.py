"""Each limit, how to turn it off, and the tests that must notice."""

from __future__ import annotations

from tests.hostile.mutant import Mutant

__all__ = ["LIMITS"]

BUDGETS = "tests/hostile/test_budgets.py"

LIMITS = {
    "no limit of bytes": Mutant(
        "intake.py",
        "    if len(data) > budget.bytes:",
        "    if False:",
        "tests/test_intake.py",
    ),
    "no limit of nodes": Mutant(
        "intake.py",
        "        if nodes > budget.nodes:",
        "        if False:",
        "tests/test_intake.py",
    ),
    "no limit of depth": Mutant(
        "intake.py",
        "            if depth == budget.depth + 1:\n                begin",
        "            if False:\n                begin",
        "tests/test_intake.py",
    ),
    "no limit of depth with references": Mutant(
        "state.py",
        "        if self.level > self.budget.depth:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of steps": Mutant(
        "state.py",
        "        if self.steps > self.allowed:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of what is compared": Mutant(
        "types.py",
        "        state.spend(spot, compared(result, member))\n",
        "        state.spend(spot)\n",
        BUDGETS,
    ),
    "no limit of time": Mutant(
        "clock.py",
        "        if left < 0:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of time of lint": Mutant(
        "lint.py",
        "    tick = deadline(budget.seconds)",
        "    tick = deadline(10**9)",
        "tests/test_lint.py",
    ),
    "no limit of time of record": Mutant(
        "clock.py",
        "    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), 1)\n",
        "",
        "tests/test_record.py",
    ),
    "no limit of what record keeps": Mutant(
        "record.py",
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
        "lint.py",
        "    if len(kept) > budget.faults:",
        "    if False:",
        "tests/test_lint.py",
    ),
    "forms go back over what they read": Mutant(
        "suspicions.py",
        "instead of|whenever)\\s++",
        "instead of|whenever)\\s+",
        "tests/test_lint.py",
    ),
    "no limit of time of other processes": Mutant(
        "chunks.py",
        "        self.tick(seconds)\n",
        "",
        BUDGETS,
    ),
    "no limit of time of all chunks": Mutant(
        "chunks.py",
        "granted.append(share * (self.tick() - sum(self.granted)))",
        "granted.append(self.tick())",
        BUDGETS,
    ),
    "no limit of time of a chunk": Mutant(
        "chunks.py",
        "work = Work(budget, deadline(share))",
        "work = Work(budget, deadline(budget.seconds))",
        BUDGETS,
    ),
    "no limit of what a tool adds": Mutant(
        "part.py",
        "    if part.weight > work.budget.tool_made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of a tool's text": Mutant(
        "part.py",
        "    if len(canonical(order.raw)) > work.budget.tool_made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of what types print": Mutant(
        "weigh.py",
        "        if total > limit or printed > budget.tool_made:",
        "        if total > limit:",
        BUDGETS,
    ),
    "no limit of what all tools add": Mutant(
        "part.py",
        "    if weight > budget.made:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of keys together": Mutant(
        "weigh.py",
        "        if len(pointer) > _KEYS * budget.name:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of what types weigh": Mutant(
        "weigh.py",
        "        if total > limit or printed > budget.tool_made:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of patterns": Mutant(
        "weigh.py",
        "        if needed > budget.states:",
        "        if False:",
        BUDGETS,
    ),
    "no limit of properties": Mutant(
        "weigh.py",
        "            if number > budget.properties:",
        "            if False:",
        BUDGETS,
    ),
    "no limit of branches": Mutant(
        "alternatives.py",
        "len(branches) > state.budget.branches",
        "False",
        BUDGETS,
    ),
    "no limit of branches within branches": Mutant(
        "state.py",
        "len(expr.members) > self.budget.branches",
        "False",
        BUDGETS,
    ),
    "no limit of an enum": Mutant(
        "leaves.py",
        "    if len(unique) > state.budget.enum:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of a tool": Mutant(
        "shape.py",
        "    if (nodes := count(item)) > budget.tool_nodes:",
        "    if (nodes := 0):",
        BUDGETS,
    ),
    "no limit of tools": Mutant(
        "shape.py",
        "    if len(items) > budget.tools:",
        "    if False:",
        BUDGETS,
    ),
    "no limit of names": Mutant(
        "shape.py",
        "    elif len(name) > budget.name:",
        "    elif False:",
        BUDGETS,
    ),
}
