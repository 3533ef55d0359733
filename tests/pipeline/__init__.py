"""One recording to one package; the cache, processes, a cluster."""
