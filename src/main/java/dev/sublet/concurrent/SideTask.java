package dev.sublet.concurrent;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * A computation on a thread of its own, beside the thread that started it.
 *
 * <pre>{@code
 * SideTask<String> hash = SideTask.start(() -> sha256(program));
 * Layout layout = layOut(program);                // meanwhile
 * return new Plan(hash.join(), layout);
 * }</pre>
 *
 * <p>A task that nobody joins does not keep the process alive.
 */
public final class SideTask<T> {

  /**
   * The stack of the thread: large enough for programs of any sensible nesting depth. It is only
   * reserved; the operating system provides memory for the pages in use.
   */
  private static final long STACK_BYTES = 512L << 20;

  private final FutureTask<T> future;

  private SideTask(FutureTask<T> future) {
    this.future = future;
  }

  /** Starts a computation, which must change nothing that other threads see. */
  public static <T> SideTask<T> start(Supplier<T> computation) {
    FutureTask<T> future = new FutureTask<>(computation::get);
    Thread thread = new Thread(null, future, "sublet-side", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    return new SideTask<>(future);
  }

  /** Waits for the result, and returns it or throws the exception that ended the computation. */
  public T join() {
    try {
      return requireNonNull(Uninterruptibles.getUninterruptibly(future));
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause());
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    }
  }

  /** Gives the result up. A computation that waits is interrupted; another one runs to its end. */
  public void cancel() {
    future.cancel(/* mayInterruptIfRunning= */ true);
  }
}
