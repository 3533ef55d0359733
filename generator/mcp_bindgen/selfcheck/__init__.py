"""What a generated file may hold."""
