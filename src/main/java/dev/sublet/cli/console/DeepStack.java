package dev.sublet.cli.console;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs code on a stack that is large enough for programs of any sensible nesting depth. */
public final class DeepStack {

  /**
   * The size of the stack. It is only reserved: the operating system provides memory for the pages
   * in use.
   */
  private static final long STACK_BYTES = 512L << 20;

  private DeepStack() {}

  /**
   * Runs a task on a new thread, waits for it, and returns its result or throws its exception.
   *
   * @param progress shows the running step while this method waits
   */
  public static <T> T call(Callable<T> task, Progress progress) throws Throwable {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(null, future, "sublet", STACK_BYTES).start();
    try {
      return progress.await(future);
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
