package dev.sublet.runtime.micro.run.bind;

/**
 * What decides how fast a program runs, and never what it computes.
 *
 * @param lanes how lane loops are chosen
 * @param threads how many may share the work of a nest
 * @param shareable the least time of a nest that they share, in nanoseconds, as it is estimated
 */
public record Tuning(VectorizationPlan.Chooser lanes, int threads, double shareable) {

  /** Handing work over takes some ten microseconds. */
  private static final double SHAREABLE = 100_000;

  /** For this machine. */
  public static Tuning standard() {
    return new Tuning(VectorizationPlan::of, Runtime.getRuntime().availableProcessors(), SHAREABLE);
  }
}
