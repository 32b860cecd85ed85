"""HTTP, the socket, the messages on it, and the files of the client."""
