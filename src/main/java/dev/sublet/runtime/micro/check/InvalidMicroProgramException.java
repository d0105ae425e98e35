package dev.sublet.runtime.micro.check;

import static java.util.Objects.requireNonNull;

/**
 * Thrown when a micro program breaks a rule. It records the rule and the part of the program that
 * breaks it.
 *
 * @see MicroProgramCheck
 */
public final class InvalidMicroProgramException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String problem;
  private final transient Object culprit;

  InvalidMicroProgramException(String place, String problem, Object culprit) {
    super(place.isEmpty() ? problem : place + ": " + problem);
    this.problem = requireNonNull(problem, "problem");
    this.culprit = requireNonNull(culprit, "culprit");
  }

  /** Returns a description of the broken rule, without the place at the start of the message. */
  public String problem() {
    return problem;
  }

  /** Returns the part of the program that breaks the rule: the same object, not a copy. */
  public Object culprit() {
    return culprit;
  }
}
