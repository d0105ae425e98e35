package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import dev.sublet.shape.ShapeOptions;

/**
 * The options of name sharing.
 *
 * @param policy the algorithm that finds the groups
 * @param level the variables that may share a name
 * @param inPlace whether an output may take the name of an input that dies at its operator
 * @param fusion the graph passes of the runtime that the result is for
 * @param goal what the result is for
 * @param typical the shapes of feeds in a typical run; variables whose sizes differ from run to run
 *     are compared for these shapes, or for assumed ones. The result is right for all shapes
 */
public record SharingOptions(
    Policy policy,
    Level level,
    boolean inPlace,
    FusionMode fusion,
    Goal goal,
    ShapeOptions typical) {

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

  /** The graph passes that a runtime applies to a program before it runs it. */
  public enum FusionMode {
    /** The result runs right with Paddle's default passes, and without any. */
    SAFE,
    /** The result is for a runtime without graph passes ({@code ir_optim} off). */
    OFF
  }

  /** The use of the rewritten program. */
  public enum Goal {
    /** A runtime that gives each name bytes of its own: the fewest bytes of names. */
    NAMES,
    /**
     * A runtime that obeys the plan: names are shared only as far as loops copy no more bytes, and
     * the arena is no larger, than under a plan of the original program.
     */
    PLAN
  }

  public SharingOptions {
    requireNonNull(policy, "policy");
    requireNonNull(level, "level");
    requireNonNull(fusion, "fusion");
    requireNonNull(goal, "goal");
    requireNonNull(typical, "typical");
  }

  /** Options for the fewest bytes of names. */
  public SharingOptions(Policy policy, Level level, boolean inPlace, FusionMode fusion) {
    this(policy, level, inPlace, fusion, Goal.NAMES, ShapeOptions.defaults());
  }

  /** Options for the fewest bytes of names in a runtime with graph passes. */
  public SharingOptions(Policy policy, Level level, boolean inPlace) {
    this(policy, level, inPlace, FusionMode.SAFE);
  }

  /** The best policy, any size, in place, for a runtime with graph passes. */
  public static SharingOptions defaults() {
    return new SharingOptions(Policy.BEST, Level.FIT, /* inPlace= */ true);
  }

  /** The same options for other graph passes. */
  public SharingOptions withFusion(FusionMode mode) {
    return new SharingOptions(policy, level, inPlace, mode, goal, typical);
  }

  /** The same options for another use of the result. */
  public SharingOptions withGoal(Goal newGoal) {
    return new SharingOptions(policy, level, inPlace, fusion, newGoal, typical);
  }

  /** The same options for other shapes of a typical run. */
  public SharingOptions withTypical(ShapeOptions newTypical) {
    return new SharingOptions(policy, level, inPlace, fusion, goal, newTypical);
  }
}
