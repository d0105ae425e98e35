package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorDraft;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program whose arena the C code uses: one operator per step, each value under a name of its
 * own, constants as parameters.
 *
 * <p>Scratch memory is an output of its operator that nothing reads, so it is planned and proved as
 * everything else:
 *
 * <pre>
 * softmax  X: x  Out: y    →    softmax  X: x  Out: y  1000: softmax.scratch (uint8[512])
 * </pre>
 *
 * <p>An operator that reads its input a second time in slot {@value #EXTRA} computes no output in
 * the memory of the input: the in-place pairs of the catalog are true for the runtime's kernels,
 * and not always for the nests.
 *
 * @param program the program
 * @param scratch for each step with scratch memory the name of its variable
 * @param positions the index of each step's operator in block 0
 * @param results the index of each result's {@code fetch} operator in block 0
 */
record PlannedProgram(
    Program program,
    ImmutableMap<Integer, String> scratch,
    ImmutableList<Integer> positions,
    ImmutableList<Integer> results) {

  /** The slot of scratch memory and of second reads; a number, as all slots of ONNX are. */
  static final String EXTRA = "1000000";

  private static final int MOST_ELEMENTS = 64;

  PlannedProgram {
    requireNonNull(program, "program");
    requireNonNull(scratch, "scratch");
    requireNonNull(positions, "positions");
    requireNonNull(results, "results");
  }

  /**
   * Returns the program of a trace.
   *
   * @param original the traced program, whose version decides about in-place pairs
   */
  static PlannedProgram of(
      Program original,
      TracedProgram trace,
      ImmutableList<LoweredStep> steps,
      OperatorCatalog catalog) {
    return new Writer(original, catalog).build(trace, steps);
  }

  /** Returns the position of a value with a name among some values; -1 if no value has it. */
  private static int indexOf(ImmutableMap<String, TracedValue> values, String name) {
    int i = 0;
    for (TracedValue value : values.values()) {
      if (value.name().equals(name)) {
        return i;
      }
      i++;
    }
    return -1;
  }

  private static final class Writer {

    private final Program original;
    private final OperatorCatalog catalog;
    private final ProgramBuilder builder;
    private final Set<String> declared = new HashSet<>();
    private final Map<Integer, String> scratch = new LinkedHashMap<>();
    private final List<Integer> positions = new ArrayList<>();

    Writer(Program original, OperatorCatalog catalog) {
      this.original = original;
      this.catalog = catalog;
      this.builder = ProgramBuilder.like(original);
      builder.addBlock(original.block(0));
    }

    PlannedProgram build(TracedProgram trace, ImmutableList<LoweredStep> steps) {
      for (TracedValue input : trace.inputs()) {
        declare(input, draft(input).asFeed());
      }
      Integer[] results = new Integer[trace.outputs().size()];
      String holder = unused("fetch");
      builder.declareHolder(0, holder, /* ofFeeds= */ false);
      for (int i = 0; i <= steps.size(); i++) {
        for (int k = 0; k < results.length; k++) {
          if (trace.outputs().get(k).step() == i) {
            results[k] = builder.operationCount(0);
            fetch(trace.outputs().get(k), k, holder);
          }
        }
        if (i < steps.size()) {
          positions.add(builder.operationCount(0));
          add(i, steps.get(i), trace);
        }
      }
      return new PlannedProgram(
          builder.build(),
          ImmutableMap.copyOf(scratch),
          ImmutableList.copyOf(positions),
          ImmutableList.copyOf(results));
    }

    private void fetch(TracedProgram.Output output, int column, String holder) {
      if (output.value().isConstant()) {
        declareOnce(output.value());
      }
      builder.add(
          0,
          OperationBuilder.of("fetch")
              .input("X", ImmutableList.of(output.value().name()))
              .output("Out", ImmutableList.of(holder))
              .attribute("col", column));
    }

    private void add(int index, LoweredStep lowered, TracedProgram trace) {
      TracedStep step = lowered.step();
      Map<String, ImmutableList<String>> arguments = new HashMap<>();
      for (Slot slot : step.operation().outputSlots()) {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (TracedValue value : step.outputs().get(slot.name())) {
          if (trace.live().contains(value.name())) {
            declareOnce(value);
            names.add(value.name());
          }
        }
        arguments.put("out " + slot.name(), names.build());
      }
      OperationBuilder operation = OperationBuilder.of(step.operation().type());
      for (Slot slot : step.operation().inputSlots()) {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (TracedValue value : step.inputs().get(slot.name())) {
          declareOnce(value);
          names.add(value.name());
        }
        operation.input(slot.name(), names.build());
      }
      ImmutableList<String> apart = apart(lowered);
      if (!apart.isEmpty()) {
        operation.input(EXTRA, apart);
      }
      for (Slot slot : step.operation().outputSlots()) {
        operation.output(slot.name(), requireNonNull(arguments.get("out " + slot.name())));
      }
      ImmutableList.Builder<String> extra = ImmutableList.builder();
      step.outputs()
          .forEach(
              (slot, value) -> {
                if (slot.endsWith(CRoutine.SHAPE) && trace.live().contains(value.name())) {
                  declareOnce(value);
                  extra.add(value.name());
                }
              });
      if (lowered.scratchBytes() > 0) {
        String name = unused(step.operation().type() + ".scratch");
        builder.declare(0, name, bytes(lowered.scratchBytes()));
        extra.add(name);
        scratch.put(index, name);
      }
      if (!extra.build().isEmpty()) {
        operation.output(EXTRA, extra.build());
      }
      builder.add(0, operation.withAttributesOf(step.operation()));
    }

    /**
     * Returns the inputs in whose memory the nests cannot compute the output of an in-place pair.
     */
    private ImmutableList<String> apart(LoweredStep lowered) {
      Operation operation = lowered.step().operation();
      ImmutableList.Builder<String> apart = ImmutableList.builder();
      for (InPlacePair pair :
          catalog.inPlacePairs(catalog.lookup(operation.type()), original.version())) {
        ImmutableList<TracedValue> inputs = lowered.step().inputs().get(pair.input());
        ImmutableList<TracedValue> outputs = lowered.step().outputs().get(pair.output());
        if (!inputs.isEmpty() && !outputs.isEmpty() && !inputs.get(0).isConstant()) {
          String input = inputs.get(0).name();
          if (!isSafe(lowered, input, outputs.get(0).name())) {
            apart.add(input);
          }
        }
      }
      return apart.build();
    }

    private static boolean isSafe(LoweredStep lowered, String input, String output) {
      int from = indexOf(lowered.inputs(), input);
      int to = indexOf(lowered.outputs(), output);
      return from < 0
          || (to >= 0
              && lowered.mayOverwrite(
                  lowered.inputs().keySet().asList().get(from),
                  lowered.outputs().keySet().asList().get(to)));
    }

    private void declareOnce(TracedValue value) {
      if (!declared.contains(value.name())) {
        TensorDraft draft = draft(value);
        declare(value, value.isConstant() ? draft.persistent() : draft);
      }
    }

    private void declare(TracedValue value, TensorDraft draft) {
      declared.add(value.name());
      builder.declare(0, value.name(), draft);
    }

    private String unused(String wanted) {
      String name = wanted;
      for (int k = 2; !declared.add(name); k++) {
        name = wanted + "#" + k;
      }
      return name;
    }

    private static TensorDraft draft(TracedValue value) {
      Tensor tensor = value.tensor().tensor();
      TensorDraft draft =
          TensorDraft.of(dataType(tensor.type())).withShape(tensor.shape(), ImmutableList.of());
      if (!value.isConstant() || tensor.length() > MOST_ELEMENTS || tensor.type().isFloating()) {
        return draft;
      }
      double[] elements = new double[tensor.length()];
      Arrays.setAll(elements, tensor::getDouble);
      return draft.withElements(ImmutableDoubleArray.copyOf(elements));
    }

    private static TensorDraft bytes(long count) {
      return TensorDraft.of(DataType.UINT8)
          .withShape(ImmutableLongArray.of(count), ImmutableList.of());
    }

    private static DataType dataType(ElementType type) {
      for (DataType each : DataType.values()) {
        if (ElementTypes.find(each).orElse(null) == type) {
          return each;
        }
      }
      throw new AssertionError(type);
    }
  }
}
