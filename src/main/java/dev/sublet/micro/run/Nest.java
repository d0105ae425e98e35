package dev.sublet.micro.run;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
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

  /** Runs all iterations: each worker an equal share of neighbouring items, at the same time. */
  void run() {
    int shares = (int) Math.min(workers.size(), items);
    if (shares <= 1) {
      workers.get(0).run(0, items);
      return;
    }
    List<Share> tasks = new ArrayList<>();
    for (int share = 0; share < shares; share++) {
      tasks.add(
          new Share(workers.get(share), items * share / shares, items * (share + 1) / shares));
    }
    ForkJoinTask.invokeAll(tasks);
    for (Share task : tasks) {
      if (task.failure != null) {
        throw task.failure;
      }
    }
  }

  /** Of several that fail the first one counts, whichever thread was faster. */
  private static final class Share extends RecursiveAction {

    private final Worker worker;
    private final long from;
    private final long to;
    private @Nullable RuntimeException failure;

    Share(Worker worker, long from, long to) {
      this.worker = worker;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      try {
        worker.run(from, to);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }
}
