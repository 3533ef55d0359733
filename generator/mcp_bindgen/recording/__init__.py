"""What a server listed: read, recorded, linted."""
