package dev.sublet.cli.console;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs code with a stack on which programs of any sensible nesting depth can be walked. */
public final class DeepStack {

  /** Only reserved: the operating system backs the pages that are touched. */
  private static final long STACK_BYTES = 512L << 20;

  private DeepStack() {}

  /**
   * Runs a task on a thread of its own, waits for it, and returns or throws what it does.
   *
   * @param progress shows meanwhile what is being done
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
