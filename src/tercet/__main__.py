"""``python -m tercet`` is the ``tercet`` command."""

from tercet.cli import main

if __name__ == "__main__":
    main()
