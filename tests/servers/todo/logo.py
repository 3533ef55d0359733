"""The picture of the todo server: a tick of 16 by 16 pixels, as PNG in base64."""

__all__ = ["LOGO"]

LOGO = (
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAL0lEQVR42mP4jwYYKBZgQBNg"
    "QFPBgKaFAc0MBoQqZCkIG8kwqDoGBjR3YAiQ4hcAo3TvEUTRFQcAAAAASUVORK5CYII="
)
