package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A nest, ready to run: items of work that write different elements, and as many workers as may
 * share them. Which worker does an item decides nothing.
 */
final class Nest {

  /** Does items of work; has memory of its own. */
  interface Worker {

    /** Does the items from {@code from} on up to, without, {@code to}. */
    void run(long from, long to);
  }

  /**
   * Threads that do what the calling one does not. They never wait for anything; a pool that helps
   * with other tasks while it waits could run a program inside its own run.
   */
  private static final ExecutorService HELPERS = helpers();

  private final ImmutableList<? extends Worker> workers;
  private final long items;

  /**
   * A nest.
   *
   * @param workers at least one
   */
  Nest(ImmutableList<? extends Worker> workers, long items) {
    checkArgument(!workers.isEmpty() && items >= 0, "%s items for %s", items, workers);
    this.workers = workers;
    this.items = items;
  }

  private static ExecutorService helpers() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    ThreadFactory daemons =
        new ThreadFactoryBuilder().setNameFormat("sublet-nest-%d").setDaemon(true).build();
    return Executors.newFixedThreadPool(threads, daemons);
  }

  /**
   * Runs all iterations: each worker an equal share of neighbouring items, at the same time. If
   * several fail, the failure of the first share counts, whichever thread was faster.
   */
  void run() {
    int shares = (int) Math.max(1, Math.min(workers.size(), items));
    List<Future<?>> others = new ArrayList<>();
    for (int share = 1; share < shares; share++) {
      Worker worker = workers.get(share);
      long from = items * share / shares;
      long to = items * (share + 1) / shares;
      others.add(HELPERS.submit(() -> worker.run(from, to)));
    }
    Throwable failure = null;
    try {
      workers.get(0).run(0, items / shares);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    for (Future<?> other : others) {
      Throwable next = failureOf(other);
      failure = failure == null ? next : failure;
    }
    if (failure != null) {
      Throwables.throwIfUnchecked(failure);
      throw new AssertionError(failure);
    }
  }

  /** Waits for the end of a share; null if it did not fail. */
  private static @Nullable Throwable failureOf(Future<?> share) {
    try {
      Uninterruptibles.getUninterruptibly(share);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }
}
