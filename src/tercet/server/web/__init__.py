"""HTTP: the application, the API, the site, and who is asking."""
