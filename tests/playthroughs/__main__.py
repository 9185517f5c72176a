"""Write all playthroughs anew."""

from argparse import ArgumentParser

from tests.playthroughs.play import FOLDER, VARIANTS, playthrough

ArgumentParser(prog="python -m tests.playthroughs", description=__doc__).parse_args()
for old in FOLDER.glob("*.txt"):
    old.unlink()
for name in VARIANTS:
    text = playthrough(name)
    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} characters")
