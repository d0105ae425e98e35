package dev.sublet.shape;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.Optional;

/**
 * Operators that compute each row of a batch, an index of the first axis, from the same row of
 * their inputs and from parameters, whatever the number of rows.
 *
 * <p>The elements of two halves are those of the whole, up to the rounding of kernels that divide
 * their work by the number of rows. Sequences have no rows here: a tensor with LoD is no batch.
 */
public final class RowOperators {

  /**
   * The inputs and the output that have the rows.
   *
   * @param inputs the dense indices of the variables, each once; not empty
   * @param output the dense index of the variable
   */
  public record RowTensors(ImmutableList<Integer> inputs, int output) {}

  /** The names of the slots with the rows. */
  private record Slots(String input, String output) {}

  private static final Slots STANDARD = new Slots("X", "Out");

  private static final ImmutableMap<String, Slots> SLOTS =
      ImmutableMap.of(
          "conv2d", new Slots("Input", "Output"),
          "depthwise_conv2d", new Slots("Input", "Output"),
          "conv2d_transpose", new Slots("Input", "Output"),
          "batch_norm", new Slots("X", "Y"),
          "layer_norm", new Slots("X", "Y"));

  private static final ImmutableSet<String> ELEMENT_BY_ELEMENT =
      ImmutableSet.of(
          "relu",
          "relu6",
          "leaky_relu",
          "sigmoid",
          "tanh",
          "hard_swish",
          "hard_sigmoid",
          "swish",
          "gelu",
          "scale",
          "cast",
          "exp",
          "sqrt",
          "square",
          "abs",
          "clip");

  private static final ImmutableSet<String> IMAGES =
      ImmutableSet.of(
          "conv2d",
          "depthwise_conv2d",
          "conv2d_transpose",
          "pool2d",
          "nearest_interp",
          "nearest_interp_v2",
          "bilinear_interp",
          "bilinear_interp_v2");

  private static final ImmutableSet<String> ARITHMETIC =
      ImmutableSet.of("elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_div");

  /** The slots of ONNX's operators have numbers. */
  private static final Slots OF_ONNX = new Slots("0", "0");

  private static final ImmutableSet<String> ONNX_ELEMENT_BY_ELEMENT =
      ImmutableSet.of(
          "Relu",
          "LeakyRelu",
          "Sigmoid",
          "Tanh",
          "HardSwish",
          "HardSigmoid",
          "Elu",
          "Erf",
          "Exp",
          "Neg",
          "Sqrt",
          "Abs",
          "Cast",
          "Clip");

  private static final ImmutableSet<String> ONNX_IMAGES =
      ImmutableSet.of(
          "Conv", "ConvTranspose", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool");

  private static final ImmutableSet<String> ONNX_ARITHMETIC =
      ImmutableSet.of("Add", "Sub", "Mul", "Div");

  private final Program program;
  private final Sizes sizes;
  private final LodCarriers lod;

  /**
   * Creates a view of a program.
   *
   * @param sizes the sizes of its variables
   * @param lod its variables that may carry LoD
   */
  public RowOperators(Program program, Sizes sizes, LodCarriers lod) {
    this.program = program;
    this.sizes = sizes;
    this.lod = lod;
  }

  /**
   * The rows of an operator; empty if it may mix rows. Its {@link #otherOutputs} may depend on all
   * rows. O(arguments).
   */
  public Optional<RowTensors> rows(Operation operation) {
    Slots slots = isOnnx(operation) ? OF_ONNX : SLOTS.getOrDefault(operation.type(), STANDARD);
    int output = only(operation.outputSlot(slots.output()));
    ImmutableList<Integer> inputs =
        hasSeveralInputs(operation)
            ? allButParameters(operation)
            : onlyOne(operation, only(operation.inputSlot(slots.input())));
    boolean hasRows =
        output != Program.NO_VARIABLE
            && !inputs.isEmpty()
            && !inputs.contains(output)
            && rowCount(output) > 0
            && inputs.stream().allMatch(input -> rowCount(input) == rowCount(output))
            && isExact(operation, output);
    return hasRows && hasOnlyParameters(operation, inputs) && keepsRows(operation, inputs)
        ? Optional.of(new RowTensors(inputs, output))
        : Optional.empty();
  }

  /** Whether the operator may compute a row from the same row of more than one input. */
  private static boolean hasSeveralInputs(Operation operation) {
    return ARITHMETIC.contains(operation.type())
        || ONNX_ARITHMETIC.contains(operation.type())
        || isJoin(operation);
  }

  private static boolean isJoin(Operation operation) {
    return operation.type().equals("concat") || operation.type().equals("Concat");
  }

  private ImmutableList<Integer> allButParameters(Operation operation) {
    ImmutableSet.Builder<Integer> inputs = ImmutableSet.builder();
    for (int i = 0; i < operation.inputCount(); i++) {
      int input = operation.input(i);
      if (input != Program.NO_VARIABLE && !program.variable(input).isPersistable()) {
        inputs.add(input);
      }
    }
    return inputs.build().asList();
  }

  private static ImmutableList<Integer> onlyOne(Operation operation, int input) {
    return input != Program.NO_VARIABLE && operation.countInputs(input) == 1
        ? ImmutableList.of(input)
        : ImmutableList.of();
  }

  /** The only variable of a slot; none if there are several. */
  private static int only(Optional<Slot> slot) {
    return slot.isPresent() && slot.get().size() == 1
        ? slot.get().variable(0)
        : Program.NO_VARIABLE;
  }

  /** The extent of the first axis; 0 if it is not known, or the tensor may carry LoD. */
  public long rowCount(int variable) {
    ImmutableLongArray dims = sizes.dims(variable);
    boolean isKnown = sizes.isKnown(variable) && !lod.carries(variable) && !dims.isEmpty();
    return isKnown ? dims.get(0) : 0;
  }

  /** Whether the extents of an output are no bounds. */
  private boolean isExact(Operation operation, int output) {
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) == output) {
        return sizes.writesOwnDims(operation, i);
      }
    }
    return false;
  }

  private boolean hasOnlyParameters(Operation operation, ImmutableList<Integer> inputs) {
    for (int i = 0; i < operation.inputCount(); i++) {
      int other = operation.input(i);
      boolean isParameter = other == Program.NO_VARIABLE || program.variable(other).isPersistable();
      if (!inputs.contains(other) && !isParameter) {
        return false;
      }
    }
    return true;
  }

  /**
   * The other outputs of an operator than the output with the rows, except outputs that leave a
   * parameter as it is. Nothing may read them if the operator runs on other rows. O(arguments).
   */
  public static ImmutableList<Integer> otherOutputs(Operation operation, RowTensors rows) {
    ImmutableList.Builder<Integer> others = ImmutableList.builder();
    for (int i = 0; i < operation.outputCount(); i++) {
      int other = operation.output(i);
      // In inference, these outputs of a batch normalization are its inputs.
      boolean isKept = operation.type().equals("batch_norm") && operation.countInputs(other) > 0;
      if (other != Program.NO_VARIABLE && other != rows.output() && !isKept) {
        others.add(other);
      }
    }
    return others.build();
  }

  private boolean keepsRows(Operation operation, ImmutableList<Integer> inputs) {
    int rank = sizes.dims(inputs.get(0)).length();
    String type = operation.type();
    if (isJoin(operation)) {
      return joinsWithinRows(operation, inputs);
    }
    if (hasSeveralInputs(operation)) {
      return isByElements(operation, inputs);
    }
    if (isOnnx(operation)) {
      return keepsRowsOfOnnx(operation, rank);
    }
    if (ELEMENT_BY_ELEMENT.contains(type)) {
      return true;
    }
    if (IMAGES.contains(type)) {
      return rank == 4;
    }
    return switch (type) {
      case "batch_norm" ->
          rank > 1 && (operation.flag("is_test") || operation.flag("use_global_stats"));
      case "dropout" -> operation.flag("is_test");
      case "softmax" -> axis(operation, rank) > 0;
      case "layer_norm" -> number(operation, "begin_norm_axis", 1) > 0;
      case "mul" -> number(operation, "x_num_col_dims", 1) > 0;
      case "matmul", "matmul_v2" -> isByMatrix(operation, rank);
      case "transpose2" -> first(operation, "axis", -1) == 0;
      case "reshape2" -> operation.inputCount() == 1 && first(operation, "shape", 1) <= 0;
      case "flatten_contiguous_range" -> number(operation, "start_axis", 1) > 0;
      default -> false;
    };
  }

  private static boolean isOnnx(Operation operation) {
    String type = operation.type();
    return !type.isEmpty() && Ascii.isUpperCase(type.charAt(0));
  }

  private boolean keepsRowsOfOnnx(Operation operation, int rank) {
    String type = operation.type();
    if (ONNX_ELEMENT_BY_ELEMENT.contains(type)) {
      return true;
    }
    if (ONNX_IMAGES.contains(type)) {
      return rank == 4 && operation.outputCount() == 1;
    }
    int second = operation.inputCount() > 1 ? operation.input(1) : Program.NO_VARIABLE;
    return switch (type) {
      case "BatchNormalization" ->
          rank > 1 && operation.outputCount() == 1 && number(operation, "training_mode", 0) == 0;
      case "Softmax" -> rank > 1 && axis(operation, rank) > 0;
      case "LayerNormalization" ->
          rank > 1 && operation.outputCount() == 1 && axis(operation, rank) > 0;
      case "MatMul" -> rank >= 2 && isMatrix(second);
      case "Gemm" ->
          number(operation, "transA", 0) == 0 && isMatrix(second) && addsToRows(operation);
      case "Transpose" -> first(operation, "perm", -1) == 0;
      case "Flatten" -> number(operation, "axis", 1) == 1;
      case "Reshape" -> number(operation, "allowzero", 0) == 0 && firstElement(second) <= 0;
      default -> false;
    };
  }

  /** The first element of a constant; 1 if it is not known. */
  private long firstElement(int variable) {
    return variable == Program.NO_VARIABLE || !program.variable(variable).isPersistable()
        ? 1
        : program
            .variable(variable)
            .elements()
            .filter(elements -> !elements.isEmpty())
            .map(elements -> (long) elements.get(0))
            .orElse(1L);
  }

  /**
   * Whether an operator joins tensors, none of them a parameter, at a later axis than the first.
   */
  private boolean joinsWithinRows(Operation operation, ImmutableList<Integer> inputs) {
    int rank = sizes.dims(inputs.get(0)).length();
    long axis = number(operation, "axis", isOnnx(operation) ? 1 : 0);
    boolean isJoined = hasFixedAxis(operation);
    for (int i = 0; i < operation.inputCount(); i++) {
      isJoined &= inputs.contains(operation.input(i));
    }
    return isJoined && (axis < 0 ? axis + rank : axis) > 0;
  }

  /** Whether a join has no axis as an input. In saved programs, the slot is there without one. */
  public static boolean hasFixedAxis(Operation join) {
    return join.inputSlot("AxisTensor").map(Slot::size).orElse(0) == 0;
  }

  /**
   * Whether each operand of an arithmetic operator has the rows in its first axis, or is the same
   * for all rows.
   */
  private boolean isByElements(Operation operation, ImmutableList<Integer> inputs) {
    int rank = sizes.dims(inputs.get(0)).length();
    for (int input : inputs) {
      rank = Math.max(rank, sizes.dims(input).length());
    }
    // In Paddle, the first operand has the shape of the result.
    long axis = number(operation, "axis", -1);
    if (isOnnx(operation) && axis != -1) {
      return false; // before opset 7
    }
    boolean isByElements = isOnnx(operation) || inputs.contains(only(operation.inputSlot("X")));
    for (int i = 0; i < operation.inputCount(); i++) {
      int operand = operation.input(i);
      isByElements &=
          inputs.contains(operand)
              ? sizes.dims(operand).length() == rank
              : isWithinRows(operand, rank, axis);
    }
    return isByElements;
  }

  private boolean isMatrix(int variable) {
    return variable != Program.NO_VARIABLE
        && sizes.isKnown(variable)
        && sizes.dims(variable).length() == 2;
  }

  /** Whether the third input of a matrix multiplication is the same for all rows. */
  private boolean addsToRows(Operation operation) {
    int third = operation.inputCount() > 2 ? operation.input(2) : Program.NO_VARIABLE;
    return third == Program.NO_VARIABLE || isWithinRows(third, /* rank= */ 2, -1);
  }

  /** Whether a matrix multiplication has rows on the left and a matrix on the right. */
  private boolean isByMatrix(Operation operation, int rank) {
    int right = only(operation.inputSlot("Y"));
    return rank >= 2
        && right != Program.NO_VARIABLE
        && sizes.dims(right).length() == 2
        && !operation.flag("trans_x")
        && !operation.flag("transpose_X");
  }

  /** Whether an operand of an arithmetic operator is the same for all rows. */
  private boolean isWithinRows(int second, int rank, long axis) {
    if (second == Program.NO_VARIABLE) {
      return false;
    }
    ImmutableLongArray dims = sizes.dims(second);
    long begin = axis < 0 ? rank - dims.length() : axis;
    boolean isKnown = sizes.isKnown(second) && dims.length() <= rank;
    return isKnown && (begin > 0 || (begin == 0 && dims.get(0) == 1));
  }

  private static long axis(Operation operation, int rank) {
    long axis = number(operation, "axis", -1);
    return axis < 0 ? axis + rank : axis;
  }

  private static long number(Operation operation, String attribute, long absent) {
    return operation.attribute(attribute).map(value -> value.asLong(absent)).orElse(absent);
  }

  private static long first(Operation operation, String attribute, long absent) {
    ImmutableList<Long> values =
        operation.attribute(attribute).map(Attribute::longs).orElse(ImmutableList.of());
    return values.isEmpty() ? absent : values.get(0);
  }
}
