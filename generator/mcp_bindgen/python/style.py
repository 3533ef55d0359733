"""The style in which the Python files of a package are laid out."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["OURS", "Style"]


@dataclass(frozen=True, slots=True, order=True)
class Style:
    """Options of black, with its own defaults.

    Example: `Style(line_length=100, preview=True)`.

    Attributes:
        line_length: Columns of a line.
        target_version: Versions of Python as black names them, as "py311"; () to let
            black find out.
        skip_string_normalization: Whether quotes stay as they are.
        skip_magic_trailing_comma: Whether a trailing comma does not hold lines apart.
        preview: Whether changes of black's next year are in use.
        unstable: Whether changes that black may take back are in use, too.
        enable_unstable_feature: Names of such changes.
        requires_python: The project's own versions of Python (PEP 440), of which
            black takes the target versions where the project names none.
    """

    line_length: int = 88
    target_version: tuple[str, ...] = ()
    skip_string_normalization: bool = False
    skip_magic_trailing_comma: bool = False
    preview: bool = False
    unstable: bool = False
    enable_unstable_feature: tuple[str, ...] = ()
    requires_python: str = ""

    def options(self) -> dict[str, object]:
        """Return the options that differ from black's, named as in pyproject.toml."""
        chosen = {k: v for k, v in asdict(self).items() if v != getattr(OURS, k)}
        return {name.replace("_", "-"): value for name, value in chosen.items()}


OURS = Style()
"""Our own layout, which is what black makes with no options: no file needs it."""
