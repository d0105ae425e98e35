package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recognizes the if/else of exporters, starting from each {@code select_input}:
 *
 * <pre>
 *   n = logical_not(c)
 *   conditional_block(c) { a = … }
 *   conditional_block(n) { b = … }
 *   r = select_input(X = [b, a], Mask = cast(c))
 * </pre>
 *
 * <p>The mask must be the cast of a condition c or of {@code logical_not(c)}, the two branches must
 * run on c and on the negation, and neither c nor the negation may change between its uses.
 * O(select_inputs × log accesses) to find the pairs, O(accesses) to check the results.
 */
final class ExclusiveBranchFinder {

  /** A selection: its node, and the regions of the branches for the mask values 0 and 1. */
  private record Selection(int node, int zeroBranch, int oneBranch) {}

  /** The maximum number of negations of one condition to try, the latest first. */
  private static final int MAX_NEGATIONS = 16;

  private final ControlFlowGraph graph;
  private final AccessTable accesses;
  private final ConditionIndex conditions;
  private final List<Selection> selections = new ArrayList<>();

  /** The other branch of the pair, by branch. */
  private final Map<Integer, Integer> rivals = new HashMap<>();

  private ExclusiveBranchFinder(ControlFlowGraph graph) {
    this.graph = graph;
    this.accesses = graph.accesses();
    this.conditions = new ConditionIndex(graph);
  }

  static ExclusiveBranches find(ControlFlowGraph graph) {
    ExclusiveBranchFinder finder = new ExclusiveBranchFinder(graph);
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.operation(node).isPlain("select_input")) {
        finder.recognize(node);
      }
    }
    return finder.collect();
  }

  private void recognize(int node) {
    Operation select = graph.operation(node);
    Optional<Slot> choices = select.inputSlot("X");
    int mask = ConditionIndex.onlyInput(select, "Mask");
    if (choices.isEmpty() || choices.get().size() != 2 || mask == Program.NO_VARIABLE) {
      return;
    }
    int cast = straightWriter(mask, node, "cast", graph.regionOfNode(node));
    int condition =
        cast < 0 ? Program.NO_VARIABLE : ConditionIndex.onlyInput(graph.operation(cast), "X");
    if (condition == Program.NO_VARIABLE || recognizeDirect(node, cast, condition)) {
      return;
    }
    int not = straightWriter(condition, cast, "logical_not", graph.regionOfNode(node));
    int negated =
        not < 0 || onlyOutput(graph.operation(not)) != condition
            ? Program.NO_VARIABLE
            : ConditionIndex.onlyInput(graph.operation(not), "X");
    if (negated != Program.NO_VARIABLE) {
      pair(node, cast, negated, condition, not, /* maskIsNegated= */ true);
    }
  }

  /** Recognizes a pair whose mask is the cast of the condition: searches for its negation. */
  private boolean recognizeDirect(int node, int cast, int condition) {
    for (int not : conditions.negationsBefore(condition, node, MAX_NEGATIONS)) {
      int negation = onlyOutput(graph.operation(not));
      if (negation != Program.NO_VARIABLE
          && pair(node, cast, condition, negation, not, /* maskIsNegated= */ false)) {
        return true;
      }
    }
    return false;
  }

  private boolean pair(
      int node, int cast, int condition, int negation, int not, boolean maskIsNegated) {
    int region = graph.regionOfNode(node);
    int onFalse = conditions.latestBranch(negation, node, region);
    int onTrue = onFalse < 0 ? -1 : conditions.latestBranch(condition, node, region);
    if (onTrue < 0 || graph.regionOfNode(not) != region) {
      return false;
    }
    if (graph.pinned().isAliased(condition) || graph.pinned().isAliased(negation)) {
      return false; // another name may change its value
    }
    int trueHead = graph.region(onTrue).head();
    int falseHead = graph.region(onFalse).head();
    // Each must keep one value over all its uses: branch, negation, and the cast of one of them.
    if (not > falseHead
        || changes(condition, trueHead, not, maskIsNegated ? not : cast)
        || changes(negation, not + 1, falseHead, maskIsNegated ? cast : falseHead)) {
      return false;
    }
    int rivalOfTrue = rivals.getOrDefault(onTrue, onFalse);
    int rivalOfFalse = rivals.getOrDefault(onFalse, onTrue);
    if (rivalOfTrue != onFalse || rivalOfFalse != onTrue) {
      return true; // a branch stays in its first pair
    }
    rivals.put(onTrue, onFalse);
    rivals.put(onFalse, onTrue);
    selections.add(
        maskIsNegated
            ? new Selection(node, onTrue, onFalse)
            : new Selection(node, onFalse, onTrue));
    return true;
  }

  /** Whether the variable may be written from the first to the last of three nodes that use it. */
  private boolean changes(int variable, int a, int b, int c) {
    return conditions.isWritten(variable, Math.min(a, Math.min(b, c)), Math.max(a, Math.max(b, c)));
  }

  /**
   * The latest node before {@code before} that may write the variable, if it is an operator of the
   * type, directly in the region; else -1.
   */
  private int straightWriter(int variable, int before, String type, int region) {
    int writer = conditions.latestWrite(variable, before);
    boolean fits =
        writer >= 0
            && graph.regionOfNode(writer) == region
            && graph.operation(writer).isPlain(type);
    return fits ? writer : -1;
  }

  /** The only output of a negation, if it is in slot {@code Out}; else NO_VARIABLE. */
  private static int onlyOutput(Operation operation) {
    return operation.outputCount() == 1 && operation.outputSlot("Out").isPresent()
        ? operation.output(0)
        : Program.NO_VARIABLE;
  }

  private ExclusiveBranches collect() {
    Map<Integer, ExclusiveBranches.Result> results = new LinkedHashMap<>();
    Map<Integer, List<Selection>> selectionsOf = new HashMap<>();
    for (Selection selection : selections) {
      Slot slot = graph.operation(selection.node()).inputSlot("X").orElseThrow();
      for (int i = 0; i < 2; i++) {
        selectionsOf.computeIfAbsent(slot.variable(i), k -> new ArrayList<>()).add(selection);
      }
    }
    ImmutableList.Builder<ExclusiveBranches.BranchChoice> choices = ImmutableList.builder();
    for (Selection selection : selections) {
      Slot slot = graph.operation(selection.node()).inputSlot("X").orElseThrow();
      int zero = slot.variable(0);
      int one = slot.variable(1);
      boolean zeroIs = addResult(zero, selection, 0, selectionsOf, results);
      boolean oneIs = addResult(one, selection, 1, selectionsOf, results);
      if (zeroIs && oneIs && zero != one) {
        boolean zeroFirst = selection.zeroBranch() < selection.oneBranch();
        choices.add(
            zeroFirst
                ? new ExclusiveBranches.BranchChoice(selection.node(), zero, one)
                : new ExclusiveBranches.BranchChoice(selection.node(), one, zero));
      }
    }
    return new ExclusiveBranches(ImmutableMap.copyOf(results), choices.build());
  }

  private boolean addResult(
      int variable,
      Selection selection,
      int side,
      Map<Integer, List<Selection>> selectionsOf,
      Map<Integer, ExclusiveBranches.Result> results) {
    if (variable == Program.NO_VARIABLE) {
      return false;
    }
    int branch = side == 0 ? selection.zeroBranch() : selection.oneBranch();
    int other = side == 0 ? selection.oneBranch() : selection.zeroBranch();
    ExclusiveBranches.Result known = results.get(variable);
    if (known != null) {
      return known.branch() == branch;
    }
    if (!isExclusive(variable, branch, other, selectionsOf.getOrDefault(variable, List.of()))) {
      return false;
    }
    results.put(variable, new ExclusiveBranches.Result(variable, branch, other));
    return true;
  }

  private boolean isExclusive(int variable, int branch, int other, List<Selection> readers) {
    Region body = graph.region(branch);
    Region rival = graph.region(other);
    if (graph.program().variable(variable).block() == body.block() || body.kept() || rival.kept()) {
      return false;
    }
    // The runtime may look such a variable up by its name, which no access shows.
    if (graph.pinned().isPinned(variable)) {
      return false;
    }
    boolean written = false;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (rival.head() <= node && node <= rival.exit()) {
        return false;
      }
      if (body.contains(node)) {
        // The first access must be a whole write, or the branch could read a value of another run.
        if (!written && !(isWholeWrite(access) && graph.regionOfNode(node) == branch)) {
          return false;
        }
        written = true;
      } else if (accesses.reads(access)
          && (accesses.writes(access) || !isChosen(variable, node, branch, readers))) {
        return false;
      }
    }
    return written;
  }

  /** Whether an access is a whole write by an operator that runs no block. */
  private boolean isWholeWrite(int access) {
    return accesses.kills(access) && graph.operation(accesses.node(access)).blocks().isEmpty();
  }

  /** Whether the node is a selection that reads the variable once, as the result of the branch. */
  private boolean isChosen(int variable, int node, int branch, List<Selection> readers) {
    for (Selection selection : readers) {
      if (selection.node() == node) {
        Operation select = graph.operation(node);
        Slot slot = select.inputSlot("X").orElseThrow();
        boolean zero = selection.zeroBranch() == branch && slot.variable(0) == variable;
        boolean one = selection.oneBranch() == branch && slot.variable(1) == variable;
        return (zero || one) && select.countInputs(variable) == 1;
      }
    }
    return false;
  }
}
