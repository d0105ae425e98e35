package dev.sublet.liveness;

/**
 * What of a variable is needed where a control operator ends without running its body (again). As a
 * rule all of it, as far as it is read later; but whoever unrolled a loop knows in which of its
 * variables the value is that is read behind it, which depends on where the loop was left.
 */
@FunctionalInterface
public interface ExitNeeds {

  /** Everything may be needed. */
  ExitNeeds ALL = (region, variable) -> true;

  /** Whether a variable's value is needed behind a region whose body is not run (again). */
  boolean isNeeded(int region, int variable);
}
