"""The drivers: HTTP and stdio, blocking and async."""
