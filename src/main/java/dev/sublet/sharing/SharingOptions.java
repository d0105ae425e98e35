package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

/**
 * How names are shared.
 *
 * @param policy which algorithm finds the groups
 * @param level which variables may take another's name
 * @param inPlace whether an output may take the name of an input that dies at its operator
 */
public record SharingOptions(Policy policy, Level level, boolean inPlace) {

  /** Which algorithm finds the groups. */
  public enum Policy {
    /** The design document's: a pool of dead variables, operator by operator. */
    POOL,
    /** Over all live ranges at once: largest variables first. */
    GLOBAL,
    /** Whichever of the two needs fewer bytes; the pool's if they need the same. */
    BEST
  }

  /** Which variables may take another's name. */
  public enum Level {
    /** Only one of the same type and shape. */
    EXACT,
    /** Any that is large enough, of the same data type. */
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
