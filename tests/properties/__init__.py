"""What must hold of any input, tried on random ones."""
