package dev.sublet.report;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.BitSet;

/**
 * The constants of an ONNX model: the tensors that its operators compute from parameters alone. Of
 * other programs, there are none: their operators may write parameters in every run.
 *
 * <pre>
 *   w = DequantizeLinear(weights, scale)      w is a constant
 *   y = Conv(x, w)                            that an operator of every run reads
 * </pre>
 */
final class ComputedConstants {

  private final BitSet computed;
  private final BitSet used;

  private ComputedConstants(BitSet computed, BitSet used) {
    this.computed = computed;
    this.used = used;
  }

  /** Finds the constants. O(arguments). */
  static ComputedConstants of(ProgramFacts facts) {
    BitSet computed = isOnnx(facts) ? written(facts.program()) : new BitSet();
    return new ComputedConstants(computed, readInEveryRun(facts.program(), computed));
  }

  /** Whether a variable is a constant. */
  boolean contains(Variable variable) {
    return computed.get(variable.index());
  }

  /** Whether a constant is read by an operator that computes anything but constants. */
  boolean isUsed(Variable variable) {
    return used.get(variable.index());
  }

  /** Whether a program is the translation of an ONNX model. O(operators). */
  static boolean isOnnx(ProgramFacts facts) {
    for (Block block : facts.program().blocks()) {
      for (Operation operation : block.operations()) {
        if (facts.catalog().lookup(operation.type()).isOnnx()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a variable is a tensor that outlives runs. */
  static boolean isParameter(Variable variable) {
    boolean isTensor =
        variable.kind() == Variable.Kind.TENSOR || variable.kind() == Variable.Kind.SELECTED_ROWS;
    return isTensor && variable.isPersistable();
  }

  private static BitSet written(Program program) {
    BitSet written = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount(); i++) {
          int output = operation.output(i);
          if (output != Program.NO_VARIABLE && isParameter(program.variable(output))) {
            written.set(output);
          }
        }
      }
    }
    return written;
  }

  private static BitSet readInEveryRun(Program program, BitSet constants) {
    BitSet used = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (!makesConstantsOnly(operation, constants)) {
          for (int i = 0; i < operation.inputCount(); i++) {
            int input = operation.input(i);
            if (input != Program.NO_VARIABLE && constants.get(input)) {
              used.set(input);
            }
          }
        }
      }
    }
    return used;
  }

  private static boolean makesConstantsOnly(Operation operation, BitSet constants) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE && !constants.get(output)) {
        return false;
      }
    }
    return operation.outputCount() > 0;
  }
}
