#!/bin/sh
# See that there is Node 22 or newer with npm: the machine's own, else the one that comes as a Python wheel, in an
# environment of its own with links to it in .venv/bin. Called by the Makefile, from the top of the repository.
set -eu
npm --version >/dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' 2>/dev/null && exit 0

"$PY" -m uv venv --quiet --allow-existing --python "$PY" .venv/node
install="$PY -m uv pip sync --quiet --python .venv/node/bin/python --require-hashes requirements/node.txt"
# uv brings its own certificates; behind a proxy that has others, the machine's own are tried.
$install || UV_SYSTEM_CERTS=1 $install
for name in node npm npx; do
    ln -sf "../node/bin/$name" ".venv/bin/$name"
done
