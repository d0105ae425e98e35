package dev.sublet.testing.simulate;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * What a simulated run decides by chance: how often each loop runs, what the operators compute (and
 * so which branches are taken), and which outputs operators with partial effects leave as they are.
 *
 * <p>Decisions depend only on the seed, the operator's identity and how often the operator has run
 * before, so a program and its rewritten form decide alike.
 *
 * @param seed the seed
 * @param trips the trip counts that loops choose from; none is negative
 */
public record Schedule(long seed, ImmutableList<Integer> trips) {

  private static final ImmutableList<Integer> TRIPS = ImmutableList.of(0, 1, 2, 5);

  public Schedule {
    requireNonNull(trips, "trips");
    checkArgument(!trips.isEmpty(), "no trip counts");
  }

  /** Loops run 0, 1, 2 or 5 times. */
  public static Schedule of(long seed) {
    return new Schedule(seed, TRIPS);
  }

  /** The same decisions, but every loop runs that many times. */
  public Schedule withTrips(int count) {
    return new Schedule(seed, ImmutableList.of(count));
  }

  /** How often a loop runs at its visit-th execution. */
  int tripCount(long operator, int visit) {
    return trips.get(
        (int) Long.remainderUnsigned(decision(operator, visit, "trips"), trips.size()));
  }

  /** A bit for whatever else an operator has to decide. */
  boolean flip(long operator, int visit, String what) {
    return (decision(operator, visit, what) & 1) != 0;
  }

  private long decision(long operator, int visit, String what) {
    return Values.mix(Values.mix(Values.mix(seed, operator), visit), Values.of(what));
  }
}
