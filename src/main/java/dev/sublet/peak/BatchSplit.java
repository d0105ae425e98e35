package dev.sublet.peak;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.Chain;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.RowOperators;
import dev.sublet.shape.RowOperators.RowTensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program that runs the operator at the peak on one half of its batch after the other, with
 * operators before and after it of which each reads the output of the one before.
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

  /** The operators before and after the peak that are looked at. */
  private static final int MOST_STEPS = 32;

  /** The first operators that are tried, and the last ones: those with the smallest tensors. */
  private static final int MOST_ENDS = 3;

  /** An operator of a chain, and the tensors with the rows. */
  private record ChainStep(Operation operation, RowTensors rows) {}

  /**
   * The programs for the operator at the peak; none if its rows depend on each other. O(steps),
   * plus O(program) for each program.
   *
   * @param given the program of the facts
   * @param peak the node of the operator
   */
  static ImmutableList<BatchSplit> of(ProgramVersion given, ProgramFacts facts, int peak) {
    ControlFlowGraph graph = facts.liveness().graph();
    if (peak < 0 || graph.regionOfNode(peak) != 0 || !graph.isKernel(peak)) {
      return ImmutableList.of();
    }
    return new Search(given, facts).around(peak);
  }

  private static final class Search {
    private final ProgramVersion given;
    private final ProgramFacts facts;
    private final ControlFlowGraph graph;
    private final AccessTable accesses;
    private final RowOperators operators;

    Search(ProgramVersion given, ProgramFacts facts) {
      this.given = given;
      this.facts = facts;
      this.graph = facts.liveness().graph();
      this.accesses = graph.accesses();
      this.operators = new RowOperators(facts.program(), facts.sizes(), facts.lod());
    }

    ImmutableList<BatchSplit> around(int peak) {
      List<ChainStep> chain = new ArrayList<>();
      Optional<ChainStep> step = step(peak);
      step.ifPresent(chain::add);
      for (int i = 0; i < MOST_STEPS && step.isPresent(); i++) {
        step = between(step.get().rows().output(), /* wantsWriter= */ false);
        step.ifPresent(chain::add);
      }
      step = chain.isEmpty() ? Optional.empty() : Optional.of(chain.get(0));
      int before = 0;
      for (; before < MOST_STEPS && step.isPresent(); before++) {
        step = between(step.get().rows().input(), /* wantsWriter= */ true);
        step.ifPresent(found -> chain.add(0, found));
      }
      int position = Math.max(0, before - 1);
      ImmutableList.Builder<BatchSplit> splits = ImmutableList.builder();
      for (int first : smallest(0, position + 1, chain, /* ofInputs= */ true)) {
        for (int last : smallest(position, chain.size(), chain, /* ofInputs= */ false)) {
          if (first < last) {
            split(chain.subList(first, last + 1)).ifPresent(splits::add);
          }
        }
      }
      return splits.build();
    }

    private Optional<ChainStep> step(int node) {
      Operation operation = graph.operation(node);
      return operators
          .rows(operation)
          .filter(rows -> operators.rowCount(rows.input()) > 1)
          .filter(
              rows -> RowOperators.otherOutputs(operation, rows).stream().allMatch(this::isDead))
          .map(rows -> new ChainStep(operation, rows));
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

    /** The step on the other side of a tensor that nothing else uses. */
    private Optional<ChainStep> between(int tensor, boolean wantsWriter) {
      if (facts.liveness().observation().isObserved(tensor)
          || accesses.end(tensor) - accesses.begin(tensor) != 2) {
        return Optional.empty();
      }
      int writer = accesses.node(accesses.begin(tensor));
      int reader = accesses.node(accesses.begin(tensor) + 1);
      boolean isPair =
          accesses.kills(accesses.begin(tensor))
              && accesses.reads(accesses.begin(tensor) + 1)
              && !accesses.writes(accesses.begin(tensor) + 1);
      int node = wantsWriter ? writer : reader;
      return isPair && graph.regionOfNode(node) == 0 && graph.isKernel(node)
          ? step(node).filter(s -> (wantsWriter ? s.rows().output() : s.rows().input()) == tensor)
          : Optional.empty();
    }

    /** The steps of a range with the smallest inputs or outputs: for each size, the nearest one. */
    private List<Integer> smallest(int begin, int end, List<ChainStep> chain, boolean ofInputs) {
      TreeMap<Long, Integer> bySize = new TreeMap<>();
      for (int i = begin; i < Math.min(end, chain.size()); i++) {
        RowTensors rows = chain.get(i).rows();
        long bytes = facts.sizes().bytes(ofInputs ? rows.input() : rows.output());
        bySize.merge(bytes, i, (a, b) -> ofInputs ? Math.max(a, b) : Math.min(a, b));
      }
      return bySize.values().stream().limit(MOST_ENDS).toList();
    }

    private Optional<BatchSplit> split(List<ChainStep> steps) {
      Operation first = steps.get(0).operation();
      Operation last = steps.get(steps.size() - 1).operation();
      int input = steps.get(0).rows().input();
      int output = steps.get(steps.size() - 1).rows().output();
      ImmutableList.Builder<Integer> positions = ImmutableList.builder();
      ImmutableList.Builder<String> tensors = ImmutableList.builder();
      tensors.add(name(input));
      for (ChainStep step : steps) {
        positions.add(step.operation().index());
        tensors.add(name(step.rows().output()));
      }
      Chain chain = new Chain(positions.build(), tensors.build(), operators.rowCount(input));
      if (!keepsInputs(steps) || !areFree(chain)) {
        return Optional.empty();
      }
      long copied = facts.sizes().bytes(input) + facts.sizes().bytes(output);
      return changed(steps, chain)
          .map(
              changed ->
                  new BatchSplit(
                      changed,
                      first.location().toString(),
                      last.location().toString(),
                      copied,
                      chain.rowsOfFirst()));
    }

    private Optional<ProgramVersion> changed(List<ChainStep> steps, Chain chain) {
      if (given.model().isEmpty()) {
        return Optional.of(ProgramVersion.of(OperatorEdits.splitting(given.program(), chain)));
      }
      List<Integer> variables = new ArrayList<>();
      variables.add(steps.get(0).rows().input());
      steps.forEach(step -> variables.add(step.rows().output()));
      return given
          .model()
          .get()
          .splitting(
              steps.stream().map(ChainStep::operation).toList(), variables, chain.rowsOfFirst())
          .map(ProgramVersion::of);
    }

    private String name(int variable) {
      return facts.program().variable(variable).name();
    }

    /** Whether the input and the parameters have their values when the last operator runs. */
    private boolean keepsInputs(List<ChainStep> steps) {
      List<Integer> own = steps.stream().map(step -> step.rows().output()).toList();
      for (ChainStep step : steps) {
        for (int i = 0; i < step.operation().inputCount(); i++) {
          int variable = step.operation().input(i);
          if (variable != Program.NO_VARIABLE
              && !own.contains(variable)
              && isWrittenBetween(variable, steps)) {
            return false;
          }
        }
      }
      Variable output = facts.program().variable(own.get(own.size() - 1));
      return output.block() == 0 && accesses.begin(output.index()) < accesses.end(output.index());
    }

    /** Whether an operator between the steps writes a variable. */
    private boolean isWrittenBetween(int variable, List<ChainStep> steps) {
      int first = steps.get(0).operation().index();
      int last = steps.get(steps.size() - 1).operation().index();
      for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
        Operation writer = graph.operation(accesses.node(access));
        // A node of a block inside belongs to an operator that is not known here.
        boolean isBetween =
            writer.block() != 0 || (first <= writer.index() && writer.index() <= last);
        boolean isStep = steps.stream().anyMatch(step -> step.operation().equals(writer));
        if (accesses.writes(access) && isBetween && !isStep) {
          return true;
        }
      }
      return false;
    }

    private boolean areFree(Chain chain) {
      for (String tensor : chain.tensors()) {
        for (int half = 0; half < 2; half++) {
          if (facts.program().declared(0, Chain.half(tensor, half)) != Program.NO_VARIABLE) {
            return false;
          }
        }
      }
      return true;
    }
  }
}
