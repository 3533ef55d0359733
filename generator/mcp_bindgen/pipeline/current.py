"""Compares a package on the disk with the files that generation would write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date
from mcp_bindgen.pipeline.generate import try_job
from mcp_bindgen.write.existing import with_existing_version
from mcp_bindgen.write.write import check

if TYPE_CHECKING:
    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["is_current"]


def is_current(job: Job, data: bytes, cache: Cache | None) -> bool:
    """Return whether nothing would change if the package was generated.

    Args:
        job: The package.
        data: The bytes of its recording.
        cache: The entries of earlier runs, which spare the work; None for no cache.
    """
    job = replace(job, data=data)
    if cache and up_to_date.recall(cache, job):
        return True
    package = try_job(job)
    if isinstance(package, BindgenError):
        return False
    try:
        files = with_existing_version(package.files, job.folder)
        return not check(files, job.folder)
    except BindgenError:
        return False
