import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from unittest import mock

import sublet
from sublet import _launcher
from testing_support import MOBILE, FolderTest


def zombies():
    """The children of this process that ended and that nobody waited for."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state == "Z" and int(parent) == os.getpid():
            found.append(stat)
    return found


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class ProcessTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.session = sublet.Session()
        self.addCleanup(self.session.close)

    def test_one_process_answers_all(self):
        self.assertIsNone(self.session.pid)
        self.session.plan(MOBILE)
        pid = self.session.pid
        with self.assertRaises(sublet.InputError):
            self.session.plan(b"garbage")
        self.session.optimize(MOBILE)
        self.assertEqual(self.session.pid, pid)

    def test_after_a_crash_there_is_a_new_process(self):
        expected = self.session.plan(MOBILE)
        before = self.session.pid
        os.kill(before, signal.SIGKILL)
        self.assertEqual(self.session.plan(MOBILE), expected)
        self.assertNotEqual(self.session.pid, before)
        self.assertEqual(zombies(), [])

    def test_a_process_that_always_crashes_is_an_error(self):
        pathlib.Path("crash").write_text("#!/bin/sh\necho it is broken >&2\nexit 9\n")
        os.chmod("crash", 0o755)
        with mock.patch.dict(os.environ, SUBLET="./crash"):
            with self.assertRaisesRegex(sublet.ProcessError, "exit code 9: it is broken"):
                self.session.plan(MOBILE)
        self.assertEqual(zombies(), [])
        self.session.plan(MOBILE)

    def test_a_process_that_answers_nonsense_is_an_error(self):
        pathlib.Path("nonsense").write_text("#!/bin/sh\nprintf '\\003\\000\\000\\000abc'\ncat >/dev/null\n")
        os.chmod("nonsense", 0o755)
        with mock.patch.dict(os.environ, SUBLET="./nonsense"):
            with self.assertRaisesRegex(sublet.ProcessError, "cannot be read"):
                self.session.plan(MOBILE)

    def test_threads_share_the_process(self):
        expected = {batch: sublet.plan(MOBILE, batch=batch) for batch in range(1, 5)}
        wrong = []

        def work(batch):
            for _ in range(5):
                if self.session.plan(MOBILE, batch=batch) != expected[batch]:
                    wrong.append(batch)

        threads = [threading.Thread(target=work, args=(batch,)) for batch in expected]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len({plan.message for plan in expected.values()}), 4)

    def test_close_ends_the_process(self):
        with sublet.Session() as session:
            session.plan(MOBILE)
            pid = session.pid
        self.assertFalse(is_running(pid))
        self.assertIsNone(session.pid)
        session.plan(MOBILE)
        pid = session.pid
        del session
        self.assertFalse(is_running(pid))

    def test_an_interrupt_leaves_no_half_response(self):
        self.session.plan(MOBILE)
        before = self.session.pid
        with mock.patch("sublet._plugin._receive", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.session.plan(MOBILE, batch=2)
        self.assertFalse(is_running(before))
        self.assertEqual(self.session.plan(MOBILE).batch, 1)

    @unittest.skipUnless(hasattr(os, "fork"), "skipped: there is no fork")
    def test_after_a_fork_each_has_its_own_process(self):
        code = """
            import os, sys, sublet
            program, expected = sys.argv[1], None
            expected = sublet.plan(program)
            first = sublet._session.pid
            child = os.fork()
            same = sublet.plan(program) == expected
            if child == 0:
                other = sublet._session.pid
                sublet.close()
                os._exit(0 if same and other != first else 9)
            print(same, os.waitpid(child, 0)[1], sublet._session.pid == first)
        """
        done = self.python(code, str(MOBILE))
        self.assertEqual((done.stdout, done.stderr), ("True 0 True\n", ""))

    def test_the_process_ends_with_python(self):
        for ending in ("", "raise SystemExit(3)", "os._exit(0)", "os.kill(os.getpid(), 9)"):
            code = f"""
                import os, sys, sublet
                sublet.plan(sys.argv[1])
                print(sublet._session.pid, flush=True)
                {ending}
            """
            done = self.python(code, str(MOBILE))
            for _ in range(100):
                if not is_running(int(done.stdout)):
                    break
                time.sleep(0.1)
            self.assertFalse(is_running(int(done.stdout)), ending)
            self.assertEqual(done.stderr, "", ending)

    def python(self, code, *arguments):
        command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(_launcher.JAR.parent.parent)}
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )


class LauncherTest(FolderTest):
    def setUp(self):
        super().setUp()
        if _launcher.JAR.is_file():
            self.skipTest("skipped: this package has its jar inside")

    def command(self, **variables):
        with mock.patch.dict(os.environ, variables):
            return _launcher.command("plugin")

    def test_the_variable_names_a_program_or_a_jar(self):
        pathlib.Path("my sublet").write_text("#!/bin/sh\n")
        os.chmod("my sublet", 0o755)
        pathlib.Path("my.jar").touch()
        self.assertEqual(self.command(SUBLET="./my sublet"), [os.path.abspath("my sublet")])
        words = self.command(SUBLET="my.jar", SUBLET_JAVA_OPTS="-Xmx1g -ea")
        self.assertEqual(words[-4:], ["-Xmx1g", "-ea", "-jar", os.path.abspath("my.jar")])
        with self.assertRaisesRegex(sublet.ProcessError, "neither a jar nor a program"):
            self.command(SUBLET="none.jar")

    def test_a_jar_in_the_package_comes_before_the_path(self):
        pathlib.Path("in.jar").touch()
        pathlib.Path("sublet").write_text("#!/bin/sh\n")
        os.chmod("sublet", 0o755)
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        self.assertEqual(self.command(SUBLET="", PATH=path), [str(self.folder / "sublet")])
        with mock.patch.object(_launcher, "JAR", self.folder / "in.jar"):
            self.assertEqual(self.command(SUBLET="", PATH=path)[-1], str(self.folder / "in.jar"))

    def test_what_is_missing_is_said(self):
        with self.assertRaisesRegex(sublet.ProcessError, "Sublet was not found"):
            self.command(SUBLET="", PATH=str(self.folder))
        pathlib.Path("my.jar").touch()
        with self.assertRaisesRegex(sublet.ProcessError, "Java was not found"):
            self.command(SUBLET="my.jar", PATH=str(self.folder), JAVA_HOME="")

    def test_an_old_java_is_said(self):
        pathlib.Path("old").write_text("#!/bin/sh\necho 'java.lang.UnsupportedClassVersionError: x' >&2\nexit 1\n")
        os.chmod("old", 0o755)
        with mock.patch.dict(os.environ, SUBLET="./old"), sublet.Session() as session:
            with self.assertRaisesRegex(sublet.ProcessError, "Java is too old"):
                session.plan(MOBILE)
            with self.assertRaisesRegex(sublet.ProcessError, "Java is too old"):
                session.explain(MOBILE)


if __name__ == "__main__":
    unittest.main()
