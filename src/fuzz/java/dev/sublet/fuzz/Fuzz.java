package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the campaigns one after the other, each on all cores for its share of the time. What it is
 * told are system properties:
 *
 * <ul>
 *   <li>{@code fuzz.minutes}: for all campaigns together;
 *   <li>{@code fuzz.seed}: what all cases follow from; a fresh one if empty;
 *   <li>{@code fuzz.only}: the name of the only campaign; all if empty;
 *   <li>{@code fuzz.case}: the seed of the only case to try, with {@code fuzz.only}.
 * </ul>
 *
 * <p>Exit code 1 if anything is wrong.
 */
final class Fuzz {

  private static final Path FOLDER = Path.of("target", "fuzz");

  /** Programs are nested, and what follows them recurses. */
  private static final long STACK_BYTES = 64 << 20;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final PrintStream out = new PrintStream(System.out, /* autoFlush= */ true, UTF_8);
  private final Faults faults = new Faults(FOLDER, out);
  private final long runSeed;

  private Fuzz(long runSeed) {
    this.runSeed = runSeed;
  }

  public static void main(String[] args) throws Exception {
    StrayErrors.collect();
    String only = property("fuzz.only").orElse("");
    List<Campaign> campaigns = new ArrayList<>(all());
    campaigns.removeIf(campaign -> !only.isEmpty() && !campaign.name().equals(only));
    if (campaigns.isEmpty()) {
      throw new IllegalArgumentException("-Dfuzz.only=" + only + " is no campaign");
    }
    Fuzz fuzz = new Fuzz(property("fuzz.seed").map(Long::valueOf).orElseGet(System::nanoTime));
    Optional<String> single = property("fuzz.case");
    double minutes = property("fuzz.minutes").map(Double::valueOf).orElse(10.0);
    long share = (long) (minutes * MINUTE / campaigns.size());
    for (Campaign campaign : campaigns) {
      if (single.isPresent()) {
        fuzz.runCase(campaign, Long.parseLong(single.get()), new Counts());
      } else {
        fuzz.run(campaign, share);
      }
    }
    fuzz.out.print(fuzz.faults.isEmpty() ? "nothing found\n" : "found:\n" + fuzz.faults);
    // Threads of hanging cases may be left.
    Runtime.getRuntime().exit(fuzz.faults.isEmpty() ? 0 : 1);
  }

  private static Optional<String> property(String name) {
    return Optional.of(System.getProperty(name, "")).filter(value -> !value.isEmpty());
  }

  private static ImmutableList<Campaign> all() throws IOException {
    return ImmutableList.of(new ProgramCampaign(), new ReaderCampaign(), new OperatorCampaign());
  }

  private void run(Campaign campaign, long nanos) throws InterruptedException {
    out.printf("%s: -Dfuzz.seed=%d%n", campaign.name(), runSeed);
    Counts counts = new Counts();
    AtomicLong next = new AtomicLong();
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      String name = campaign.name() + "-" + i;
      // A group of its own, so that the threads that a case starts can be found.
      Thread thread =
          new Thread(
              new ThreadGroup(name),
              () -> {
                while (System.nanoTime() - begin < nanos) {
                  runCase(
                      campaign, Seeds.of(runSeed, campaign.name(), next.getAndIncrement()), counts);
                }
              },
              name,
              STACK_BYTES);
      thread.start();
      threads.add(thread);
    }
    awaitAll(threads, campaign, counts, begin);
  }

  private void awaitAll(List<Thread> threads, Campaign campaign, Counts counts, long begin)
      throws InterruptedException {
    long minute = 1;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.join(1000);
        if (System.nanoTime() - begin >= minute * MINUTE) {
          out.printf("%s, minute %d: %s%n", campaign.name(), minute++, counts);
        }
      }
    }
    out.printf("%s, in all: %s%n", campaign.name(), counts);
  }

  /** A case that ends with an exception is a mistake of the fuzzer's, and found like any other. */
  private void runCase(Campaign campaign, long seed, Counts counts) {
    try {
      List<Fault> found;
      try {
        found = campaign.tryCase(seed, counts);
      } catch (Exception | AssertionError e) {
        String message = "the fuzzer itself: " + Throwables.getStackTraceAsString(e);
        found = List.of(new Fault(seed, "the fuzzer: " + Judge.shape(e.toString()), message));
      }
      for (Fault fault : found) {
        faults.add(campaign, fault);
      }
    } catch (Exception e) {
      e.printStackTrace(out);
    }
  }
}
