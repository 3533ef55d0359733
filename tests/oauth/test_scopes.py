"""Which scopes a login requests: those of the server, of the user, and later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.errors import AuthError, LoginRequiredError
from mcp_bindgen.runtime.transport.oauth.auth import OAuth
from mcp_bindgen.runtime.transport.oauth.stores import MemoryStore

from tests.oauth.fake import browse
from tests.oauth.logins import listed, logged_in

if TYPE_CHECKING:
    from tests.oauth.fake import Fake

PLACES = (
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource",
)


def granting_all(fake: Fake) -> None:
    """Give each token the scopes of the last authorization."""
    fake.answers["/token"] = lambda params: fake.tokens(
        {**params, "scope": fake.last("/authorize").get("scope", "")}
    )


def test_scopes_of_the_user_are_all_that_is_requested(fake: Fake) -> None:
    granting_all(fake)
    fake.needed = "read admin"
    with pytest.raises(AuthError, match=r"(?s)HTTP 403.*'read admin'"):
        logged_in(fake, scopes=["read"])
    assert fake.count("/authorize") == 1
    assert fake.last("/authorize")["scope"] == "read"


def test_scopes_that_the_user_adds_later_are_requested(fake: Fake) -> None:
    granting_all(fake)
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse, scopes=["read"]))
    fake.needed = "read admin"
    listed(fake, OAuth(store=store, on_login=browse, scopes=["read", "admin"]))
    assert fake.count("/authorize") == 2
    assert fake.last("/authorize")["scope"] == "read admin"


def test_a_program_without_a_person_leaves_the_scopes_to_the_next_login(
    fake: Fake,
) -> None:
    granting_all(fake)
    fake.resource["scopes_supported"] = ["read"]
    store = MemoryStore()
    listed(fake, OAuth(store=store, on_login=browse))
    fake.needed = "read admin"
    with pytest.raises(LoginRequiredError, match="with the scopes read admin"):
        listed(fake, OAuth(store=store, on_login=None))
    OAuth(store=store, on_login=browse).login(fake.url)
    assert fake.last("/authorize")["scope"] == "read admin"
    listed(fake, OAuth(store=store, on_login=None))


def test_a_login_may_learn_from_the_refusal_of_a_request(fake: Fake) -> None:
    """The metadata may lie elsewhere, and the refusal names fewer scopes."""
    elsewhere = {**fake.resource, "scopes_supported": ["all", "of", "them"]}
    fake.challenge = f'resource_metadata="{fake.origin}/elsewhere", scope="read"'
    fake.answers["/elsewhere"] = lambda _: (200, elsewhere)
    for path in PLACES:
        fake.answers[path] = lambda _: (404, {})
    auth = OAuth(store="memory", on_login=browse)
    assert auth.login(fake.url, probe=True) == fake.origin
    assert fake.last("/authorize")["scope"] == "read"
    assert fake.last("/mcp") == {"token": ""}


def test_a_server_that_refuses_nothing_is_logged_in_by_its_metadata(fake: Fake) -> None:
    fake.resource["scopes_supported"] = ["read"]
    fake.good[""] = ""
    OAuth(store="memory", on_login=browse).login(fake.url, probe=True)
    assert fake.last("/authorize")["scope"] == "read"
