"""One process of ``sublet plugin``, which answers requests."""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import tempfile
import threading
import weakref
from typing import IO, Any, Optional

from . import _cli, _launcher
from .errors import InputError, ProcessError

# The largest request that the plug-in can be told to accept.
_LARGEST = (1 << 31) - 9

# One caller has the process to itself, so no request can keep the requests of others waiting.
_LIMITS = ("--max-request", str(_LARGEST), "--max-nodes", str(1 << 62), "--max-time", "31536000s")

_TRIES = 2
_SECONDS_TO_END = 5.0


class _Ended(Exception):
    """The process ended in the middle of an exchange."""


class Plugin:
    """Starts the process when there is a request, and again when it has crashed.

    Thread-safe: requests are answered one after the other. After a fork, the child process starts
    a process of its own.
    """

    def __init__(self) -> None:
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._messages: Optional[IO[bytes]] = None
        self._lock = threading.Lock()
        _PLUGINS.add(self)

    @property
    def pid(self) -> Optional[int]:
        """The id of the process; None if there is none."""
        process = self._process
        return None if process is None else process.pid

    def ask(self, request: bytes) -> bytes:
        """Returns the response to a serialized request.

        Raises:
          InputError: the request is larger than any request may be.
          ProcessError: the process did not start, or ended twice without a response.
        """
        if len(request) > _LARGEST:
            raise InputError("the program is larger than 2 GiB, which protobuf does not allow")
        with self._lock:
            for left in reversed(range(_TRIES)):
                try:
                    return self._exchange(request)
                except _Ended:
                    failure = self._end()
                    if not left:
                        raise failure from None
                except BaseException:
                    # Such as KeyboardInterrupt: part of a response may still be in the pipe.
                    self._end(kill=True)
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Ends the process. A later request starts a new one."""
        with self._lock:
            self._end()

    def _exchange(self, request: bytes) -> bytes:
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        try:
            _send(process.stdin, struct.pack("<I", len(request)))
            _send(process.stdin, request)
            (length,) = struct.unpack("<I", _receive(process.stdout, 4))
            return _receive(process.stdout, length)
        except OSError as error:
            raise _Ended from error

    def _start(self) -> subprocess.Popen[bytes]:
        command = [*_launcher.command("plugin"), "plugin", *_LIMITS]
        # A file, so that nobody has to empty a pipe.
        self._messages = tempfile.TemporaryFile()
        try:
            # Without buffers, a forked process has nothing of ours to write.
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._messages,
                env=_launcher.environment(),
            )
        except OSError as error:
            raise ProcessError(f"{command[0]} did not start: {error}") from error
        return self._process

    def _end(self, kill: bool = False) -> ProcessError:
        """Ends the process, if there is one, and waits for it, so that no zombie is left.

        Returns:
          what to raise if the process was not expected to end.
        """
        process, self._process = self._process, None
        messages, self._messages = self._messages, None
        if process is None or messages is None:
            return ProcessError("Sublet was closed")
        _close_pipes(process)
        try:
            if kill:
                process.kill()
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with messages:
            messages.seek(0)
            text = messages.read().decode("utf-8", "replace")
        return _cli.failure(process.returncode, text)

    def __del__(self) -> None:
        self._end()

    def end_at_exit(self) -> None:
        """Ends the process, even if a daemon thread waits for a response."""
        is_free = self._lock.acquire(timeout=_SECONDS_TO_END)
        self._end(kill=not is_free)

    def forget(self) -> None:
        """In the child of a fork: leaves the process to the parent."""
        self._lock = threading.Lock()
        process, self._process = self._process, None
        self._messages = None
        if process is not None:
            _close_pipes(process)
            # This process cannot wait for a child of its parent.
            process.returncode = 0


def _send(pipe: IO[bytes], data: bytes) -> None:
    rest: Any = memoryview(data)
    while rest:
        rest = rest[pipe.write(rest) :]


def _receive(pipe: IO[bytes], length: int) -> bytes:
    chunks = []
    while length:
        chunk = pipe.read(min(length, 1 << 20))
        if not chunk:
            raise _Ended
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


_PLUGINS: weakref.WeakSet[Plugin] = weakref.WeakSet()


def _end_all() -> None:
    for plugin in list(_PLUGINS):
        plugin.end_at_exit()


def _forget_all() -> None:
    for plugin in list(_PLUGINS):
        plugin.forget()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
