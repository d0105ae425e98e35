package dev.sublet.picture;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * The time axis of a picture: steps from left to right, each with the same number of points.
 *
 * @param pointsPerStep 2 for operators, which first read and then write; 1 for the times of a table
 * @param steps the steps
 * @param spans the bodies of control operators, outer ones before inner ones
 */
public record TimeAxis(
    int pointsPerStep, ImmutableList<AxisStep> steps, ImmutableList<Span> spans) {

  /** The stages that have a step. */
  public enum Presence {
    /** Both stages. */
    BOTH,
    /** Only the original program has the operator. */
    BEFORE,
    /** Only the rewritten program has the operator. */
    AFTER
  }

  /**
   * A step: an operator, the head or the exit of a control operator, or a time.
   *
   * @param label the printable type of the operator, or the time
   * @param place the location of the operator, such as {@code block 1, op 3}; empty without a
   *     program
   * @param isExit whether the step is the exit of a control operator
   * @param isSkipped whether the operator is a copy that need not run
   * @param presence the stages that have the step
   */
  public record AxisStep(
      String label, String place, boolean isExit, boolean isSkipped, Presence presence) {

    public AxisStep {
      requireNonNull(label, "label");
      requireNonNull(place, "place");
      requireNonNull(presence, "presence");
    }

    /** Returns a step that both stages have. */
    static AxisStep named(String label) {
      return new AxisStep(label, "", false, false, Presence.BOTH);
    }
  }

  /**
   * The steps of a control operator, head and exit included.
   *
   * @param head the step of the operator's head
   * @param exit the step of the operator's exit
   * @param block the block that the operator runs
   * @param label the operator's type
   * @param isLoop whether the block may run more than once
   * @param depth the number of other spans that contain the span
   */
  public record Span(int head, int exit, int block, String label, boolean isLoop, int depth) {

    public Span {
      requireNonNull(label, "label");
    }
  }

  /** Throws {@link IllegalArgumentException} if a step has no point. */
  public TimeAxis {
    checkArgument(pointsPerStep >= 1, "%s points a step", pointsPerStep);
    requireNonNull(steps, "steps");
    requireNonNull(spans, "spans");
  }

  /** The point at which the time ends. */
  public int endPoint() {
    return pointsPerStep * steps.size();
  }

  /**
   * The number of steps that are operators of the original program, or times. Exits do not count.
   * O(steps).
   */
  public int count() {
    int count = 0;
    for (AxisStep step : steps) {
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

  /** Returns a readable description of a point: {@code #3 conv2d}, or the time of a table. */
  public String describe(int point) {
    int step = Math.min(point / pointsPerStep, steps.size() - 1);
    String label = steps.isEmpty() ? "" : steps.get(step).label();
    return pointsPerStep == 1 ? "time " + label : "#" + step + " " + label;
  }
}
