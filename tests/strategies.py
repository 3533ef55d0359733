"""Random JSON values, and random schemas of both drafts that speak of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["HOMES", "NAMES", "VALUES", "documents"]

DRAFT_7 = "http://json-schema.org/draft-07/schema#"

NAMES = st.sampled_from(["a", "b", "ab", "c"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 4)
    | st.sampled_from([0.0, 1.0, 1.5, -2.0, 0.1, 1e16, "", "a", "b", "ab", "é", "1"])
)
EMPTY: dict[str, Any] = {}
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
TYPES = ["string", "integer", "number", "boolean", "null", "object", "array"]
COUNT = st.integers(0, 3)
PATTERN = st.sampled_from(["^a", "b$", "^[ab]+$", r"\w", r"^\d", "a|c", "."])


def keywords(inner: st.SearchStrategy[Any], refs: list[str]) -> dict[str, Any]:
    """Return, for each keyword, a strategy for its value."""
    some = st.lists(inner, min_size=1, max_size=3)
    table = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, max_size=2, unique=True)
    number = st.sampled_from([-1, 0, 1, 2, 1.5, 0.1])
    words: dict[str, Any] = {
        "type": st.sampled_from(TYPES)
        | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 1.5]),
        "pattern": PATTERN,
        "required": names,
        "uniqueItems": st.booleans(),
        "properties": table,
        "patternProperties": st.dictionaries(PATTERN, inner, max_size=2),
    }
    words |= dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number
    )
    words |= dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), COUNT)
    words |= dict.fromkeys(("minProperties", "maxProperties"), COUNT)
    words |= dict.fromkeys(("additionalProperties", "propertyNames"), inner)
    words |= dict.fromkeys(("contains", "not", "if", "then", "else"), inner)
    words |= dict.fromkeys(("allOf", "anyOf", "oneOf"), some)
    return words | ({"$ref": st.sampled_from(refs)} if refs else {})


def schemas(refs: list[str], *, draft_7: bool) -> st.SearchStrategy[Any]:
    """Return a strategy for schemas that may follow the given references."""

    def bigger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        words = keywords(inner, refs)
        some = st.lists(inner, min_size=1, max_size=3)
        table = st.dictionaries(NAMES, inner, max_size=2)
        lists = st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True))
        if draft_7:
            words |= {"items": inner | some, "additionalItems": inner}
            words |= {"dependencies": table | lists}
        else:
            words |= {"items": inner, "prefixItems": some}
            words |= {"minContains": COUNT, "maxContains": COUNT}
            words |= {"dependentSchemas": table, "dependentRequired": lists}
            words |= {"unevaluatedItems": inner, "unevaluatedProperties": inner}
        return st.lists(
            st.sampled_from(sorted(words)), max_size=4, unique=True
        ).flatmap(lambda keys: st.fixed_dictionaries({k: words[k] for k in keys}))

    return st.recursive(st.booleans() | st.just(EMPTY), bigger, max_leaves=6)


# Where definitions stand: in their keyword, in groups of it, and in no keyword at all.
HOMES = ("$defs", "definitions", "$defs/v1", "definitions/a~1b", "components/schemas")


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a schema of either draft whose definitions refer to later ones only."""
    draft_7 = draw(st.booleans())
    homes = draw(st.lists(st.sampled_from(HOMES), min_size=3, max_size=3))
    refs = [f"#/{home}/d{index}" for index, home in enumerate(homes)]
    body = draw(schemas(refs, draft_7=draft_7).filter(lambda s: isinstance(s, dict)))
    document = {**body, **({"$schema": DRAFT_7} if draft_7 else {})}
    for index, home in enumerate(homes):
        group: dict[str, Any] = document
        for step in home.split("/"):
            group = group.setdefault(step.replace("~1", "/"), {})
        group[f"d{index}"] = draw(schemas(refs[index + 1 :], draft_7=draft_7))
    return document
