package dev.sublet.runtime.memory;

import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import java.util.BitSet;

/** The copies that a plan skips because source and target have the same bytes. */
public final class SkippedCopies {

  private static final ImmutableSet<String> COPIES =
      ImmutableSet.of("assign", "rnn_memory_helper", "share_data");

  /** For each block, the indices of the skipped operators. */
  private final BitSet[] skipped;

  /**
   * Checks and collects the skipped copies of a plan. O(blocks + copies).
   *
   * @throws ProgramException if an operator is not in the program, or does not copy between the
   *     variables that the plan names
   */
  SkippedCopies(Program program, MemoryPlan plan) {
    skipped = new BitSet[program.blocks().size()];
    for (int i = 0; i < skipped.length; i++) {
      skipped[i] = new BitSet();
    }
    for (UnneededCopy copy : plan.copies()) {
      Operation operation = find(program, copy);
      if (!copies(program, operation, copy)) {
        throw ProgramException.unreadable(
            operation.location(),
            "the plan lets it be skipped as a copy of "
                + copy.from()
                + " to "
                + copy.to()
                + ", which it is not");
      }
      skipped[copy.block()].set(copy.operator());
    }
  }

  /** Whether operators of a type only copy their single input to their single output. */
  public static boolean isCopy(String type) {
    return COPIES.contains(type);
  }

  private static Operation find(Program program, UnneededCopy copy) {
    boolean exists =
        0 <= copy.block()
            && copy.block() < program.blocks().size()
            && 0 <= copy.operator()
            && copy.operator() < program.block(copy.block()).operations().size();
    if (!exists) {
      throw ProgramException.unreadable(
          Location.block(copy.block()),
          "the plan lets op " + copy.operator() + " be skipped, which the program does not have");
    }
    return program.block(copy.block()).operations().get(copy.operator());
  }

  private static boolean copies(Program program, Operation operation, UnneededCopy copy) {
    boolean isOne = operation.outputCount() == 1 && isCopy(operation.type());
    return operation.inputCount() == 1
        && operation.outputCount() >= 1
        && isVariable(program, operation.input(0), copy.from())
        && isVariable(program, operation.output(0), copy.to())
        && (isOne || isReshapeToSame(program, operation));
  }

  /**
   * Whether an operator reshapes its first input to the shape that the input already has, with the
   * result as its first output.
   */
  private static boolean isReshapeToSame(Program program, Operation operation) {
    ViewRule view = OperatorCatalog.standard().lookup(operation.type()).viewRule();
    return view != null
        && view.isReshape()
        && operation.firstInput(view.input()) == 0
        && operation.firstOutput(view.output()) == 0
        && program.variable(operation.input(0)).hasSameType(program.variable(operation.output(0)));
  }

  private static boolean isVariable(Program program, int variable, VariableId id) {
    return variable != Program.NO_VARIABLE && program.variable(variable).id().equals(id);
  }

  /** Whether the plan skips the operator. O(1). */
  boolean contains(Operation operation) {
    return skipped[operation.block()].get(operation.index());
  }
}
