"""What a hostile or broken server does; run as a program, this is that server."""
