"""Python source from untrusted text, and the self-check of rendered files."""
