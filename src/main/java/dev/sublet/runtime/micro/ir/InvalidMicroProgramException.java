package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

/**
 * A micro program breaks a rule: which one, and which part of the program does.
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

  /** The broken rule, without the place that the message begins with. */
  String problem() {
    return problem;
  }

  /** The part of the program, the very object, that breaks it. */
  Object culprit() {
    return culprit;
  }
}
