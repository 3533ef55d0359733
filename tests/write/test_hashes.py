"""The hash of a text is made once, and is never that of another text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.texts import Texts
from mcp_bindgen.write.manifest import fingerprint, hash_in, hashes_of

PATHS = st.sampled_from(["a.py", "b.py", "c.json", "tools/a.py"])
GROUPS = st.lists(
    st.tuples(
        st.booleans(), st.sets(PATHS), st.dictionaries(PATHS, st.text(max_size=3))
    )
)


@given(GROUPS)
def test_a_hash_is_that_of_the_last_text(
    groups: list[tuple[bool, set[str], dict[str, str]]],
) -> None:
    files, plain = Texts.of(), dict[str, str]()
    for is_hashed, paths, group in groups:
        added = Texts.of(group)
        if is_hashed:
            for path in paths & group.keys():
                hash_in(added, path)
        for path in paths & plain.keys():
            hash_in(files, path)
        files = files | (added if is_hashed else group)
        plain |= group
    assert files == plain
    expected = {path: fingerprint(plain[path].encode()) for path in sorted(plain)}
    assert hashes_of(files) == hashes_of(plain) == expected
