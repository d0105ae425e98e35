package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * An in-place pair: an output that an operator can compute in the buffer of an input.
 *
 * <p>{@link OperatorCatalog#inPlacePairs} decides for which programs the pair is on.
 *
 * @param input the input slot; the pair concerns its first argument
 * @param output the output slot; the pair concerns its first argument
 * @param versions the versions whose own table lists the pair, comma-separated: {@code 1.5}, {@code
 *     2.2m} (macro activations), {@code HEAD}, {@code yaml}; or {@code definition}, for operators
 *     of ONNX and pairs that Paddle does not list
 * @param condition the condition that a call must meet
 * @param naming when the two arguments can be one variable, and not only two variables in one
 *     buffer
 * @param runs the evidence: test runs of the real Paddle
 */
public record InPlacePair(
    String input,
    String output,
    String versions,
    InPlaceCondition condition,
    Naming naming,
    InPlaceRuns runs) {

  /** A pair without a condition, whose two sides can have one name. */
  public static InPlacePair of(String input, String output, String versions, InPlaceRuns runs) {
    return new InPlacePair(input, output, versions, InPlaceCondition.NONE, Naming.FREE, runs);
  }

  /**
   * When the two arguments of a pair can have one name.
   *
   * <p>Paddle's runtime sets the shapes of outputs before a kernel runs. Some kernels then read the
   * input's shape, or a tensor, to compute their output's shape. If input and output are one
   * variable, such a kernel reads the wrong shape.
   *
   * @param possible whether the two can ever have one name
   * @param apartWith input slots whose presence in a call rules out one name
   */
  public record Naming(boolean possible, ImmutableSet<String> apartWith) {

    /** The two can have one name wherever they can share a buffer. */
    static final Naming FREE = new Naming(true, ImmutableSet.of());

    /** The two always keep their own names. */
    static final Naming APART = new Naming(false, ImmutableSet.of());
  }

  /**
   * Whether the two arguments can be one variable, and not only two variables in one buffer.
   * O(slots).
   */
  public boolean canShareName(Operation operation) {
    return naming.possible()
        && naming.apartWith().stream().allMatch(slot -> operation.firstInput(slot) < 0);
  }

  /**
   * Whether a call's shapes and attributes meet the condition. Does not check that the two sides
   * have the same number of bytes. O(rank).
   */
  public boolean allows(ShapeCall call) {
    return condition.holds(call);
  }

  /** The condition in a few words, such as {@code unless exclusive}; empty if there is none. */
  public String conditionText() {
    String apart =
        !naming.possible()
            ? "under two names"
            : naming.apartWith().isEmpty()
                ? ""
                : "under two names beside " + String.join(" or ", naming.apartWith());
    String separator = apart.isEmpty() || condition.text().isEmpty() ? "" : ", ";
    return condition.text() + separator + apart;
  }

  /**
   * The variable whose buffer the operator could reuse: the first argument of the input slot, if
   * the operator reads it once and does not write it; else {@link Program#NO_VARIABLE}.
   * O(arguments).
   */
  public int source(Operation operation) {
    int position = operation.firstInput(input);
    int source = position < 0 ? Program.NO_VARIABLE : operation.input(position);
    boolean legal = operation.countInputs(source) == 1 && operation.countOutputs(source) == 0;
    return legal ? source : Program.NO_VARIABLE;
  }

  /**
   * The variable that the operator could compute in place: the first argument of the output slot,
   * if the operator writes it once and does not read it; else {@link Program#NO_VARIABLE}.
   * O(arguments).
   */
  public int target(Operation operation) {
    int position = operation.firstOutput(output);
    int target = position < 0 ? Program.NO_VARIABLE : operation.output(position);
    boolean legal = operation.countOutputs(target) == 1 && operation.countInputs(target) == 0;
    return legal ? target : Program.NO_VARIABLE;
  }
}
