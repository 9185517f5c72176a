#!/bin/sh
# Make .venv and put the tools of requirements/build.txt into it. Needs Python 3.11 or newer and pip, no more.
# Called by the Makefile, from the top of the repository. PYTHON=... names the Python to take.
set -eu
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INPUT=1
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

python=
for name in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$name" -c "$new_enough" 2>/dev/null; then
        python=$name
        break
    fi
done
if [ -z "$python" ]; then
    echo "Tercet needs Python 3.11 or newer; this machine has $(python3 --version 2>/dev/null || echo none)." >&2
    echo "Install it (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python)," >&2
    echo "or name one that is not on the path: make PYTHON=/path/to/python3 ..." >&2
    exit 1
fi

if ! .venv/bin/python -c "$new_enough" 2>/dev/null; then
    echo "Making .venv with $("$python" --version)"
    "$python" -m venv --clear --without-pip .venv
fi

# pip installs uv, and uv the rest: it is quicker.
install="install -qq --require-hashes --no-deps --only-binary :all: -r requirements/uv.txt"
if .venv/bin/python -m uv --version >/dev/null 2>&1; then
    :
elif "$python" -m pip --python .venv/bin/python --version >/dev/null 2>&1; then
    # The pip outside, from 22.3 on: one inside would take seconds to install, and is needed once.
    "$python" -m pip --python .venv/bin/python $install
elif .venv/bin/python -m ensurepip >/dev/null 2>&1; then
    .venv/bin/python -m pip $install
else
    echo "There is no pip for $python (Debian, Ubuntu: apt-get install python3-venv)." >&2
    exit 1
fi
tools=".venv/bin/python -m uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements/build.txt"
# uv brings its own certificates; behind a proxy that has others, the machine's own are tried.
$tools || UV_SYSTEM_CERTS=1 $tools
