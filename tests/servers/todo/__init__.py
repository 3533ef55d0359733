"""A to-do list that keeps nothing between two calls but its database."""
