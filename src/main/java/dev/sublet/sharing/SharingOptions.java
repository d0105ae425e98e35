package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

/**
 * The options of name sharing.
 *
 * @param policy the algorithm that finds the groups
 * @param level the variables that may share a name
 * @param inPlace whether an output may take the name of an input that dies at its operator
 */
public record SharingOptions(Policy policy, Level level, boolean inPlace) {

  /** The algorithm that finds the groups. */
  public enum Policy {
    /** The policy of the design document: a pool of dead variables, operator by operator. */
    POOL,
    /** A greedy policy over all live ranges at once, the best of several orders and rules. */
    GLOBAL,
    /** The policy that needs fewer bytes; on a tie, the pool. */
    BEST
  }

  /** The variables that may share a name. */
  public enum Level {
    /** Only variables of the same type and shape. */
    EXACT,
    /** Variables of the same data type, whatever their sizes. */
    FIT
  }

  public SharingOptions {
    requireNonNull(policy, "policy");
    requireNonNull(level, "level");
  }

  /** The best policy, any size, in place. */
  public static SharingOptions defaults() {
    return new SharingOptions(Policy.BEST, Level.FIT, /* inPlace= */ true);
  }
}
