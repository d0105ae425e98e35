package dev.sublet.operator.spec;

/**
 * The order that an operator keeps, whatever its arguments. Operators that use a variable keep the
 * order of its reads and writes in any case.
 *
 * <pre>
 *   a = relu(x)            FREE      may move as far as its arguments allow
 *   b = gaussian_random()  ORDERED   takes its numbers before any later random operator
 *   py_func(a)             FIXED     no operator moves past it
 * </pre>
 */
public enum OrderRule {
  /** The operator depends on its arguments alone, and changes nothing else. */
  FREE,
  /** As {@link #FREE} if the attribute {@code is_test} is true, else as {@link #ORDERED}. */
  ORDERED_IN_TRAINING,
  /**
   * The operator also uses random numbers, files, the screen, queues or other processes. It keeps
   * its order among all operators that do.
   */
  ORDERED,
  /** Operators before it stay before it, and operators after it stay after it. */
  FIXED,
  /** The catalog does not know the operator; as {@link #FIXED}. */
  UNKNOWN;

  /** Whether no operator may move past the operator. */
  public boolean isBarrier() {
    return this == FIXED || this == UNKNOWN;
  }
}
