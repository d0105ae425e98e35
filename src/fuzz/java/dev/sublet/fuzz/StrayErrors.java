package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What libraries print to the process's standard error, past the streams that a command has, by the
 * group of threads that did it.
 */
final class StrayErrors extends OutputStream {

  private static final Map<ThreadGroup, ByteArrayOutputStream> PRINTED = new ConcurrentHashMap<>();

  private StrayErrors() {}

  /** Collects from now on. */
  static void collect() {
    System.setErr(new PrintStream(new StrayErrors(), /* autoFlush= */ true, UTF_8));
  }

  /** What this thread's group has printed since the last time. */
  static String take() {
    ByteArrayOutputStream printed = PRINTED.remove(Thread.currentThread().getThreadGroup());
    return printed == null ? "" : printed.toString(UTF_8);
  }

  private static ByteArrayOutputStream own() {
    return PRINTED.computeIfAbsent(
        Thread.currentThread().getThreadGroup(), group -> new ByteArrayOutputStream());
  }

  @Override
  public void write(int b) {
    own().write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    own().write(bytes, offset, length);
  }
}
