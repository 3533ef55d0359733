"""OAuth: threats by a server of our own; real servers by scripts/oauth."""
