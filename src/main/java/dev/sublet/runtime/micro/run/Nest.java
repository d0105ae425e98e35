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
 * A nest that is ready to run: items of work that write different elements, and as many workers as
 * may share the items. The results do not depend on which worker does an item.
 */
final class Nest {

  /** A worker, which does items of work and has memory of its own. */
  interface Worker {

    /** Does the items from {@code from} to before {@code to}. */
    void run(long from, long to);
  }

  /**
   * The threads that do the shares which the calling thread does not do. They never wait for
   * anything: a pool that does other tasks while it waits could run a program inside that program's
   * own run.
   */
  private static final ExecutorService HELPERS = helpers();

  private final ImmutableList<? extends Worker> workers;
  private final long items;

  /**
   * Creates a nest.
   *
   * @param workers the workers, at least one
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
   * Runs all items: each worker does an equal share of adjacent items, at the same time. If several
   * workers fail, the failure of the first share is thrown, whichever thread was faster.
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

  /** Waits for the end of a share and returns its failure; null if the share did not fail. */
  private static @Nullable Throwable failureOf(Future<?> share) {
    try {
      Uninterruptibles.getUninterruptibly(share);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }
}
