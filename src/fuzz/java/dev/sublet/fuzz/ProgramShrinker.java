package dev.sublet.fuzz;

import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes a program that shows a fault smaller, as long as it shows it: takes out stretches of
 * operators, long ones first, until no single one can go; then the variables that nobody names.
 *
 * <p>O(operators²) tries at worst, each of which is one test of the fault.
 */
public final class ProgramShrinker {

  private final Predicate<Program> fault;
  private ProgramDesc smallest;

  private ProgramShrinker(ProgramDesc message, Predicate<Program> fault) {
    this.smallest = message;
    this.fault = fault;
  }

  /**
   * The smallest program found.
   *
   * @param fault whether a program shows the fault; what it throws counts as no
   */
  public static Program shrink(Program program, Predicate<Program> fault) {
    ProgramShrinker shrinker = new ProgramShrinker(program.toMessage(), fault);
    while (shrinker.removeOperators()) {
      // Each round may make others possible.
    }
    shrinker.removeVariables();
    return Program.of(shrinker.smallest);
  }

  private boolean removeOperators() {
    boolean changed = false;
    for (int block = smallest.getBlocksCount() - 1; block >= 0; block--) {
      for (int length = Math.max(1, smallest.getBlocks(block).getOpsCount() / 2);
          length >= 1;
          length /= 2) {
        int at = smallest.getBlocks(block).getOpsCount() - length;
        while (at >= 0) {
          changed |= tryWithout(block, at, length);
          at = Math.min(at - 1, smallest.getBlocks(block).getOpsCount() - length);
        }
      }
    }
    return changed;
  }

  private boolean tryWithout(int block, int first, int length) {
    ProgramDesc.Builder message = smallest.toBuilder();
    BlockDesc.Builder edited = message.getBlocksBuilder(block);
    for (int i = 0; i < length; i++) {
      edited.removeOps(first);
    }
    return takeIfFaulty(message.build());
  }

  private void removeVariables() {
    Set<String> named = new HashSet<>();
    for (BlockDesc block : smallest.getBlocksList()) {
      for (OpDesc operation : block.getOpsList()) {
        operation.getInputsList().forEach(slot -> named.addAll(slot.getArgumentsList()));
        operation.getOutputsList().forEach(slot -> named.addAll(slot.getArgumentsList()));
        operation.getAttrsList().forEach(attribute -> named.addAll(attribute.getStringsList()));
      }
    }
    for (int block = 0; block < smallest.getBlocksCount(); block++) {
      for (int i = smallest.getBlocks(block).getVarsCount() - 1; i >= 0; i--) {
        VarDesc variable = smallest.getBlocks(block).getVars(i);
        if (!named.contains(variable.getName())) {
          ProgramDesc.Builder message = smallest.toBuilder();
          message.getBlocksBuilder(block).removeVars(i);
          takeIfFaulty(message.build());
        }
      }
    }
  }

  private boolean takeIfFaulty(ProgramDesc message) {
    boolean isFaulty;
    try {
      isFaulty = fault.test(Program.of(message));
    } catch (RuntimeException e) {
      return false;
    }
    if (isFaulty) {
      smallest = message;
    }
    return isFaulty;
  }
}
