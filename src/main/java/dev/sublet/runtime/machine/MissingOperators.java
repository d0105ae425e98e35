package dev.sublet.runtime.machine;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.memory.Numbering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds all operators of a program that cannot run, so that one error lists them all. */
final class MissingOperators {

  private MissingOperators() {}

  /**
   * Checks that every operator has an implementation. O(operators).
   *
   * @throws ProgramException if an operator has none
   */
  static void check(Program program, Numbering numbering, KernelRegistry kernels) {
    Map<String, List<Operation>> missing = new TreeMap<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (!canRun(operation, numbering, kernels)) {
          missing.computeIfAbsent(operation.type(), type -> new ArrayList<>()).add(operation);
        }
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    StringBuilder message = new StringBuilder();
    message
        .append(missing.size())
        .append(missing.size() == 1 ? " operator type" : " operator types");
    message.append(" cannot be run: ");
    String separator = "";
    for (Map.Entry<String, List<Operation>> entry : missing.entrySet()) {
      Operation first = entry.getValue().get(0);
      message
          .append(separator)
          .append(entry.getKey())
          .append(" (")
          .append(entry.getValue().size())
          .append(" times, first at block ")
          .append(first.block())
          .append(", op ")
          .append(first.index())
          .append(')');
      separator = ", ";
    }
    throw ProgramException.of(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), message.toString());
  }

  private static boolean canRun(Operation operation, Numbering numbering, KernelRegistry kernels) {
    if (!operation.blocks().isEmpty()) {
      return numbering.isFollowed(operation)
          && numbering.kind(operation) != ControlKind.RECURRENT_GRAD;
    }
    return ScopeOperators.types().contains(operation.type())
        || kernels.find(operation.type()).isPresent();
  }
}
