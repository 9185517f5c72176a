#!/bin/sh
# See that there is a Chromium for the tests of the site: one that is installed, else Debian's headless shell,
# else the one that Playwright brings. Called by the Makefile, from the top of the repository.
set -u
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
"$PY" -c 'import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright: sys.exit(not os.path.exists(playwright.chromium.executable_path))' \
    2>/dev/null && exit 0

echo 'Installing a Chromium for the tests of the site'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if command -v apt-get >/dev/null 2>&1; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root='sudo -n'
    for package in chromium-headless-shell chromium; do
        $as_root apt-get install -y --no-install-recommends "$package" >>"$log" 2>&1 && exit 0
        $as_root apt-get update >>"$log" 2>&1
        $as_root apt-get install -y --no-install-recommends "$package" >>"$log" 2>&1 && exit 0
    done
fi
"$PY" -m playwright install --with-deps --only-shell chromium >>"$log" 2>&1 && exit 0
"$PY" -m playwright install --only-shell chromium >>"$log" 2>&1 && exit 0
tail -n 5 "$log" >&2
echo 'No Chromium could be installed. Install one by hand (Debian: apt-get install chromium-headless-shell).' >&2
exit 1
