package dev.sublet.paddle.oracle;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.DataType;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a program in which one operator is called several times: each time a branch of its own,
 * with variables of its own, from the same parameters.
 *
 * <pre>{@code
 * (Out: b0_Out_0) = relu(X: i_X_0)          # as it is
 * b1_source = assign(i_X_0)                 # in place
 * (Out: b1_source) = relu(X: b1_source)
 * b2_Out_0 = assign(poison)                 # the output's variable holds poison before
 * (Out: b2_Out_0) = relu(X: i_X_0)
 * }</pre>
 */
final class FactProgram {

  /** Fills a float with about 1e16, a boolean with false. */
  static final byte FINITE = 0x5a;

  /** The key of what the input of an in-place pair holds afterwards. */
  static final String SOURCE = "source";

  private final FactCase factCase;

  /** What the outputs were in a plain run, by {@code slot_argument}. */
  private final Map<String, ObservedTensor> observed;

  /** Output slots of which an old value may remain: all branches begin with the same one. */
  private final ImmutableSet<String> mayWrite;

  private final List<String> lines = new ArrayList<>();
  private final Map<String, LodTensor> parameters = new LinkedHashMap<>();

  /** By branch: the fetched names, by {@code slot_argument}. */
  private final List<ListMultimap<String, String>> fetched = new ArrayList<>();

  FactProgram(
      FactCase factCase, Map<String, ObservedTensor> observed, ImmutableSet<String> mayWrite) {
    this.factCase = factCase;
    this.observed = observed;
    this.mayWrite = mayWrite;
    lines.add("version 2003002");
    lines.add("block 0");
    lines.add("feed " + PaddleBatch.FEED + ": fp32[1] check_feed");
    for (String slot : factCase.call().inputs().keySet()) {
      List<LodTensor> arguments = factCase.call().inputs().get(slot);
      for (int i = 0; i < arguments.size(); i++) {
        addParameter(FactCase.parameter(slot, i), arguments.get(i));
      }
    }
  }

  private void addParameter(String name, LodTensor value) {
    if (parameters.put(name, value) == null) {
      lines.add("var " + name + ": " + OracleTensors.typeText(value.tensor()) + " persistable");
    }
  }

  /** The variables of one branch. */
  private final class Branch {

    private final String prefix = "b" + fetched.size() + "_";
    private final Map<String, String> inputs = new LinkedHashMap<>();
    private final Map<String, String> outputs = new LinkedHashMap<>();

    /** The outputs that hold something before the call. */
    private final Set<String> held = new HashSet<>();

    private Branch() {
      for (String slot : factCase.call().inputs().keySet()) {
        for (int i = 0; i < factCase.call().inputs().get(slot).size(); i++) {
          inputs.put(slot + "_" + i, FactCase.parameter(slot, i));
        }
      }
      factCase
          .sameVariable()
          .forEach((slot, other) -> inputs.put(slot + "_0", FactCase.parameter(other, 0)));
      for (OracleCase.Output output : factCase.call().outputs()) {
        for (int i = 0; i < output.count(); i++) {
          String key = output.slot() + "_" + i;
          if (output.variableOf().isEmpty()) {
            outputs.put(key, prefix + key);
            declare(prefix + key, observed.get(key));
          } else {
            outputs.put(key, copied(output.variableOf() + "_0"));
          }
        }
      }
    }

    /** Declares an output as the plain run left it. */
    private void declare(String name, @Nullable ObservedTensor tensor) {
      Optional<ElementType> type =
          tensor == null ? Optional.empty() : tensor.type().flatMap(FactProgram::elementType);
      String text =
          tensor == null || type.isEmpty()
              ? "tensor"
              : OracleTensors.typeText(type.get(), tensor.dims());
      lines.add("var " + name + ": " + text);
    }

    /** An input's value in a variable of the branch. */
    private String copied(String input) {
      String copy = prefix + "in_" + input;
      if (!copy.equals(inputs.get(input))) {
        lines.add("var " + copy + ": tensor");
        lines.add(copy + " = assign(" + inputs.get(input) + ")");
        inputs.put(input, copy);
      }
      return copy;
    }

    /** Gives an output a value before the call. Does nothing for an output that no run has set. */
    private void hold(String key, byte pattern, boolean sameShape) {
      ObservedTensor tensor = observed.get(key);
      Optional<Tensor> poison =
          tensor == null || tensor.type().isEmpty()
              ? Optional.empty()
              : poison(tensor, pattern, sameShape);
      if (poison.isPresent() && held.add(key)) {
        String name = "poison" + fetched.size() + "_" + key;
        addParameter(name, LodTensor.of(poison.get()));
        lines.add(outputs.get(key) + " = assign(" + name + ")");
      }
    }

    /** Gives a value to the outputs that may keep one: else they would show what memory held. */
    private void holdMayWrite() {
      for (OracleCase.Output output : factCase.ownOutputs()) {
        for (int i = 0; i < output.count() && mayWrite.contains(output.slot()); i++) {
          String key = output.slot() + "_" + i;
          if ((prefix + key).equals(outputs.get(key))) {
            hold(key, FINITE, /* sameShape= */ true);
          }
        }
      }
    }

    private void call() {
      holdMayWrite();
      List<String> outputSlots = new ArrayList<>();
      for (OracleCase.Output output : factCase.call().outputs()) {
        outputSlots.add(arguments(output.slot(), output.count(), outputs));
      }
      List<String> inputSlots = new ArrayList<>();
      factCase
          .call()
          .inputs()
          .asMap()
          .forEach((slot, values) -> inputSlots.add(arguments(slot, values.size(), inputs)));
      lines.add(
          String.format(
              "(%s) = %s(%s) %s",
              String.join(", ", outputSlots),
              factCase.call().type(),
              String.join(", ", inputSlots),
              factCase.call().attributes()));
    }

    private void fetch() {
      ListMultimap<String, String> names = LinkedListMultimap.create();
      outputs.forEach(
          (key, variable) -> {
            ObservedTensor tensor = observed.get(key);
            if (tensor != null && tensor.type().isPresent()) {
              names.putAll(key, fetchLines(prefix + "f_" + key, variable, tensor.type().get()));
            }
          });
      fetched.add(names);
    }
  }

  private static String arguments(String slot, int count, Map<String, String> variables) {
    StringBuilder text = new StringBuilder(slot).append(':');
    for (int i = 0; i < count; i++) {
      text.append(' ').append(variables.get(slot + "_" + i));
    }
    return text.toString();
  }

  /** Adds the operator as it is; gives the branch's number. */
  int addPlain() {
    Branch branch = new Branch();
    branch.call();
    branch.fetch();
    return fetched.size() - 1;
  }

  /** Adds the operator with an output under the name of an input. */
  int addOneName(String input, String output) {
    Branch branch = new Branch();
    branch.outputs.put(output + "_0", branch.copied(input + "_0"));
    branch.call();
    branch.fetch();
    return fetched.size() - 1;
  }

  /** Adds the operator with an output of a name of its own in the buffer of an input. */
  int addOneBuffer(String input, String output) {
    Branch branch = new Branch();
    String source = branch.copied(input + "_0");
    String target = branch.outputs.get(output + "_0");
    lines.add(target + " = share_data(" + source + ")");
    branch.held.add(output + "_0");
    branch.call();
    branch.fetch();
    // A kernel may have taken another buffer: then the input still holds its own value.
    ObservedTensor tensor = requireNonNull(observed.get(output + "_0"), output);
    String name = branch.prefix + "f_source";
    List<String> held = fetchLines(name, source, tensor.type().orElseThrow());
    fetched.get(fetched.size() - 1).putAll(SOURCE, held);
    return fetched.size() - 1;
  }

  /**
   * Adds the operator with outputs that hold something else before, of their own shape or of
   * another one.
   *
   * @param slots the output slots
   * @param pattern the byte that fills the poison
   * @param sameShape whether it has the shape that the output will have; else it is a vector of
   *     more bytes
   */
  int addPoisoned(List<String> slots, byte pattern, boolean sameShape) {
    Branch branch = new Branch();
    for (OracleCase.Output output : factCase.ownOutputs()) {
      for (int i = 0; i < output.count() && slots.contains(output.slot()); i++) {
        branch.hold(output.slot() + "_" + i, pattern, sameShape);
      }
    }
    branch.call();
    branch.fetch();
    return fetched.size() - 1;
  }

  /** Adds the operator with other values in inputs of which only the shape is to be read. */
  int addWithoutValues(List<String> slots) {
    Branch branch = new Branch();
    for (String slot : slots) {
      List<LodTensor> values = factCase.call().inputs().get(slot);
      for (int i = 0; i < values.size(); i++) {
        Tensor tensor = values.get(i).tensor();
        String name = "other_" + slot + "_" + i;
        Tensor other = filled(tensor.type(), tensor.shape(), FINITE);
        addParameter(name, new LodTensor(other, values.get(i).lod()));
        branch.inputs.put(slot + "_" + i, name);
      }
    }
    branch.call();
    branch.fetch();
    return fetched.size() - 1;
  }

  /** Fetches the inputs at the end, and gives the branch that has them as outputs. */
  int addInputs() {
    ListMultimap<String, String> names = LinkedListMultimap.create();
    for (String slot : factCase.call().inputs().keySet()) {
      List<LodTensor> values = factCase.call().inputs().get(slot);
      for (int i = 0; i < values.size(); i++) {
        String parameter = FactCase.parameter(slot, i);
        DataType type = OracleTensors.dataType(values.get(i).tensor().type());
        names.putAll(slot + "_" + i, fetchLines("after_" + slot + "_" + i, parameter, type));
      }
    }
    fetched.add(names);
    return fetched.size() - 1;
  }

  private static Optional<Tensor> poison(ObservedTensor tensor, byte pattern, boolean sameShape) {
    Optional<ElementType> type = elementType(tensor.type().orElseThrow());
    if (sameShape) {
      return type.map(t -> filled(t, tensor.dims(), pattern));
    }
    long bytes = TensorData.elements(tensor.dims()) * tensor.type().orElseThrow().bytes();
    ImmutableLongArray longer = ImmutableLongArray.of(bytes + 1000);
    return Optional.of(filled(type.orElse(ElementType.UINT8), longer, pattern));
  }

  private static Optional<ElementType> elementType(DataType type) {
    return ElementType.ofMicroPrograms().stream()
        .filter(t -> OracleTensors.dataType(t) == type)
        .findFirst();
  }

  private static Tensor filled(ElementType type, ImmutableLongArray shape, byte pattern) {
    int length = Tensor.length(shape);
    int word = pattern * 0x01010101;
    return switch (type) {
      case FLOAT32 -> {
        float[] values = new float[length];
        Arrays.fill(values, Float.intBitsToFloat(word));
        yield Tensor.of(shape, values);
      }
      case FLOAT64 -> {
        double[] values = new double[length];
        Arrays.fill(values, Double.longBitsToDouble(pattern * 0x0101010101010101L));
        yield Tensor.of(shape, values);
      }
      case INT32 -> {
        int[] values = new int[length];
        Arrays.fill(values, word);
        yield Tensor.of(shape, values);
      }
      case INT64 -> {
        long[] values = new long[length];
        Arrays.fill(values, pattern * 0x0101010101010101L);
        yield Tensor.of(shape, values);
      }
      case BOOL -> {
        byte[] values = new byte[length];
        Arrays.fill(values, (byte) (pattern & 1));
        yield Tensor.ofBooleans(shape, values);
      }
      case UINT8, INT8 -> {
        byte[] values = new byte[length];
        Arrays.fill(values, pattern);
        yield Tensor.ofBytes(type, shape, values);
      }
      default -> throw new IllegalArgumentException("Paddle has no " + type);
    };
  }

  /**
   * Fetches a variable's value bit by bit. The interface to the runtime carries FP32, INT32 and
   * INT64: a double is fetched as its nearest float and the nearest float of the rest.
   */
  private List<String> fetchLines(String name, String variable, DataType type) {
    List<String> names = new ArrayList<>();
    switch (type) {
      case FP32, INT32, INT64 -> addFetch(names, name, variable, "assign(%s)");
      case BOOL, UINT8, INT8, INT16 ->
          addFetch(
              names, name, variable, "cast(%s) {in_dtype: " + type.number() + ", out_dtype: 2}");
      case FP16, BF16 ->
          addFetch(
              names, name, variable, "cast(%s) {in_dtype: " + type.number() + ", out_dtype: 5}");
      case FP64 -> addDouble(names, name, variable);
      case COMPLEX64 -> addFetch(names, name, variable, "as_real(%s)");
      case COMPLEX128 -> {
        lines.add("var " + name + "_real: tensor");
        lines.add(name + "_real = as_real(" + variable + ")");
        addDouble(names, name, name + "_real");
      }
      default -> throw new IllegalStateException(variable + " is of " + type);
    }
    return names;
  }

  private void addDouble(List<String> names, String name, String variable) {
    addFetch(names, name, variable, "cast(%s) {in_dtype: 6, out_dtype: 5}");
    lines.add("var " + name + "_near: tensor");
    lines.add("var " + name + "_rest: tensor");
    lines.add(name + "_near = cast(" + name + ") {in_dtype: 5, out_dtype: 6}");
    lines.add(name + "_rest = elementwise_sub(" + variable + ", " + name + "_near) {axis: -1}");
    addFetch(names, name + "_low", name + "_rest", "cast(%s) {in_dtype: 6, out_dtype: 5}");
  }

  private void addFetch(List<String> names, String name, String variable, String operator) {
    lines.add("var " + name + ": tensor");
    lines.add(name + " = " + String.format(operator, variable));
    lines.add("fetch(" + name + ")");
    names.add(name);
  }

  /** The fetched names of a branch, by {@code slot_argument}. */
  ListMultimap<String, String> fetched(int branch) {
    return fetched.get(branch);
  }

  /** The program with its parameters. */
  PaddleBatch.Item toItem() {
    return new PaddleBatch.Item(
        ProgramText.parseMessage(lines.toArray(new String[0])), ImmutableMap.copyOf(parameters));
  }
}
