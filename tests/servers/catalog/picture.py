"""The picture of the catalog server: a lineage of three boxes, as PNG in base64."""

__all__ = ["PICTURE"]

PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAABgAAAAMCAAAAABdWyKpAAAAKElEQVR42mP4jwMwkC4BAXAWQogB"
    "pg+NwcAA14fOwK8DmwQuy6nnQQBP8t0js2YIxAAAAABJRU5ErkJggg=="
)
