package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedRegion;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.Tiling;
import dev.sublet.runtime.micro.fuse.JoinPrograms;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Joins operators with the elementwise operators after them: each element is finished while it is
 * in a register, and the values between need no memory.
 *
 * <pre>
 * conv2d x, w → t;  batch_norm t → u;  relu u → y      →      conv2d + batch_norm + relu  x, w → y
 * </pre>
 *
 * <p>Two adjacent operators are joined under these conditions:
 *
 * <ul>
 *   <li>The first one has one result, which nothing but the second one reads.
 *   <li>The second one has one result, of the same type and shape. Its other inputs are constants.
 *   <li>The simplified nests of both do not contain the value between them any more, are fewer than
 *       before, and still contain all sums of products that tiles compute.
 *   <li>The first one is no view, such as a reshape: its output may have the bytes of its input.
 * </ul>
 *
 * <p>The second operator is mostly elementwise, but need not be: {@code layer_norm} joins an
 * addition. The bits stay: neither the operations nor their order change. O(steps), besides
 * simplifying the nests of pairs.
 *
 * @param trace the program with fewer steps
 * @param steps its steps
 */
record JoinedSteps(TracedProgram trace, ImmutableList<LoweredStep> steps) {

  /**
   * Joins the steps of a program as far as possible.
   *
   * @param version the version of the program, which decides which outputs may be views
   */
  static JoinedSteps of(
      TracedProgram trace,
      ImmutableList<LoweredStep> steps,
      OperatorCatalog catalog,
      long version) {
    Search search = new Search(trace, steps, catalog, version);
    int[] before = new int[steps.size() + 1];
    List<LoweredStep> joined = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Optional<LoweredStep> both =
          joined.isEmpty() || search.limits.contains(i)
              ? Optional.empty()
              : search.join(joined.get(joined.size() - 1), steps.get(i));
      if (both.isPresent()) {
        joined.set(joined.size() - 1, both.get());
      } else {
        joined.add(steps.get(i));
      }
      before[i + 1] = joined.size();
    }
    return new JoinedSteps(renumbered(trace, joined, before), ImmutableList.copyOf(joined));
  }

  private static TracedProgram renumbered(
      TracedProgram trace, List<LoweredStep> joined, int[] before) {
    ImmutableList.Builder<TracedStep> steps = ImmutableList.builder();
    joined.forEach(step -> steps.add(step.step()));
    ImmutableList.Builder<TracedRegion> regions = ImmutableList.builder();
    for (TracedRegion region : trace.regions()) {
      regions.add(region.withSteps(before[region.begin()], before[region.end()]));
    }
    ImmutableList.Builder<TracedProgram.Output> outputs = ImmutableList.builder();
    for (TracedProgram.Output output : trace.outputs()) {
      outputs.add(new TracedProgram.Output(output.name(), output.value(), before[output.step()]));
    }
    return new TracedProgram(
        trace.inputs(),
        steps.build(),
        regions.build(),
        outputs.build(),
        trace.live(),
        trace.lasting());
  }

  private static final class Search {

    private final TracedProgram trace;
    private final OperatorCatalog catalog;
    private final long version;

    /** How often steps, regions and results read each value, and how often steps write it. */
    private final Multiset<String> reads = HashMultiset.create();

    private final Multiset<String> writes = HashMultiset.create();

    /** The steps before which a loop or a branch begins or ends, or a result is taken. */
    private final Set<Integer> limits = new HashSet<>();

    Search(
        TracedProgram trace,
        ImmutableList<LoweredStep> steps,
        OperatorCatalog catalog,
        long version) {
      this.trace = trace;
      this.catalog = catalog;
      this.version = version;
      for (LoweredStep each : steps) {
        each.step().inputs().values().forEach(value -> reads.add(value.name()));
        each.step().outputs().values().forEach(value -> writes.add(value.name()));
      }
      for (TracedRegion region : trace.regions()) {
        reads.add(region.condition().name());
        limits.add(region.begin());
        limits.add(region.end());
      }
      for (TracedProgram.Output output : trace.outputs()) {
        reads.add(output.value().name());
        limits.add(output.step());
      }
    }

    private Optional<LoweredStep> join(LoweredStep step, LoweredStep next) {
      if (!(step instanceof LoweredStep.Nests first)
          || !(next instanceof LoweredStep.Nests second)
          || mayBeView(first)
          || !isJoinable(first, second)) {
        return Optional.empty();
      }
      String output = onlyOutput(first).getKey();
      ImmutableMap<String, String> names = names(first, second, output);
      MicroProgram program = JoinPrograms.join(first.program(), output, second.program(), names);
      int blocks = NamedBlock.of(first.program()).size() + NamedBlock.of(second.program()).size();
      boolean isOne =
          NamedBlock.of(program).size() < blocks
              && program.tensors().stream().noneMatch(each -> each.name().equals(output))
              && CFunctions.products(program)
                  == CFunctions.products(first.program()) + CFunctions.products(second.program());
      if (!isOne) {
        return Optional.empty();
      }
      return Optional.of(joined(first, second, program, names));
    }

    private static Map.Entry<String, TracedValue> onlyOutput(LoweredStep.Nests step) {
      return step.outputs().entrySet().iterator().next();
    }

    private boolean mayBeView(LoweredStep step) {
      OperatorSpec spec = catalog.lookup(step.step().operation().type());
      return spec.viewRule() != null || spec.aliases(version);
    }

    private boolean isJoinable(LoweredStep.Nests first, LoweredStep.Nests second) {
      if (first.outputs().size() != 1
          || second.outputs().size() != 1
          || !first.zeros().isEmpty()
          || !second.zeros().isEmpty()) {
        return false;
      }
      TracedValue between = onlyOutput(first).getValue();
      TracedValue result = onlyOutput(second).getValue();
      for (TracedValue value : second.step().inputs().values()) {
        if (!value.isConstant() && !value.name().equals(between.name())) {
          return false;
        }
      }
      return reads.count(between.name()) == 1
          && writes.count(between.name()) == 1
          && writes.count(result.name()) == 1
          && isRead(between, second)
          && !trace.lasting().contains(between.name())
          && !trace.lasting().contains(result.name())
          && between.type() == result.type()
          && between.tensor().tensor().shape().equals(result.tensor().tensor().shape())
          && between.shape().isEmpty()
          && result.shape().isEmpty();
    }

    private static boolean isRead(TracedValue value, LoweredStep.Nests step) {
      return step.inputs().values().stream().anyMatch(each -> each.name().equals(value.name()));
    }

    /** Returns the name of each tensor of the second step's nests in the joined nests. */
    private static ImmutableMap<String, String> names(
        LoweredStep.Nests first, LoweredStep.Nests second, String output) {
      Set<String> used = new HashSet<>();
      first.program().tensors().forEach(tensor -> used.add(tensor.name()));
      TracedValue between = onlyOutput(first).getValue();
      ImmutableMap.Builder<String, String> names = ImmutableMap.builder();
      for (TensorDeclaration tensor : second.program().tensors()) {
        TracedValue read = second.inputs().get(tensor.name());
        if (read != null && read.name().equals(between.name())) {
          names.put(tensor.name(), output);
          continue;
        }
        String name = tensor.name();
        for (int k = 2; !used.add(name); k++) {
          name = tensor.name() + "_" + k;
        }
        names.put(tensor.name(), name);
      }
      return names.buildOrThrow();
    }

    private static LoweredStep joined(
        LoweredStep.Nests first,
        LoweredStep.Nests second,
        MicroProgram program,
        ImmutableMap<String, String> names) {
      TracedValue result = onlyOutput(second).getValue();
      Map<String, TracedValue> values = new HashMap<>(first.inputs());
      second.inputs().forEach((name, value) -> values.put(requireNonNull(names.get(name)), value));
      ImmutableMap.Builder<String, TracedValue> inputs = ImmutableMap.builder();
      for (TensorDeclaration tensor : program.tensors()) {
        if (tensor.role() == TensorDeclaration.Role.INPUT) {
          inputs.put(tensor.name(), requireNonNull(values.get(tensor.name())));
        }
      }
      String output = requireNonNull(names.get(onlyOutput(second).getKey()));
      ImmutableListMultimap.Builder<String, TracedValue> outputs = ImmutableListMultimap.builder();
      TracedValue between = onlyOutput(first).getValue();
      first
          .step()
          .outputs()
          .forEach(
              (slot, value) ->
                  outputs.put(slot, value.name().equals(between.name()) ? result : value));
      return new LoweredStep.Nests(
          first.step().joinedWith(second.step(), outputs.build()),
          program,
          inputs.buildOrThrow(),
          ImmutableMap.of(output, result),
          /* zeros= */ ImmutableList.of(),
          Tiling.PLAIN,
          CFunctions.workspaceBytes(program, Tiling.PLAIN));
    }
  }
}
