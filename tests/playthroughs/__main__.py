"""Write all playthroughs anew."""

from tests.playthroughs.play import FOLDER, VARIANTS, playthrough

for old in FOLDER.glob("*.txt"):
    old.unlink()
for name in VARIANTS:
    text = playthrough(name)
    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} characters")
