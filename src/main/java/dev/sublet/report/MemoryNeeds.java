package dev.sublet.report;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.baseline.PaddleMemoryPass;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.sharing.VariableSharing;
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
    boolean hasPass = !ComputedConstants.isOnnx(facts) && !hasGradients(facts.program());
    ComputedConstants constants = ComputedConstants.of(facts);
    return new MemoryNeeds(
        total(facts, each -> ComputedConstants.isParameter(each) && !constants.contains(each)),
        total(facts, constants::isUsed),
        activations(facts),
        hasPass,
        hasPass ? PaddleMemoryPass.bytes(facts.program(), facts.sizes()) : OptionalLong.empty());
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
