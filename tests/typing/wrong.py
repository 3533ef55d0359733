"""Calls that must be rejected; above each, the rules of mypy / those of pyright."""

from __future__ import annotations

from datetime import date
from typing import Final
from uuid import UUID

import enums
import names
import nested
import no_arguments
import results
import scalars
import todo
import unions
from nested.tools.draw import Circle
from todo import MISSING
from todo.openai import executor

client = todo.Client.stdio(["server"])
tasks = todo.AsyncClient.stdio(["server"])
others = enums.Client.stdio(["server"])
TASK: Final = todo.ResourceTemplate.TASK

# A required argument is missing.
# rejected: call-arg / reportCallIssue
client.add_task(user_id="u")

# There is no such argument.
# rejected: call-arg / reportCallIssue
client.add_task(user_id="u", title="t", tittle="t")

# The name on the wire is not the name in Python.
# rejected: call-arg / reportCallIssue
names.Client.stdio(["server"]).get_http_status(URL="u")

# Arguments have names.
# rejected: call-arg / reportCallIssue
client.add_task("u", "t")

# Another type.
# rejected: arg-type / reportArgumentType
client.update_task(user_id="u", task_id="1")

# A date where the format says date and time, and a class where no format says so.
# rejected: arg-type / reportArgumentType
scalars.Client.stdio(["server"]).strings(c=date(2026, 1, 31))
# rejected: arg-type / reportArgumentType
scalars.Client.stdio(["server"]).strings(a=UUID(int=1))

# Null where the schema has none.
# rejected: arg-type / reportArgumentType
client.update_task(user_id="u", task_id=1, title=None)

# Absent where the argument is required.
# rejected: arg-type / reportArgumentType
client.add_task(user_id="u", title=MISSING)

# A value that is not listed.
# rejected: arg-type / reportArgumentType
client.list_tasks(user_id="u", status="closed")

# An element that is not listed.
# rejected: list-item / reportArgumentType
others.sort(columns=["name", "colour"])

# A number where only some are listed.
# rejected: arg-type / reportArgumentType
others.set_state(state="open", level=4)

# A value of a long list that is none of it.
# rejected: arg-type / reportArgumentType
others.pick_country(country="ZZ")

# A plain dictionary where there is a class.
# rejected: arg-type / reportArgumentType
nested.Client.stdio(["server"]).draw(shape={"members": []})

# A field that the class has not got.
# rejected: call-arg / reportCallIssue
Circle(radius=1, colour="red")

# A required field is missing.
# rejected: call-arg / reportCallIssue
Circle()

# A number deep in a type that holds itself.
# rejected: dict-item / reportArgumentType
nested.Client.stdio(["server"]).filter_(where={"a": 1})

# None of the classes of a union.
# rejected: list-item / reportArgumentType
unions.Client.stdio(["server"]).discriminated(pets=["cat"])

# An attribute that results have not got.
# rejected: attr-defined / reportAttributeAccessIssue, reportUnknownMemberType
client.list_tasks(user_id="u").task

# What may be absent must be looked at first.
# rejected: union-attr / reportAttributeAccessIssue, reportUnknownMemberType
results.Client.stdio(["server"]).get_user(id=1).manager.id

# What may be null must be looked at first.
# rejected: union-attr / reportOptionalMemberAccess
results.Client.stdio(["server"]).maybe().found

# A tool that the server has not got.
# rejected: attr-defined / reportAttributeAccessIssue, reportUnknownMemberType
client.remove_task(user_id="u", task_id=1)

# A function of the package takes its client.
# rejected: call-arg / reportCallIssue
todo.delete_task(user_id="u", task_id=1)

# The blocking client in place of the other.
# rejected: arg-type, unused-coroutine / reportArgumentType
todo.delete_task_async(client, user_id="u", task_id=1)

# An answer that nobody waits for.
# rejected: attr-defined / reportAttributeAccessIssue, reportUnknownMemberType
tasks.list_tasks(user_id="u").tasks

# A tool without arguments.
# rejected: call-arg / reportCallIssue
no_arguments.Client.stdio(["server"]).ping_(when="now")

# A name that the package has not got.
# rejected: attr-defined / reportAttributeAccessIssue, reportUnknownMemberType
todo.Clients

# What is no function.
# rejected: arg-type / reportArgumentType
todo.own("greet")

# An executor takes a name and arguments.
# rejected: call-arg / reportCallIssue
executor(client)("add_task")

# An argument of another prompt, and one that the server has not got.
# rejected: call-overload / reportArgumentType, reportCallIssue
client.complete("tone", prompt=todo.Prompt.PLAN_DAY)
# rejected: call-overload / reportArgumentType, reportCallIssue
client.complete("user", template=TASK)

# The same where another argument is chosen, and for tasks.
# rejected: call-overload / reportArgumentType, reportCallIssue
client.complete("tone", prompt=todo.Prompt.REVIEW_WEEK, others={"user": "u"})
# rejected: call-overload / reportArgumentType, reportCallIssue
tasks.complete("tone", prompt=todo.Prompt.PLAN_DAY)

# A template in place of a prompt, both, and neither.
# rejected: call-overload / reportArgumentType, reportCallIssue
client.complete("user_id", prompt=TASK)
# rejected: call-overload / reportCallIssue
client.complete("user_id", prompt=todo.Prompt.PLAN_DAY, template=TASK)
# rejected: call-overload / reportCallIssue
client.complete("user_id")

# A list where a template takes text, and a number where a prompt does.
# rejected: arg-type / reportArgumentType
client.open_tasks(user_id=["u"])
# rejected: arg-type / reportArgumentType
client.plan_day(user_id=1)

# A required argument of a template and of a prompt is missing.
# rejected: call-arg / reportCallIssue
client.task(user_id="u")
# rejected: call-arg / reportCallIssue
client.plan_day(focus="home")
