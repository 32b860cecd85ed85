"""One hall on several nodes (0071): one leads and runs it, the others stand by and pass every connection on to it."""
