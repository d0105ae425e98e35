package dev.sublet;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;

/**
 * The bytes of a program's variables as a schedule counts them: as an offset planner does.
 *
 * @param facts the facts about the program
 * @param options the alignment of offsets, and which variables may share bytes
 */
record ScheduleBytes(ProgramFacts facts, OffsetOptions options) {

  /**
   * A variable that an operator may write into the bytes of a variable that it reads.
   *
   * @param source the variable that is read
   * @param target the variable that is written
   * @param isPart whether the source becomes a part of the target
   */
  record Reuse(int source, int target, boolean isPart) {}

  /** Whether the bytes of a variable are known: those of a tensor of known size. */
  boolean isKnown(int variable) {
    return facts.program().variable(variable).kind() == Variable.Kind.TENSOR
        && facts.sizes().isKnown(variable);
  }

  /** The bytes that a variable takes in an arena; 0 if they are not known. */
  long of(int variable) {
    long alignment = options.alignment();
    return isKnown(variable)
        ? (facts.sizes().bytes(variable) + alignment - 1) / alignment * alignment
        : 0;
  }

  /** The in-place pairs and views of an operator. O(arguments). */
  ImmutableList<Reuse> reuses(Operation operation) {
    ImmutableList.Builder<Reuse> reuses = ImmutableList.builder();
    for (InPlacePair pair : facts.catalog().inPlacePairs(operation, facts.program().version())) {
      if (options.inPlace() && facts.sizes().areSame(operation, pair)) {
        reuses.add(new Reuse(pair.source(operation), pair.target(operation), /* isPart= */ false));
      }
    }
    for (View view : facts.sizes().views(operation)) {
      if (options.views().includes(view)) {
        reuses.add(
            new Reuse(
                operation.input(view.input()), operation.output(view.output()), !view.isWhole()));
      }
    }
    return reuses.build().stream()
        .filter(
            each -> each.source() != Program.NO_VARIABLE && each.target() != Program.NO_VARIABLE)
        .collect(ImmutableList.toImmutableList());
  }
}
