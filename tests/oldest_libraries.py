"""Use both example packages with the libraries of this Python: `scripts/oldest`.

Each model of each tool is built, and both servers are called over stdio. The first
argument is a Python that can run the servers.
"""

from __future__ import annotations

import asyncio
import json
import pkgutil
import sys
import uuid
from contextlib import suppress
from decimal import Decimal
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from threading import Barrier, Thread
from warnings import catch_warnings, simplefilter

import catalog
import todo
from catalog import InvalidArgumentsError
from catalog._runtime.agents.own import own
from catalog._runtime.client.binding import Binding, raw
from catalog._runtime.validation.bounded import reader
from catalog._runtime.validation.models import Model, to_json
from catalog._runtime.validation.scalars import MISSING, Integer, String
from pydantic import ValidationError

SERVERS = Path(__file__).parent / "servers"


def models_built(package: str) -> int:
    """Build each model of a package, and return their number."""
    bounded = import_module(f"{package}._runtime.validation.bounded")
    base = import_module(f"{package}._runtime.validation.models").Model
    tools = import_module(f"{package}.tools")
    number = 0
    for module in pkgutil.iter_modules(tools.__path__):
        names = vars(import_module(f"{package}.tools.{module.name}"))
        models = [one for one in names.values() if isinstance(one, type)]
        for model in models:
            if issubclass(model, base) and model.__module__.startswith(tools.__name__):
                bounded.reader(model)
                number += 1
    return number


class Item(Model):
    """A thing with a name."""

    name: str


def large_answer_read() -> None:
    """Read a large list of objects; of one that is wrong, one fault is reported."""
    read, faults = reader(list[Item]), 0
    right: list[dict[str, str]] = [{"name": "a"}] * 20_000
    wrong: list[dict[str, str]] = [{}] * 20_000
    assert read(right)[-1].name == "a"
    try:
        read(wrong)
    except ValidationError as error:
        faults = error.error_count()
    assert faults == 1


class Text(Model):
    """A text, perhaps with the one that it answers."""

    text: String
    size: Integer | MISSING = MISSING
    answers: Text | Image | MISSING = MISSING


class Image(Model):
    """An image."""

    width: Integer | MISSING = MISSING
    height: Integer | MISSING = MISSING


class Message(Model):
    """A message."""

    parts: list[Text | Image] | MISSING = MISSING
    first: Text | Image | MISSING | None = MISSING


def unions_dumped() -> None:
    """Dump members of unions, of which some fields are missing."""
    image = {"width": 1}
    message = {"parts": [{"text": "a", "answers": image}, image, {}], "first": image}
    read = Message.model_validate(message)
    with catch_warnings():  # pydantic 2.12 expects no missing field
        simplefilter("ignore")
        assert read.model_dump() == message
        assert json.loads(read.model_dump_json()) == message
    assert to_json({"sent": read}) == {"sent": message}


def faults_named() -> None:
    """Name what is wrong with arguments, and not that they could be missing."""
    binding = Binding("send", Text, raw)
    pointers: list[str] = []
    try:
        binding.prepare({"text": "a", "size": "b"})
    except InvalidArgumentsError as error:
        pointers = [fault.path for fault in error.faults]
    assert pointers == ["/size"], pointers


def first_used_at_once() -> None:
    """Use models that were never used in several threads at once."""
    name, errors = "catalog.tools.search_metadata", list[str]()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds: threads alternate within each step

    def use(barrier: Barrier, model: type[Model]) -> None:
        barrier.wait()
        try:
            with suppress(ValidationError):
                model.model_validate({"query": "a", "hits": []})
        except AttributeError as error:
            errors.append(str(error))

    for _ in range(100):
        sys.modules.pop(name, None)
        module, barrier = import_module(name), Barrier(8)
        models = [module.SearchMetadataArguments, module.SearchMetadataResult] * 4
        threads = [Thread(target=use, args=(barrier, model)) for model in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    sys.setswitchinterval(before)
    assert errors == []


def price(amount: Decimal) -> str:
    """Tell a price."""
    return str(Decimal(amount))


def own_tools_described() -> None:
    """Describe a function to models, without a pattern that OpenAI refuses."""
    (tool,) = own(price)
    assert "(?" not in json.dumps(tool.info.schema), tool.info.schema


def called(python: str) -> None:
    """Call tools, a resource and a prompt of both servers."""
    with catalog.Client.stdio([python, str(SERVERS / "catalog"), "stdio"]) as client:
        hits = client.search_metadata(query="sales", size=2).hits
        assert [hit.name for hit in hits], hits
        assert client.verify() == []
    user = uuid.uuid4()
    with todo.Client.stdio([python, str(SERVERS / "todo"), "stdio"]) as client:
        assert client.add_task(user_id=user, title="x").title == "x"
        assert client.read_resource(todo.Resource.GUIDE).text
        assert client.plan_day(user_id=str(user), focus="home").messages


async def called_async(python: str) -> None:
    """Call a tool of the catalog."""
    command = [python, str(SERVERS / "catalog"), "stdio"]
    async with catalog.AsyncClient.stdio(command) as client:
        assert (await client.search_metadata(query="sales")).hits


def main() -> None:
    """Print the versions and the number of models."""
    numbers = [models_built(package) for package in ("catalog", "todo")]
    large_answer_read()
    unions_dumped()
    faults_named()
    own_tools_described()
    first_used_at_once()
    called(sys.argv[1])
    asyncio.run(called_async(sys.argv[1]))
    versions = ", ".join(f"{name} {version(name)}" for name in ("pydantic", "httpx"))
    sys.stdout.write(f"{versions}: {sum(numbers)} models, 2 servers\n")


if __name__ == "__main__":
    main()
