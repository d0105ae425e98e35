package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Finds a program's feeds: outputs of {@code feed} operators, variables whose feed is checked, and
 * tensors of block 0 that are read before anything writes them.
 */
final class InitialValues {

  /** These list among their inputs what only a later iteration reads. */
  private static final ImmutableSet<String> CONTROL =
      ImmutableSet.of(
          "while",
          "while_grad",
          "conditional_block",
          "conditional_block_infer",
          "conditional_block_grad",
          "recurrent",
          "recurrent_grad");

  private final Program program;
  private final BitSet written = new BitSet();
  private final Set<String> feeds = new LinkedHashSet<>();

  private InitialValues(Program program) {
    this.program = program;
  }

  /** The names of the feeds, which are variables of block 0. O(operators). */
  static ImmutableSet<String> feeds(Program program) {
    InitialValues values = new InitialValues(program);
    for (Variable variable : program.block(0).variables()) {
      if (variable.needsFeedCheck()) {
        values.feeds.add(variable.name());
      }
    }
    values.walk(0);
    return ImmutableSet.copyOf(values.feeds);
  }

  private void walk(int block) {
    for (Operation operation : program.block(block).operations()) {
      if (operation.type().equals("feed")) {
        for (int i = 0; i < operation.outputCount(); i++) {
          addFeed(operation.output(i));
        }
        continue;
      }
      for (int i = 0; i < operation.inputCount(); i++) {
        int input = operation.input(i);
        if (input != Program.NO_VARIABLE
            && !written.get(input)
            && !(CONTROL.contains(operation.type()) && isOutput(operation, input))) {
          addFeed(input);
        }
      }
      for (int inner : operation.blocks()) {
        walk(inner);
      }
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          written.set(operation.output(i));
        }
      }
    }
  }

  private static boolean isOutput(Operation operation, int variable) {
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) == variable) {
        return true;
      }
    }
    return false;
  }

  private void addFeed(int index) {
    Variable variable = program.variable(index);
    if (variable.block() == 0
        && variable.kind() == Variable.Kind.TENSOR
        && !variable.isPersistable()) {
      feeds.add(variable.name());
    }
  }
}
