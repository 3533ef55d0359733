"""Records live servers; reads, checks and lints recordings."""
