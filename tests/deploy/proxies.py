"""The examples of deploy/, run: nginx or Caddy in front of two nodes, with HTTPS, below a path."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.server.processes import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"

#: nginx wants to be told where to put everything if it is not to touch the machine's own.
_NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/tercet.conf;
}}
"""


def put(text: str, *changes: tuple[str, str]) -> str:
    """An example with what is different here; every change must find its place."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def certificate(folder: Path) -> Path:
    """A certificate for this machine, with its key beside it."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    made = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*command.split(), *made], check=True, capture_output=True)
    return folder / "fullchain.pem"


def nginx(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    changes = [(f"127.0.0.1:{8001 + number}", f"127.0.0.1:{node}") for number, node in enumerate(nodes)]
    text = put(
        (DEPLOY / "nginx.conf").read_text("utf-8"),
        *changes,
        ("listen 443 ssl http2", f"listen 127.0.0.1:{port} ssl http2"),
        ("listen 80", f"listen 127.0.0.1:{free_port()}"),
        ("/etc/letsencrypt/live/club.example", str(folder)),
        ("club.example", "localhost"),
    )
    (folder / "tercet.conf").write_text(text)
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder))
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def caddy(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    changes = [(f"127.0.0.1:{8001 + number}", f"127.0.0.1:{node}") for number, node in enumerate(nodes)]
    return _caddy(folder, port, put((DEPLOY / "Caddyfile").read_text("utf-8"), *changes))


def small_caddy(folder: Path, port: int, nodes: Sequence[int]) -> list[str]:
    """The whole file that the page for hosts gives, for one server at the root."""
    page = (DEPLOY.parent / "docs" / "hosting.md").read_text("utf-8")
    found = re.search(r"```\n(tercet\.example \{\n.+?)```", page, re.DOTALL)
    assert found is not None
    text = put(found[1], ("127.0.0.1:8000", f"127.0.0.1:{nodes[0]}"), ("tercet.example", "club.example"))
    return _caddy(folder, port, text)


def _caddy(folder: Path, port: int, text: str) -> list[str]:
    text = put(
        text,
        (
            "club.example {\n",
            f"https://localhost:{port} {{\n\ttls {folder}/fullchain.pem {folder}/privkey.pem\n",
        ),
    ).replace("club.example", "localhost")
    options = f"{{\n\tadmin off\n\tauto_https off\n\tstorage file_system {folder}\n}}\n"
    (folder / "Caddyfile").write_text(options + text)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


#: What is started, for a folder, a port and the ports of the nodes.
Example = Callable[[Path, int, Sequence[int]], list[str]]

PROXIES: dict[str, Example] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxy(kind: str, folder: Path, nodes: Sequence[int]) -> Iterator[str]:
    """The address of Tercet behind a proxy of this kind."""
    with begun(PROXIES[kind], folder, nodes) as home:
        yield f"{home}/tercet"


@contextmanager
def begun(example: Example, folder: Path, nodes: Sequence[int]) -> Iterator[str]:
    """The address of a proxy that runs as this example says."""
    port = free_port()
    trusted = certificate(folder)
    command = example(folder, port, nodes)
    program = shutil.which(command[0]) or shutil.which(command[0], path="/usr/sbin")
    assert program is not None
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen([program, *command[1:]], stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 60
        while not _answers(port, trusted):
            assert process.poll() is None, (folder / "proxy.log").read_text()
            assert time.monotonic() < deadline, "the proxy does not answer"
            time.sleep(0.05)
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        process.wait(30)


def _answers(port: int, trusted: Path) -> bool:
    context = ssl.create_default_context(cafile=str(trusted))
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=5) as line,
            context.wrap_socket(line, server_hostname="localhost"),
        ):
            return True
    except OSError:
        return False


def is_installed(kind: str) -> bool:
    return bool(shutil.which(kind) or shutil.which(kind, path="/usr/sbin"))


def settings() -> str:
    """The settings that both examples ask for, as their first lines write them."""
    texts = [(DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile")]
    (asked,) = {found[1] for text in texts if (found := re.search(r"among their settings: (.+)\.\n", text))}
    return re.sub(r", (?=[a-z]+ =)", "\n", asked)
