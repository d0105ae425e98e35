package dev.sublet.runtime.micro.run.bind;

/**
 * Settings that affect how fast a program runs, but never its results.
 *
 * @param lanes the strategy that chooses lane loops
 * @param threads the most threads that share the work of a nest
 * @param shareable the least estimated time of a nest, in nanoseconds, for which threads share it
 */
public record Tuning(VectorizationPlan.Chooser lanes, int threads, double shareable) {

  /**
   * The least time in nanoseconds of a nest that threads share; handing work over takes about ten
   * microseconds.
   */
  private static final double SHAREABLE = 100_000;

  /** Returns the settings for this machine. */
  public static Tuning standard() {
    return new Tuning(VectorizationPlan::of, Runtime.getRuntime().availableProcessors(), SHAREABLE);
  }
}
