package dev.sublet.verify.plan;

import dev.sublet.diag.ByteText;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.Violations;

/**
 * Detects that a plan was made for other shapes than those of the validation, and reports this as
 * one violation instead of one per variable. O(variables × log allocations of a variable).
 */
final class ShapesCheck {

  private static final String REMEDY = "the --shape, --batch and --lod that the plan was made with";

  private final Program program;
  private final ObservedVariables observed;
  private final PlacedAllocations allocations;
  private final Sizes sizes;
  private final Violations violations;

  ShapesCheck(
      Program program,
      ObservedVariables observed,
      PlacedAllocations allocations,
      Sizes sizes,
      Violations violations) {
    this.program = program;
    this.observed = observed;
    this.allocations = allocations;
    this.sizes = sizes;
    this.violations = violations;
  }

  /**
   * Adds a violation if several planned variables have no known size, or if a feed has too few
   * bytes.
   */
  void run() {
    int count = 0;
    Variable first = null;
    for (Variable variable : program.variables()) {
      boolean isTensor = variable.kind() == Variable.Kind.TENSOR && !variable.isPersistable();
      int index = variable.index();
      if (isTensor && allocations.isPlanned(index) && !sizes.isKnown(index)) {
        first = first == null ? variable : first;
        count++;
      }
    }
    if (first != null && count > 1) {
      violations.add(
          first,
          "its size is unknown: "
              + sizes.reason(first.index())
              + "; so are those of "
              + (count - 1)
              + " other planned variables: give "
              + REMEDY);
      return;
    }
    addFeed(/* tooLarge= */ false);
  }

  /**
   * Adds an explanation before the other violations, if there are any and a feed has more bytes
   * than it needs.
   */
  void explain() {
    if (!violations.isEmpty()) {
      addFeed(/* tooLarge= */ true);
    }
  }

  private void addFeed(boolean tooLarge) {
    for (Variable feed : program.variables()) {
      int allocation =
          observed.isDefinedAtStart(feed.index())
              ? allocations.at(feed.index(), 0)
              : PlacedAllocations.NONE;
      if (allocation == PlacedAllocations.NONE) {
        continue;
      }
      long bytes = allocations.get(allocation).bytes();
      long needed = sizes.bytes(feed.index());
      if (tooLarge ? bytes > needed : bytes < needed) {
        violations.explain(
            feed,
            "has "
                + ByteText.inWords(bytes)
                + ", but needs "
                + ByteText.exact(needed)
                + " for the shapes that it is verified for; are these not "
                + REMEDY
                + "?");
        return;
      }
    }
  }
}
