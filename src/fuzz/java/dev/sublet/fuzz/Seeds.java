package dev.sublet.fuzz;

/** Seeds of cases, which depend on nothing but the run's seed, the campaign and a number. */
final class Seeds {

  private Seeds() {}

  /** The seed of a case. */
  static long of(long runSeed, String campaign, long number) {
    return mixed(mixed(runSeed + campaign.hashCode() * 0x9E3779B97F4A7C15L) + number);
  }

  /** Every bit depends on every bit: the finalizer of SplitMix64. */
  private static long mixed(long seed) {
    long mixed = seed + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
