package dev.sublet.picture;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * The time that a picture's boxes lie over: steps from left to right, each of as many points.
 *
 * @param pointsPerStep 2 for operators, which read first and then write; 1 for times of a table
 * @param steps the steps
 * @param spans the bodies of control operators, each before those inside it
 */
public record TimeAxis(int pointsPerStep, ImmutableList<Step> steps, ImmutableList<Span> spans) {

  /** Which stages have a step. */
  public enum Presence {
    /** Both. */
    BOTH,
    /** The rewritten program does without the operator. */
    BEFORE,
    /** Only the rewritten program has the operator. */
    AFTER
  }

  /**
   * A step: an operator, the head or the exit of one with a block, or a time.
   *
   * @param label the operator's type or the time, as it can be printed
   * @param place such as {@code block 1, op 3}; empty without a program
   * @param isExit whether it is where a control operator ends
   * @param isSkipped whether it is a copy that need not run
   * @param presence which stages have it
   */
  public record Step(
      String label, String place, boolean isExit, boolean isSkipped, Presence presence) {

    public Step {
      requireNonNull(label, "label");
      requireNonNull(place, "place");
      requireNonNull(presence, "presence");
    }

    /** A step that both stages have. */
    static Step named(String label) {
      return new Step(label, "", false, false, Presence.BOTH);
    }
  }

  /**
   * The steps of a control operator, head and exit included.
   *
   * @param head the step of its head
   * @param exit the step of its exit
   * @param block the block that it runs
   * @param label the operator's type
   * @param isLoop whether the block may run more than once
   * @param depth in how many others it lies
   */
  public record Span(int head, int exit, int block, String label, boolean isLoop, int depth) {

    public Span {
      requireNonNull(label, "label");
    }
  }

  public TimeAxis {
    checkArgument(pointsPerStep >= 1, "%s points a step", pointsPerStep);
    requireNonNull(steps, "steps");
    requireNonNull(spans, "spans");
  }

  /** The point at which the time ends. */
  public int endPoint() {
    return pointsPerStep * steps.size();
  }

  /** How many steps are operators of the original, or times: an exit is no operator. O(steps). */
  public int count() {
    int count = 0;
    for (Step step : steps) {
      count += step.isExit() || step.presence() == Presence.AFTER ? 0 : 1;
    }
    return count;
  }

  /** The largest depth of a span, counted from 1; 0 if there are none. */
  public int depth() {
    int depth = 0;
    for (Span span : spans) {
      depth = Math.max(depth, span.depth() + 1);
    }
    return depth;
  }

  /** What happens at a point, for people: {@code #3 conv2d}, or the time itself. */
  public String describe(int point) {
    int step = Math.min(point / pointsPerStep, steps.size() - 1);
    String label = steps.isEmpty() ? "" : steps.get(step).label();
    return pointsPerStep == 1 ? "time " + label : "#" + step + " " + label;
  }
}
