package dev.sublet.compile;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.OperatorSpans;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedRegion;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.plan.OperatorSpan;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorDraft;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * <p>An operator that reads its input a second time in slot {@link Slot#EXTRA} computes no output
 * in the memory of the input: the in-place pairs of the catalog are true for the runtime's kernels,
 * and not always for the nests.
 *
 * @param program the program
 * @param scratch for each step with scratch memory the name of its variable
 * @param operations the operator of each step
 * @param positions the position of each step's operator: it reads at point 2p and writes at 2p + 1
 * @param results the position of each result's {@code fetch} operator
 * @param regions the loops and branches, in the order of the trace
 * @param lastPoint the last point of the program
 */
record PlannedProgram(
    Program program,
    ImmutableMap<Integer, String> scratch,
    ImmutableList<Operation> operations,
    ImmutableList<Integer> positions,
    ImmutableList<Integer> results,
    ImmutableList<PlannedRegion> regions,
    int lastPoint) {

  /**
   * A loop or a branch.
   *
   * @param block the block with its steps
   * @param position the position of its operator, which reads the condition
   */
  record PlannedRegion(int block, int position) {}

  private static final int MOST_ELEMENTS = 64;

  PlannedProgram {
    requireNonNull(program, "program");
    requireNonNull(scratch, "scratch");
    requireNonNull(operations, "operations");
    requireNonNull(positions, "positions");
    requireNonNull(results, "results");
    requireNonNull(regions, "regions");
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
    return new Writer(original, trace, catalog).build(steps);
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
    private final TracedProgram trace;
    private final OperatorCatalog catalog;
    private final ProgramBuilder builder;
    private final Set<String> declared = new HashSet<>();
    private final Map<Integer, String> scratch = new LinkedHashMap<>();

    /** The blocks and indices of the operators of steps, of results and of regions. */
    private final Index[] steps;

    private final Index[] results;
    private final Index[] regions;

    /** The regions around the next operator, the innermost one first, and their blocks. */
    private final Deque<Integer> open = new ArrayDeque<>();

    private final int[] blocks;
    private final ImmutableMap<String, Integer> homes;
    private int begun;

    /** The index of an operator in its block. */
    private record Index(int block, int index) {}

    Writer(Program original, TracedProgram trace, OperatorCatalog catalog) {
      this.original = original;
      this.trace = trace;
      this.catalog = catalog;
      this.builder = ProgramBuilder.like(original);
      this.steps = new Index[trace.steps().size()];
      this.results = new Index[trace.outputs().size()];
      this.regions = new Index[trace.regions().size()];
      this.blocks = new int[trace.regions().size()];
      this.homes = ValueHomes.of(trace);
      builder.addBlock(original.block(0));
    }

    PlannedProgram build(ImmutableList<LoweredStep> lowered) {
      for (TracedValue input : trace.inputs()) {
        declare(input, draft(input).asFeed());
      }
      String holder = unused("fetch");
      builder.declareHolder(0, holder, /* ofFeeds= */ false);
      for (int i = 0; i <= steps.length; i++) {
        while (!open.isEmpty() && trace.regions().get(open.peek()).end() == i) {
          close();
        }
        for (int k = 0; k < results.length; k++) {
          if (trace.outputs().get(k).step() == i) {
            results[k] = next();
            fetch(trace.outputs().get(k), k, holder);
          }
        }
        while (begun < regions.length && trace.regions().get(begun).begin() == i) {
          blocks[begun] = builder.addBlock(block());
          open.push(begun++);
        }
        if (i < steps.length) {
          steps[i] = next();
          add(i, lowered.get(i));
        }
      }
      return result(builder.build());
    }

    private int block() {
      return open.isEmpty() ? 0 : blocks[open.peek()];
    }

    private Index next() {
      return new Index(block(), builder.operationCount(block()));
    }

    /** Adds the operator of the innermost region, whose block is whole. */
    private void close() {
      int number = open.pop();
      regions[number] = next();
      TracedRegion region = trace.regions().get(number);
      Set<String> read = new LinkedHashSet<>();
      Set<String> written = new LinkedHashSet<>();
      for (TracedStep step : trace.steps().subList(region.begin(), region.end())) {
        step.inputs().values().forEach(value -> addOuter(value, number, read));
        step.outputs().values().stream()
            .filter(value -> trace.live().contains(value.name()))
            .forEach(value -> addOuter(value, number, written));
      }
      String condition = region.condition().name();
      read.remove(condition);
      String scopes = unused("scopes");
      builder.declareScopes(0, scopes);
      OperationBuilder operation =
          region.isLoop()
              ? OperationBuilder.of("while")
                  .input("Condition", ImmutableList.of(condition))
                  .input("X", read)
                  .output("Out", written)
                  .output("StepScopes", ImmutableList.of(scopes))
                  .attribute("is_test", true)
              : OperationBuilder.of("conditional_block")
                  .input("Cond", ImmutableList.of(condition))
                  .input("Input", read)
                  .output("Out", written)
                  .output("Scope", ImmutableList.of(scopes))
                  .attribute("is_scalar_condition", true);
      builder.add(block(), operation.blockAttribute("sub_block", blocks[number]));
    }

    /** Adds the name of a value that is declared outside of a region. */
    private void addOuter(TracedValue value, int region, Set<String> names) {
      if (value.isConstant() || homes.getOrDefault(value.name(), ValueHomes.NONE) < region) {
        names.add(value.name());
      }
    }

    private PlannedProgram result(Program program) {
      Map<Index, Integer> positions = new HashMap<>();
      int end = 0;
      for (OperatorSpan span : OperatorSpans.of(program)) {
        end = Math.max(end, span.end());
        positions.put(new Index(span.block(), span.index()), span.begin() / 2);
      }
      ImmutableList.Builder<Operation> operations = ImmutableList.builder();
      for (Index place : steps) {
        operations.add(program.block(place.block()).operations().get(place.index()));
      }
      ImmutableList.Builder<PlannedRegion> heads = ImmutableList.builder();
      for (int i = 0; i < regions.length; i++) {
        heads.add(new PlannedRegion(blocks[i], requireNonNull(positions.get(regions[i]))));
      }
      return new PlannedProgram(
          program,
          ImmutableMap.copyOf(scratch),
          operations.build(),
          numbers(steps, positions),
          numbers(results, positions),
          heads.build(),
          end - 1);
    }

    private static ImmutableList<Integer> numbers(Index[] places, Map<Index, Integer> positions) {
      return Arrays.stream(places)
          .map(place -> requireNonNull(positions.get(place)))
          .collect(toImmutableList());
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

    private void add(int index, LoweredStep lowered) {
      TracedStep step = lowered.step();
      Map<String, ImmutableList<String>> arguments = new HashMap<>();
      for (Slot slot : step.operation().outputSlots()) {
        arguments.put("out " + slot.name(), written(step.outputs().get(slot.name())));
      }
      OperationBuilder operation = OperationBuilder.of(plannedType(step.operation()));
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
        operation.input(Slot.EXTRA, apart);
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
        builder.declare(block(), name, bytes(lowered.scratchBytes()));
        extra.add(name);
        scratch.put(index, name);
      }
      if (!extra.build().isEmpty()) {
        operation.output(Slot.EXTRA, extra.build());
      }
      builder.add(block(), operation.withAttributesOf(step.operation()));
    }

    /**
     * Returns the type for the planned program. Paddle's {@code reshape} may share the buffer of
     * its input without a plan; the C code does not, and neither does {@code reshape2}.
     */
    private static String plannedType(Operation operation) {
      return operation.type().equals("reshape") ? "reshape2" : operation.type();
    }

    /** Returns the names of the live values of a slot; others keep their position. */
    private ImmutableList<String> written(ImmutableList<TracedValue> values) {
      ImmutableList.Builder<String> names = ImmutableList.builder();
      boolean isLive = false;
      for (TracedValue value : values) {
        if (trace.live().contains(value.name())) {
          declareOnce(value);
          names.add(value.name());
          isLive = true;
        } else {
          names.add(Names.EMPTY);
        }
      }
      return isLive ? names.build() : ImmutableList.of();
    }

    /**
     * Returns the inputs in whose memory the nests cannot compute the output of an in-place pair.
     */
    private ImmutableList<String> apart(LoweredStep lowered) {
      Operation operation = lowered.step().operation();
      ImmutableList.Builder<String> apart = ImmutableList.builder();
      for (InPlacePair pair : catalog.inPlacePairs(operation, original.version())) {
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
      return lowered.step().isCopy()
          || from < 0
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
      int home = value.isConstant() ? ValueHomes.NONE : homes.getOrDefault(value.name(), -1);
      builder.declare(home == ValueHomes.NONE ? 0 : blocks[home], value.name(), draft);
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
