package dev.sublet.paddle.oracle;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One operator with all that it is given, to be computed twice.
 *
 * @param text what it was read from, with all extents known
 * @param type the operator's type
 * @param inputs the tensors in its input slots, in the order of the slots
 * @param fromForward further input slots: outputs of the operator whose gradient operator this is,
 *     computed from the same inputs
 * @param outputs its output slots, in order
 * @param attributes its attributes as program text has them, braces included; may be empty
 * @param tolerance how much results may differ; see {@link Difference}
 */
public record OracleCase(
    String text,
    String type,
    ImmutableListMultimap<String, LodTensor> inputs,
    ImmutableList<String> fromForward,
    ImmutableList<Output> outputs,
    String attributes,
    double tolerance) {

  public OracleCase {
    requireNonNull(text, "text");
    requireNonNull(type, "type");
    requireNonNull(inputs, "inputs");
    requireNonNull(fromForward, "fromForward");
    requireNonNull(outputs, "outputs");
    requireNonNull(attributes, "attributes");
  }

  /**
   * One output slot.
   *
   * @param slot its name
   * @param count how many arguments it has
   * @param compared whether its values are; a shape holder has none
   * @param variableOf the input slot whose first argument is the output too; empty if it has a
   *     variable of its own
   */
  public record Output(String slot, int count, boolean compared, String variableOf) {

    public Output {
      requireNonNull(slot, "slot");
      requireNonNull(variableOf, "variableOf");
    }
  }

  /** The same call with other tensors in its input slots. */
  OracleCase withInputs(ImmutableListMultimap<String, LodTensor> newInputs) {
    return new OracleCase(text, type, newInputs, fromForward, outputs, attributes, tolerance);
  }

  /** The same call with other output slots. */
  OracleCase withOutputs(ImmutableList<Output> newOutputs) {
    return new OracleCase(text, type, inputs, fromForward, newOutputs, attributes, tolerance);
  }

  /** The case with what the operator itself gives as the inputs that come from it. */
  public OracleCase completed(Function<OperatorCall, OperatorResult> kernels) {
    if (fromForward.isEmpty()) {
      return this;
    }
    ImmutableListMultimap.Builder<String, LodTensor> own = ImmutableListMultimap.builder();
    inputs.forEach(
        (slot, tensor) -> {
          if (!slot.endsWith("@GRAD")) {
            own.put(slot, tensor);
          }
        });
    ImmutableList.Builder<Output> results = ImmutableList.builder();
    fromForward.forEach(slot -> results.add(new Output(slot, 1, true, "")));
    OracleCase forward =
        new OracleCase(
            text,
            type.replace("_grad", ""),
            own.build(),
            ImmutableList.of(),
            results.build(),
            attributes,
            tolerance);
    OperatorResult result = kernels.apply(forward.call());
    ImmutableListMultimap.Builder<String, LodTensor> all = ImmutableListMultimap.builder();
    all.putAll(inputs);
    for (String slot : fromForward) {
      all.put(slot, LodTensor.of(result.outputs().get(slot).get(0).tensor()));
    }
    return new OracleCase(
        text, type, all.build(), ImmutableList.of(), outputs, attributes, tolerance);
  }

  /** The name of an input's variable. */
  static String inputName(String prefix, String slot, int argument) {
    return prefix + "i_" + slot + "_" + argument;
  }

  /** The name of an output's variable. */
  static String outputName(String prefix, Output output, int argument) {
    return output.variableOf().isEmpty()
        ? prefix + "o_" + output.slot() + "_" + argument
        : inputName(prefix, output.variableOf(), argument);
  }

  /** The operator as a line of program text; its variables' names begin with the prefix. */
  String operator(String prefix) {
    List<String> outputSlots = new ArrayList<>();
    for (Output output : outputs) {
      StringBuilder slot = new StringBuilder(output.slot()).append(':');
      for (int i = 0; i < output.count(); i++) {
        slot.append(' ').append(outputName(prefix, output, i));
      }
      outputSlots.add(slot.toString());
    }
    List<String> inputSlots = new ArrayList<>();
    for (String name : inputs.keySet()) {
      StringBuilder slot = new StringBuilder(name).append(':');
      for (int i = 0; i < inputs.get(name).size(); i++) {
        slot.append(' ').append(inputName(prefix, name, i));
      }
      inputSlots.add(slot.toString());
    }
    return String.format(
        "(%s) = %s(%s) %s",
        String.join(", ", outputSlots), type, String.join(", ", inputSlots), attributes);
  }

  /** Declarations of the input variables as lines of program text. */
  List<String> inputDeclarations(String prefix) {
    List<String> lines = new ArrayList<>();
    for (String slot : inputs.keySet()) {
      for (int i = 0; i < inputs.get(slot).size(); i++) {
        Tensor tensor = inputs.get(slot).get(i).tensor();
        lines.add(
            "var "
                + inputName(prefix, slot, i)
                + ": "
                + OracleTensors.typeText(tensor)
                + " persistable");
      }
    }
    return lines;
  }

  /** A program of this operator alone; its small inputs of whole numbers are known. */
  public ProgramDesc program(String prefix) {
    List<String> lines = new ArrayList<>(List.of("version 2003002", "block 0"));
    lines.addAll(inputDeclarations(prefix));
    for (String slot : inputs.keySet()) {
      for (int i = 0; i < inputs.get(slot).size(); i++) {
        Tensor tensor = inputs.get(slot).get(i).tensor();
        if (tensor.type() == ElementType.INT32 && tensor.length() > 0 && tensor.length() < 20) {
          lines.add(
              String.format(
                  "(Out: %s) = assign_value() {shape: ints %s, dtype: 2, int32_values: ints %s}",
                  inputName(prefix, slot, i), tensor.shape(), list(tensor)));
        }
      }
    }
    lines.add(operator(prefix));
    return ProgramText.parseMessage(String.join("\n", lines));
  }

  private static List<Long> list(Tensor tensor) {
    List<Long> elements = new ArrayList<>();
    for (int i = 0; i < tensor.length(); i++) {
      elements.add(tensor.getLong(i));
    }
    return elements;
  }

  /** The call that a kernel gets. */
  public OperatorCall call() {
    List<String> lines = new ArrayList<>();
    lines.add("block 0");
    lines.addAll(inputDeclarations(""));
    lines.add(operator(""));
    Operation operation =
        ProgramText.parse(lines.toArray(new String[0])).block(0).operations().get(0);
    ImmutableSet.Builder<String> slots = ImmutableSet.builder();
    outputs.forEach(output -> slots.add(output.slot()));
    return new OperatorCall(operation, inputs, slots.build());
  }

  /** Whether our shape rule does not accept the inputs, whatever Paddle makes of them. */
  public boolean isRefusedByShapeRule() {
    ProgramDesc.Builder message = program("").toBuilder();
    for (VarDesc.Builder variable : message.getBlocksBuilder(0).getVarsBuilderList()) {
      if (variable.getName().startsWith("o_")) {
        // Extents that are declared would stand in for those that the rule does not give.
        variable
            .getTypeBuilder()
            .getLodTensorBuilder()
            .getTensorBuilder()
            .clearDims()
            .addDims(-1)
            .addDims(-1);
      }
    }
    Program program = Program.of(message.build());
    try {
      Sizes sizes = ShapeRuleCheck.infer(program);
      return IntStream.range(0, program.variableCount())
          .anyMatch(
              variable -> sizes.reason(variable).startsWith("the declared shapes contradict"));
    } catch (ProgramException e) {
      return true;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
