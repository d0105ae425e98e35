package dev.sublet.liveness;

/**
 * The variables that may be live after a control operator, on the exit that does not run the body
 * (again).
 *
 * <p>Normally these are all variables that are read later ({@link #ALL}). For an unrolled loop, the
 * set depends on the exit: each exit leaves the value that is read later in another variable.
 */
@FunctionalInterface
public interface ExitNeeds {

  /** Every variable may be live after every region. */
  ExitNeeds ALL = (region, variable) -> true;

  /** Whether a variable may be live after a region, on the exit that does not run its body. */
  boolean isNeeded(int region, int variable);
}
