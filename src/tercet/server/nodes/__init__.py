"""Several nodes on one database: the bus between them, and what each knows of the others."""
