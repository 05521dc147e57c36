# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server on this host that a guest reaches at 10.0.2.2: it gives and takes files."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

GUEST_SEES = "10.0.2.2"  # this host, on QEMU's own network


class Web:
    """Serves a folder. PUT wants the parent folder to exist (409), MKCOL makes one, as WebDAV has
    it; the first `failures` PUTs are answered with 503."""

    def __init__(self, folder: Path, failures: int = 0) -> None:
        self.folder = folder
        self.failures = failures
        self.log: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """As the guest writes it."""
        return f"http://{GUEST_SEES}:{self._server.server_port}/"

    def __enter__(self) -> "Web":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            def do_GET(self) -> None:  # pylint: disable=invalid-name
                """A file, or 404."""
                file = web.folder / self.path.lstrip("/")
                self._answer(200, file.read_bytes()) if file.is_file() else self._answer(404)

            def do_HEAD(self) -> None:  # pylint: disable=invalid-name
                """Its length; iPXE asks for it."""
                file = web.folder / self.path.lstrip("/")
                self.send_response(200 if file.is_file() else 404)
                if file.is_file():
                    self.send_header("Content-Length", str(file.stat().st_size))
                self.end_headers()

            def do_PUT(self) -> None:  # pylint: disable=invalid-name
                """A new file."""
                data = self.rfile.read(int(self.headers["Content-Length"]))
                file = web.folder / self.path.lstrip("/")
                if web.failures:
                    web.failures -= 1
                    self._answer(503)
                elif not file.parent.is_dir():
                    self._answer(409)
                else:
                    file.write_bytes(data)
                    self._answer(201)

            def do_MKCOL(self) -> None:  # pylint: disable=invalid-name
                """A new folder."""
                folder = web.folder / self.path.strip("/")
                if folder.exists():
                    self._answer(405)
                else:
                    folder.mkdir()
                    self._answer(201)

            def _answer(self, status: int, body: bytes = b"") -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Kept for the test."""
                web.log.append(format % args)

        return Handler
