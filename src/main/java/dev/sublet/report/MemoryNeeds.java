package dev.sublet.report;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.baseline.PaddleMemoryPass;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.sharing.VariableSharing;
import java.util.BitSet;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The memory that a program needs as it is saved. O(n log n) in arguments, beside Paddle's pass.
 *
 * @param parameters the parameters: all tensors that outlive runs and that no operator computes
 * @param constants the tensors of an ONNX model that depend on parameters only, as far as an
 *     operator of every run reads them
 * @param activations all other tensors that operators use, each with bytes of its own
 * @param hasPaddlePass whether Paddle Inference could run the program: it is no ONNX model, and
 *     computes no gradients
 * @param paddlePass an estimate of the bytes of the activations under Paddle Inference's own memory
 *     pass; empty without {@code hasPaddlePass}, or if the estimate takes too long
 */
record MemoryNeeds(
    TensorTotals parameters,
    TensorTotals constants,
    TensorTotals activations,
    boolean hasPaddlePass,
    OptionalLong paddlePass) {

  /**
   * Some tensors.
   *
   * @param count the number of tensors
   * @param bytes the bytes of the tensors of known size
   * @param unknown the number of tensors of unknown size
   */
  record TensorTotals(int count, long bytes, int unknown) {}

  /** Computes the needs of a program. */
  static MemoryNeeds of(ProgramFacts facts) {
    boolean isOnnx = isOnnx(facts);
    boolean hasPass = !isOnnx && !hasGradients(facts.program());
    BitSet computed = isOnnx ? computedConstants(facts.program()) : new BitSet();
    BitSet used = usedIn(facts.program(), computed);
    return new MemoryNeeds(
        total(facts, variable -> isParameter(variable) && !computed.get(variable.index())),
        total(facts, variable -> used.get(variable.index())),
        activations(facts),
        hasPass,
        hasPass ? PaddleMemoryPass.bytes(facts.program(), facts.sizes()) : OptionalLong.empty());
  }

  private static boolean isParameter(Variable variable) {
    boolean isTensor =
        variable.kind() == Variable.Kind.TENSOR || variable.kind() == Variable.Kind.SELECTED_ROWS;
    return isTensor && variable.isPersistable();
  }

  /** Returns the parameters that an operator writes. */
  private static BitSet computedConstants(Program program) {
    BitSet computed = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount(); i++) {
          int output = operation.output(i);
          if (output != Program.NO_VARIABLE && isParameter(program.variable(output))) {
            computed.set(output);
          }
        }
      }
    }
    return computed;
  }

  /** Returns the constants that an operator reads which computes anything but constants. */
  private static BitSet usedIn(Program program, BitSet constants) {
    BitSet used = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        boolean isComputedOnce = operation.outputCount() > 0;
        for (int i = 0; i < operation.outputCount(); i++) {
          int output = operation.output(i);
          isComputedOnce &= output == Program.NO_VARIABLE || constants.get(output);
        }
        for (int i = 0; i < operation.inputCount() && !isComputedOnce; i++) {
          if (operation.input(i) != Program.NO_VARIABLE && constants.get(operation.input(i))) {
            used.set(operation.input(i));
          }
        }
      }
    }
    return used;
  }

  private static TensorTotals total(ProgramFacts facts, Predicate<Variable> isIncluded) {
    int count = 0;
    int unknown = 0;
    long bytes = 0;
    for (Variable variable : facts.program().variables()) {
      if (isIncluded.test(variable)) {
        boolean isKnown = facts.sizes().isKnown(variable.index());
        count++;
        unknown += isKnown ? 0 : 1;
        bytes = Math.addExact(bytes, isKnown ? facts.sizes().bytes(variable.index()) : 0);
      }
    }
    return new TensorTotals(count, bytes, unknown);
  }

  private static TensorTotals activations(ProgramFacts facts) {
    int count = 0;
    int unknown = 0;
    for (Variable variable : facts.program().variables()) {
      if (!variable.isPersistable()
          && variable.tensorType().isPresent()
          && facts.liveness().graph().accesses().isAccessed(variable.index())) {
        count++;
        unknown += facts.sizes().isKnown(variable.index()) ? 0 : 1;
      }
    }
    return new TensorTotals(
        count, VariableSharing.bytesInUse(facts.liveness(), facts.sizes()), unknown);
  }

  private static boolean isOnnx(ProgramFacts facts) {
    for (Block block : facts.program().blocks()) {
      for (Operation operation : block.operations()) {
        if (facts.catalog().lookup(operation.type()).isOnnx()) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasGradients(Program program) {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (operation.type().endsWith("_grad")) {
          return true;
        }
      }
    }
    return false;
  }
}
