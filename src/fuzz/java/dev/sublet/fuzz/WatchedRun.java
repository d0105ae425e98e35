package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import dev.sublet.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a command in this process, looks at the time and the memory that it takes, and stops it if
 * that is too much. Commands of the same thread group must not overlap.
 */
final class WatchedRun {

  /** Of one thread, so that a busy machine makes no case a slow one. */
  private static final long MOST_CPU_NANOS = 10_000_000_000L;

  private static final long MOST_WALL_NANOS = 40_000_000_000L;

  /** What a thread may allocate in all for an empty input, and for each byte of it. */
  private static final long MOST_ALLOCATED = 3L << 30;

  private static final long MOST_ALLOCATED_PER_BYTE = 20_000;

  /** The thread that does a command's work. */
  private static final String COMMAND = "sublet";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private volatile int exitCode = -1;

  private WatchedRun() {}

  /**
   * What a command did.
   *
   * @param exitCode its exit code
   * @param output the beginning of standard output
   * @param errors the beginning of standard error
   * @param alarm why it was stopped; empty if it was not
   * @param stack where it was then
   */
  record Outcome(
      int exitCode,
      String output,
      String errors,
      String alarm,
      ImmutableList<StackTraceElement> stack) {}

  /** Runs a command; its input has so many bytes. */
  static Outcome of(List<String> arguments, byte[] input, long bytes) throws InterruptedException {
    StrayErrors.take();
    WatchedRun run = new WatchedRun();
    Thread thread = new Thread(() -> run.run(arguments, input), "command");
    long begin = System.nanoTime();
    thread.start();
    String alarm = "";
    ImmutableList<StackTraceElement> stack = ImmutableList.of();
    for (thread.join(20); thread.isAlive(); thread.join(20)) {
      List<Thread> threads = threadsOfCase();
      alarm = alarm(threads, System.nanoTime() - begin, bytes);
      if (!alarm.isEmpty()) {
        stack = deepest(threads);
        stop(threads);
        break;
      }
    }
    String errors = run.errors.toString(UTF_8) + StrayErrors.take();
    return new Outcome(run.exitCode, run.output.toString(UTF_8), errors, alarm, stack);
  }

  private void run(List<String> arguments, byte[] input) {
    exitCode =
        Main.run(
            arguments.toArray(new String[0]),
            new ByteArrayInputStream(input),
            new PrintStream(new Beginning(output), /* autoFlush= */ false, UTF_8),
            new PrintStream(new Beginning(errors), /* autoFlush= */ true, UTF_8));
  }

  private static String alarm(List<Thread> threads, long nanos, long bytes) {
    long most = MOST_ALLOCATED + MOST_ALLOCATED_PER_BYTE * bytes;
    for (Thread thread : threads) {
      if (THREADS.getThreadCpuTime(thread.getId()) > MOST_CPU_NANOS) {
        return "hangs";
      }
      if (THREADS.getThreadAllocatedBytes(thread.getId()) > most) {
        return "allocates more and more";
      }
    }
    return nanos > MOST_WALL_NANOS ? "hangs" : "";
  }

  /** All of the group but the one that watches. */
  private static List<Thread> threadsOfCase() {
    Thread[] threads = new Thread[64];
    int count = Thread.currentThread().getThreadGroup().enumerate(threads);
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (threads[i] != Thread.currentThread()) {
        others.add(threads[i]);
      }
    }
    return others;
  }

  private static ImmutableList<StackTraceElement> deepest(List<Thread> threads) {
    ImmutableList<StackTraceElement> deepest = ImmutableList.of();
    for (Thread thread : threads) {
      ImmutableList<StackTraceElement> stack = ImmutableList.copyOf(thread.getStackTrace());
      if (thread.getName().equals(COMMAND)) {
        deepest = stack;
      }
    }
    return deepest;
  }

  /** Java 17 can still do that, and nothing else ends a loop that asks nobody. */
  @SuppressWarnings({"deprecation", "removal"})
  private static void stop(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      // Threads of pools serve later commands, too.
      if (thread.getName().equals(COMMAND)) {
        thread.stop();
        thread.join(2000);
      }
    }
  }

  /** Keeps the first megabytes of what is written. */
  private static final class Beginning extends OutputStream {

    private static final int LENGTH = 1 << 22;

    private final ByteArrayOutputStream kept;

    Beginning(ByteArrayOutputStream kept) {
      this.kept = kept;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (kept.size() < LENGTH) {
        kept.write(bytes, offset, length);
      }
    }
  }
}
