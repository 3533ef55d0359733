"""Models of other kinds: what is made, what is left out, and how exact it is."""
