package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.operator.ControlKind;
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
 * Recognizes the if/else of exporters, starting from each {@code select_input}: its mask must be
 * the cast of a condition c or of {@code logical_not(c)}, the two branches must run on c and on the
 * negation, and none of the three may change in between.
 *
 * <p>O(select_inputs × accesses of the condition) to find the pairs, O(accesses) to check results.
 */
final class ExclusiveBranchFinder {

  /** One selection: the nodes and the two regions that it chooses between. */
  private record Selection(int node, int zeroBranch, int oneBranch) {}

  private final ControlFlowGraph graph;
  private final AccessTable accesses;
  private final List<Selection> selections = new ArrayList<>();

  private ExclusiveBranchFinder(ControlFlowGraph graph) {
    this.graph = graph;
    this.accesses = graph.accesses();
  }

  static ExclusiveBranches find(ControlFlowGraph graph) {
    ExclusiveBranchFinder finder = new ExclusiveBranchFinder(graph);
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.operation(node).type().equals("select_input")) {
        finder.recognize(node);
      }
    }
    return finder.collect();
  }

  private void recognize(int node) {
    Operation select = graph.operation(node);
    Optional<Slot> choices = select.inputSlot("X");
    int mask = onlyArgument(select, "Mask");
    if (choices.isEmpty() || choices.get().size() != 2 || mask == Program.NO_VARIABLE) {
      return;
    }
    int cast = latestWriter(mask, node, node);
    if (cast < 0 || !graph.operation(cast).type().equals("cast")) {
      return;
    }
    int condition = onlyArgument(graph.operation(cast), "X");
    if (condition == Program.NO_VARIABLE) {
      return;
    }
    if (recognizeDirect(node, cast, condition)) {
      return;
    }
    int definition = latestWriter(condition, cast, node);
    if (definition >= 0 && graph.operation(definition).type().equals("logical_not")) {
      int negated = onlyArgument(graph.operation(definition), "X");
      if (negated != Program.NO_VARIABLE) {
        pair(node, cast, negated, condition, definition, /* maskIsNegated= */ true);
      }
    }
  }

  /** The mask is the cast of the condition itself: looks for an operator that negates it. */
  private boolean recognizeDirect(int node, int cast, int condition) {
    for (int access = accesses.end(condition) - 1; access >= accesses.begin(condition); access--) {
      int not = accesses.node(access);
      if (not < node
          && accesses.reads(access)
          && graph.regionOfNode(not) == graph.regionOfNode(node)
          && graph.operation(not).type().equals("logical_not")) {
        int negation = onlyOutput(graph.operation(not));
        if (negation != Program.NO_VARIABLE
            && pair(node, cast, condition, negation, not, /* maskIsNegated= */ false)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean pair(
      int node, int cast, int condition, int negation, int not, boolean maskIsNegated) {
    int region = graph.regionOfNode(node);
    int onTrue = latestBranch(condition, node, region);
    int onFalse = latestBranch(negation, node, region);
    if (onTrue < 0 || onFalse < 0 || graph.regionOfNode(not) != region) {
      return false;
    }
    int trueHead = graph.region(onTrue).head();
    int falseHead = graph.region(onFalse).head();
    if (not > falseHead
        || changes(condition, trueHead, not, maskIsNegated ? not : cast)
        || changes(negation, not + 1, falseHead, maskIsNegated ? cast : falseHead)) {
      return false;
    }
    selections.add(
        maskIsNegated
            ? new Selection(node, onTrue, onFalse)
            : new Selection(node, onFalse, onTrue));
    return true;
  }

  /** Whether the variable may be written from the first to the last of three nodes that use it. */
  private boolean changes(int variable, int a, int b, int c) {
    int first = Math.min(a, Math.min(b, c));
    int last = Math.max(a, Math.max(b, c));
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (first <= node && node <= last && accesses.writes(access)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The latest node before another that may write the variable, if it is a straight-line operator
   * of the same region as the given node; else -1.
   */
  private int latestWriter(int variable, int before, int sibling) {
    int writer = -1;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      if (accesses.node(access) < before && accesses.writes(access)) {
        writer = accesses.node(access);
      }
    }
    boolean usable =
        writer >= 0
            && graph.regionOfNode(writer) == graph.regionOfNode(sibling)
            && graph.regionAtHead(writer) < 0
            && graph.regionAtExit(writer) < 0;
    return usable ? writer : -1;
  }

  /**
   * The latest conditional block before the node, in the same region, that runs on the variable.
   */
  private int latestBranch(int condition, int before, int region) {
    int branch = -1;
    for (int access = accesses.begin(condition); access < accesses.end(condition); access++) {
      int node = accesses.node(access);
      int candidate = node < before ? graph.regionAtHead(node) : -1;
      if (candidate >= 0
          && graph.region(candidate).parent() == region
          && graph.region(candidate).kind() == ControlKind.CONDITIONAL
          && graph.operation(node).flag("is_scalar_condition")
          && onlyArgument(graph.operation(node), "Cond") == condition) {
        branch = candidate;
      }
    }
    return branch;
  }

  private static int onlyArgument(Operation operation, String slotName) {
    Optional<Slot> slot = operation.inputSlot(slotName);
    return slot.isPresent() && slot.get().size() == 1
        ? slot.get().variable(0)
        : Program.NO_VARIABLE;
  }

  private static int onlyOutput(Operation operation) {
    return operation.outputCount() == 1 ? operation.output(0) : Program.NO_VARIABLE;
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
    ImmutableList.Builder<ExclusiveBranches.Choice> choices = ImmutableList.builder();
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
                ? new ExclusiveBranches.Choice(selection.node(), zero, one)
                : new ExclusiveBranches.Choice(selection.node(), one, zero));
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
    boolean written = false;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (rival.head() <= node && node <= rival.exit()) {
        return false;
      }
      if (body.contains(node)) {
        // The branch must begin with a sure write, or a value could come in from an earlier run.
        if (!written && !(accesses.kills(access) && graph.regionOfNode(node) == branch)) {
          return false;
        }
        written = true;
      } else if (accesses.reads(access) && !isChosen(variable, node, branch, readers)) {
        return false;
      }
    }
    return written;
  }

  /** Whether the node is a selection that reads the variable only as its branch's side. */
  private static boolean isChosenBy(Selection selection, int branch, Slot slot, int variable) {
    boolean zero = slot.variable(0) == variable;
    boolean one = slot.variable(1) == variable;
    return (zero && !one && selection.zeroBranch() == branch)
        || (one && !zero && selection.oneBranch() == branch);
  }

  private boolean isChosen(int variable, int node, int branch, List<Selection> readers) {
    for (Selection selection : readers) {
      if (selection.node() == node) {
        Operation select = graph.operation(node);
        return isChosenBy(selection, branch, select.inputSlot("X").orElseThrow(), variable)
            && onlyArgument(select, "Mask") != variable;
      }
    }
    return false;
  }
}
