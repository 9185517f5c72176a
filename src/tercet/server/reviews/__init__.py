"""Reviews of finished games: what is kept of them (`kept`), the processes that make them (`reviewer`), and whose is next (`reviews`)."""
