package dev.sublet.peak;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.SplitPart;
import dev.sublet.program.Program;
import dev.sublet.shape.RowOperators;
import dev.sublet.shape.RowOperators.RowTensors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * A program that runs the operator at the peak on one half of its batch after the other, with
 * operators before and after it: all those between a tensor that they read and one that they write.
 *
 * <pre>
 *   b = conv(a); c = relu(b); d = pool(c)
 *
 *   a1 = slice(a); b1 = conv(a1); c1 = relu(b1); d1 = pool(c1)
 *   a2 = slice(a); b2 = conv(a2); c2 = relu(b2); d2 = pool(c2); d = concat(d1, d2)
 * </pre>
 *
 * <p>Large tensors in the middle then exist in halves. Of a single operator, input and output exist
 * whole in any case.
 *
 * @param program the changed program
 * @param first the first operator that runs on halves
 * @param last the last one
 * @param copiedBytes the bytes that the new operators copy in a run
 * @param rowsOfFirst the number of rows of the first half; the second one takes all others
 */
record BatchSplit(
    ProgramVersion program, String first, String last, long copiedBytes, long rowsOfFirst) {

  /**
   * The most tensors before the peak at which the halves may begin, and the most after it at which
   * they may end.
   */
  private static final int MOST_STEPS = 96;

  /** The first operators that are tried, and the last ones: those with the smallest tensors. */
  private static final int MOST_ENDS = 3;

  /** An operator, its node and the tensors with the rows. */
  private record RowStep(int node, Operation operation, RowTensors rows) {}

  /**
   * The operators between two tensors, ascending.
   *
   * @param entry the tensor that the first ones read; nothing else with rows comes in
   * @param steps the operators; the last one writes the only tensor that is used elsewhere
   */
  private record RowRegion(int entry, ImmutableList<RowStep> steps) {

    private int exit() {
      return last().rows().output();
    }

    private RowStep first() {
      return steps.get(0);
    }

    private RowStep last() {
      return steps.get(steps.size() - 1);
    }
  }

  /**
   * The programs for the operator at the peak; none if its rows depend on each other. O(1) for the
   * search, whose steps are limited, plus O(program) for each program.
   *
   * @param given the program of the facts
   * @param peak the node of the operator
   */
  static ImmutableList<BatchSplit> of(ProgramVersion given, ProgramFacts facts, int peak) {
    return isOperator(facts, peak) ? new Search(given, facts).around(peak) : ImmutableList.of();
  }

  /** The reason why there is no such program, in one line. O(1), as the search is limited. */
  static String obstacle(ProgramVersion given, ProgramFacts facts, int peak) {
    return isOperator(facts, peak)
        ? new Search(given, facts).obstacle(peak)
        : "the peak is at no operator of block 0";
  }

  private static boolean isOperator(ProgramFacts facts, int peak) {
    ControlFlowGraph graph = facts.liveness().graph();
    return peak >= 0 && graph.regionOfNode(peak) == 0 && graph.isKernel(peak);
  }

  private static final class Search {
    private final ProgramVersion given;
    private final ProgramFacts facts;
    private final ControlFlowGraph graph;
    private final AccessTable accesses;
    private final RowOperators operators;

    /** By node: the operator, if it computes row by row. */
    private final Map<Integer, Optional<RowStep>> steps = new HashMap<>();

    Search(ProgramVersion given, ProgramFacts facts) {
      this.given = given;
      this.facts = facts;
      this.graph = facts.liveness().graph();
      this.accesses = graph.accesses();
      this.operators = new RowOperators(facts.program(), facts.sizes(), facts.lod());
    }

    ImmutableList<BatchSplit> around(int peak) {
      List<RowStep> exits =
          after(peak).stream().filter(last -> leadsTo(peak, last.node())).toList();
      ListMultimap<Integer, RowRegion> regions =
          MultimapBuilder.linkedHashKeys().arrayListValues().build();
      for (int entry : before(peak)) {
        if (operatorsFrom(entry, peak).isPresent()) {
          for (RowStep last : exits) {
            region(entry, last.node(), peak).ifPresent(region -> regions.put(entry, region));
          }
        }
      }
      ImmutableList.Builder<BatchSplit> splits = ImmutableList.builder();
      for (int entry : smallest(regions.keySet(), facts.sizes()::bytes)) {
        for (RowRegion region : smallest(regions.get(entry), r -> facts.sizes().bytes(r.exit()))) {
          split(region).ifPresent(splits::add);
        }
      }
      return splits.build();
    }

    /** The tensors that the operator at the peak computes from, row by row: the nearest first. */
    private List<Integer> before(int peak) {
      Set<Integer> found = new LinkedHashSet<>();
      // The latest writers first.
      PriorityQueue<Integer> nodes = new PriorityQueue<>(Comparator.reverseOrder());
      nodes.add(peak);
      while (!nodes.isEmpty() && found.size() < MOST_STEPS) {
        int node = nodes.remove();
        for (int tensor : step(node).map(step -> step.rows().inputs()).orElse(ImmutableList.of())) {
          if (found.add(tensor) && isOwn(tensor)) {
            nodes.add(accesses.node(accesses.begin(tensor)));
          }
        }
      }
      return ImmutableList.copyOf(found);
    }

    /** The operators that compute from the tensor of the peak, row by row: the nearest first. */
    private ImmutableList<RowStep> after(int peak) {
      Map<Integer, RowStep> byTensor = new LinkedHashMap<>();
      PriorityQueue<Integer> nodes = new PriorityQueue<>();
      nodes.add(peak);
      while (!nodes.isEmpty() && byTensor.size() < MOST_STEPS) {
        Optional<RowStep> step = step(nodes.remove());
        if (step.isPresent()
            && byTensor.putIfAbsent(step.get().rows().output(), step.get()) == null) {
          readers(step.get().rows().output()).forEach(nodes::add);
        }
      }
      return ImmutableList.copyOf(byTensor.values());
    }

    private String obstacle(int peak) {
      if (step(peak).isEmpty()) {
        return named(peak)
            + (hasOneRow(peak) ? " has one row" : " is not known to compute row by row");
      }
      String stop =
          after(peak).stream()
              .flatMap(step -> readers(step.rows().output()).boxed())
              .filter(node -> step(node).isEmpty())
              .min(Comparator.naturalOrder())
              .map(node -> " before " + named(node))
              .orElse("");
      return "around " + named(peak) + stop + ", no operators can run on halves together";
    }

    private String named(int node) {
      return graph.operation(node).location().toString();
    }

    private boolean hasOneRow(int node) {
      Operation operation = graph.operation(node);
      boolean hasOneRow = false;
      for (int i = 0; i < operation.inputCount(); i++) {
        int input = operation.input(i);
        if (input != Program.NO_VARIABLE && !facts.program().variable(input).isPersistable()) {
          hasOneRow |= operators.rowCount(input) == 1;
        }
      }
      return hasOneRow;
    }

    /** Whether all that is computed from the tensor of the peak goes into another operator. */
    private boolean leadsTo(int peak, int last) {
      Set<Integer> found = new HashSet<>();
      Deque<Integer> toFollow = new ArrayDeque<>();
      toFollow.add(peak);
      while (!toFollow.isEmpty()) {
        int node = toFollow.remove();
        if (node != last && found.add(node)) {
          Optional<RowStep> step = step(node).filter(s -> isOwn(s.rows().output()));
          if (node > last || step.isEmpty()) {
            return false;
          }
          readers(step.get().rows().output()).forEach(toFollow::add);
        }
      }
      return true;
    }

    /**
     * The operators from which a node computes, back to a tensor, ascending; empty if other rows
     * are needed.
     */
    private Optional<ImmutableList<RowStep>> operatorsFrom(int entry, int last) {
      TreeMap<Integer, RowStep> found = new TreeMap<>();
      Deque<Integer> toFollow = new ArrayDeque<>();
      toFollow.add(last);
      while (!toFollow.isEmpty()) {
        int node = toFollow.remove();
        if (found.containsKey(node)) {
          continue;
        }
        Optional<RowStep> step = step(node);
        if (step.isEmpty() || found.size() > 2 * MOST_STEPS) {
          return Optional.empty();
        }
        for (int tensor : step.get().rows().inputs()) {
          if (tensor != entry && !isOwn(tensor)) {
            return Optional.empty();
          }
          if (tensor != entry) {
            toFollow.add(accesses.node(accesses.begin(tensor)));
          }
        }
        found.put(node, step.get());
      }
      return Optional.of(ImmutableList.copyOf(found.values()));
    }

    /** The operators between a tensor and one that a node writes, if the peak is among them. */
    private Optional<RowRegion> region(int entry, int last, int peak) {
      return operatorsFrom(entry, last)
          .map(found -> new RowRegion(entry, found))
          .filter(region -> region.last().node() == last && isWhole(region, peak));
    }

    private boolean isWhole(RowRegion region, int peak) {
      Set<Integer> nodes = new HashSet<>();
      region.steps().forEach(step -> nodes.add(step.node()));
      boolean isWhole = nodes.contains(peak);
      for (RowStep step : region.steps()) {
        int tensor = step.rows().output();
        isWhole &= tensor != region.entry();
        isWhole &= step.equals(region.last()) || readers(tensor).allMatch(nodes::contains);
      }
      return isWhole;
    }

    private IntStream readers(int tensor) {
      return IntStream.range(accesses.begin(tensor) + 1, accesses.end(tensor)).map(accesses::node);
    }

    private Optional<RowStep> step(int node) {
      return steps.computeIfAbsent(node, this::newStep);
    }

    private Optional<RowStep> newStep(int node) {
      if (graph.regionOfNode(node) != 0 || !graph.isKernel(node)) {
        return Optional.empty();
      }
      Operation operation = graph.operation(node);
      return operators
          .rows(operation)
          .filter(rows -> operators.rowCount(rows.output()) > 1)
          .filter(
              rows -> RowOperators.otherOutputs(operation, rows).stream().allMatch(this::isDead))
          .map(rows -> new RowStep(node, operation, rows));
    }

    private boolean isDead(int variable) {
      boolean isSeen =
          facts.program().variable(variable).isPersistable()
              || facts.liveness().observation().isObserved(variable);
      for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
        isSeen |= accesses.reads(access);
      }
      return !isSeen;
    }

    /** Whether one operator writes a tensor, and others only read it afterwards. */
    private boolean isOwn(int tensor) {
      int first = accesses.begin(tensor);
      boolean isOwn =
          !facts.liveness().observation().isObserved(tensor)
              && first < accesses.end(tensor)
              && accesses.kills(first);
      for (int access = first + 1; access < accesses.end(tensor); access++) {
        isOwn &= accesses.reads(access) && !accesses.writes(access);
      }
      return isOwn;
    }

    /** The smallest of some that are ordered by distance: for each size, the nearest one. */
    private static <T> List<T> smallest(Collection<T> all, ToLongFunction<T> bytes) {
      TreeMap<Long, T> bySize = new TreeMap<>();
      all.forEach(each -> bySize.putIfAbsent(bytes.applyAsLong(each), each));
      return bySize.values().stream().limit(MOST_ENDS).toList();
    }

    private Optional<BatchSplit> split(RowRegion region) {
      ImmutableList.Builder<Integer> positions = ImmutableList.builder();
      ImmutableList.Builder<String> tensors = ImmutableList.builder();
      tensors.add(name(region.entry()));
      for (RowStep step : region.steps()) {
        positions.add(step.operation().index());
        tensors.add(name(step.rows().output()));
      }
      SplitPart part =
          new SplitPart(positions.build(), tensors.build(), operators.rowCount(region.entry()));
      // Of one operator, the tensors exist whole.
      if (region.steps().size() == 1 || !keepsInputs(region) || !areFree(part)) {
        return Optional.empty();
      }
      long copied = facts.sizes().bytes(region.entry()) + facts.sizes().bytes(region.exit());
      return changed(region, part)
          .map(
              changed ->
                  new BatchSplit(
                      changed,
                      region.first().operation().location().toString(),
                      region.last().operation().location().toString(),
                      copied,
                      part.rowsOfFirst()));
    }

    private Optional<ProgramVersion> changed(RowRegion region, SplitPart part) {
      if (given.model().isEmpty()) {
        return Optional.of(ProgramVersion.of(OperatorEdits.splitting(given.program(), part)));
      }
      List<Integer> variables = new ArrayList<>();
      variables.add(region.entry());
      region.steps().forEach(step -> variables.add(step.rows().output()));
      return given
          .model()
          .get()
          .splitting(
              region.steps().stream().map(RowStep::operation).toList(),
              variables,
              part.rowsOfFirst())
          .map(ProgramVersion::of);
    }

    private String name(int variable) {
      return facts.program().variable(variable).name();
    }

    /** Whether the input and the parameters have their values when the last operator runs. */
    private boolean keepsInputs(RowRegion region) {
      List<Integer> own = region.steps().stream().map(step -> step.rows().output()).toList();
      for (RowStep step : region.steps()) {
        for (int i = 0; i < step.operation().inputCount(); i++) {
          int variable = step.operation().input(i);
          if (variable != Program.NO_VARIABLE
              && !own.contains(variable)
              && isWrittenBetween(variable, region)) {
            return false;
          }
        }
      }
      return facts.program().variable(region.exit()).block() == 0;
    }

    /** Whether an operator between the steps writes a variable. */
    private boolean isWrittenBetween(int variable, RowRegion region) {
      int first = region.first().operation().index();
      int last = region.last().operation().index();
      for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
        Operation writer = graph.operation(accesses.node(access));
        // A node of a block inside belongs to an operator that is not known here.
        boolean isBetween =
            writer.block() != 0 || (first <= writer.index() && writer.index() <= last);
        boolean isStep = region.steps().stream().anyMatch(step -> step.operation().equals(writer));
        if (accesses.writes(access) && isBetween && !isStep) {
          return true;
        }
      }
      return false;
    }

    private boolean areFree(SplitPart part) {
      for (String tensor : part.tensors()) {
        for (int half = 0; half < 2; half++) {
          if (facts.program().declared(0, SplitPart.half(tensor, half)) != Program.NO_VARIABLE) {
            return false;
          }
        }
      }
      return true;
    }
  }
}
