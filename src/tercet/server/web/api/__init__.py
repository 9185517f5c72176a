"""The HTTP API. Bodies and answers are the types of `tercet.server.protocol`."""
