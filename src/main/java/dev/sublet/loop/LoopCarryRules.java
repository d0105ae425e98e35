package dev.sublet.loop;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Optional;

/**
 * The conditions on the target of a loop-carried copy by itself, and on a loop whose body is
 * repeated. An objection is the reason why a condition is not met.
 */
final class LoopCarryRules {

  private final VariableFacts facts;
  private final RepeatBudget budget;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;

  LoopCarryRules(VariableFacts facts, RepeatBudget budget, Region loop) {
    this.facts = facts;
    this.budget = budget;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
    this.loop = loop;
  }

  static boolean isTensor(Program program, int variable) {
    return variable != Program.NO_VARIABLE
        && program.variable(variable).kind() == Variable.Kind.TENSOR;
  }

  /** Returns the reason why a copy is no loop-carried copy; empty if it is one. */
  Optional<String> objection(Candidate candidate) {
    int target = candidate.target;
    if (graph.program().variable(target).isPersistable()) {
      return Optional.of("it is persistable");
    }
    if (graph.pinned().isPinned(target)) {
      return Optional.of(graph.pinned().pinReason(target));
    }
    if (graph.pinned().isUnplanned(target)) {
      return Optional.of(graph.pinned().unplannedReason(target));
    }
    if (candidate.web < 0) {
      return Optional.of("its value is not used");
    }
    int sourceWeb = ranges.webAt(candidate.source, 2 * candidate.node);
    if (sourceWeb < 0 || ranges.firstPoint(sourceWeb) == 2 * candidate.node) {
      return Optional.of("nothing writes what it copies");
    }
    if (facts.isShadowed(target)) {
      return Optional.of("a block inside declares its name again");
    }
    if (facts.carriesLod(target) || facts.carriesLod(candidate.source)) {
      return Optional.of("it may carry sequence information, which a copy hands on");
    }
    candidate.webAtStart = ranges.webAt(target, 2 * loop.head() + 2);
    return objectionToOtherValues(candidate);
  }

  /**
   * Checks the other values that the target has in an iteration. None may be live when the copy
   * writes the target for the last time. Even then only a plan can give the values different
   * locations, because in a program they have one name.
   */
  private Optional<String> objectionToOtherValues(Candidate candidate) {
    AccessTable accesses = graph.accesses();
    int target = candidate.target;
    boolean mayHold = budget.mayShare(loop) && !facts.isObserved(target);
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      if (node <= loop.head() || node >= loop.exit() || node == candidate.node) {
        continue;
      }
      if (accesses.writes(access)) {
        int web = ranges.webAt(target, 2 * node + 1);
        boolean isBefore = node < candidate.node;
        if (!mayHold || !isBefore || web < 0 || isCarried(candidate, web)) {
          return Optional.of("it is written more than once per iteration");
        }
        candidate.holdsOthers = true;
      }
      if (accesses.reads(access) && !isCarried(candidate, ranges.webAt(target, 2 * node))) {
        if (!mayHold) {
          return Optional.of("it holds other values in the loop too");
        }
        candidate.holdsOthers = true;
      }
    }
    return Optional.empty();
  }

  private static boolean isCarried(Candidate candidate, int web) {
    return web == candidate.web || web == candidate.webAtStart;
  }

  /**
   * Returns the reason why a target cannot move; empty if it can, as far as no later operator
   * writes it: see {@link SuccessiveLoops}.
   */
  Optional<String> objectionToMoving(Candidate candidate) {
    int target = candidate.target;
    int condition = graph.operation(loop.head()).firstInput("Condition");
    if (condition < 0 || graph.operation(loop.head()).input(condition) == target) {
      return Optional.of("it is the loop's condition");
    }
    if (!facts.isKnown(target)) {
      return Optional.of("its size is not known");
    }
    int home = graph.regionOfBlock(graph.program().variable(target).block());
    if (home > 0 && facts.isObserved(target)) {
      return Optional.of("it is observed at the end of each iteration of a loop around this one");
    }
    for (int region = home; region > 0; region = graph.region(region).parent()) {
      if (graph.region(region).kept()) {
        return Optional.of(
            "each iteration of a loop around it has one of its own, for the gradient");
      }
    }
    for (int web : new int[] {candidate.web, candidate.webAtStart}) {
      if (web >= 0) {
        Optional<String> objection = objectionToMoving(web);
        if (objection.isPresent()) {
          return objection;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> objectionToMoving(int web) {
    for (int region = loop.parent(); region > 0; region = graph.region(region).parent()) {
      Region around = graph.region(region);
      boolean entersAgain =
          around.kind().isLoop()
              && (ranges.firstPoint(web) <= 2 * around.head() + 1
                  || ranges.contains(web, 2 * around.head() + 2));
      if (entersAgain) {
        return Optional.of("the loop around this one enters it again where it was left");
      }
      if (ranges.lastPoint(web) > 2 * around.exit()) {
        return Optional.of("it is used after the operator around the loop, which may not have run");
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the reason why the first iteration cannot be planned by itself; empty if it can.
   *
   * <p>Two kinds of values are not there in the first iteration: a variable of the body that keeps
   * its value from one iteration to the next; and a variable that no operator writes before the
   * loop and that the body does not write as a whole. Other values may occupy their locations in
   * the first iteration, but live ranges do not distinguish it from later iterations. O(accesses of
   * the body).
   */
  Optional<String> objectionToInitialLocation() {
    for (Variable variable : graph.program().block(loop.block()).variables()) {
      boolean isKept =
          !variable.isPersistable() && ranges.webAt(variable.index(), 2 * loop.head() + 2) >= 0;
      if (isKept) {
        return Optional.of(
            "the body keeps '" + variable.name() + "' from one iteration to the next");
      }
    }
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      Operation operation = graph.operation(node);
      for (int i = 0; i < operation.outputCount(); i++) {
        int output = operation.output(i);
        if (output != Program.NO_VARIABLE && beginsAtHead(output, 2 * loop.head() + 2)) {
          return Optional.of(isNotWritten(output));
        }
      }
    }
    int condition = graph.operation(loop.head()).firstInput("Condition");
    int variable =
        condition < 0 ? Program.NO_VARIABLE : graph.operation(loop.head()).input(condition);
    return variable != Program.NO_VARIABLE && beginsAtHead(variable, 2 * loop.head())
        ? Optional.of(isNotWritten(variable))
        : Optional.empty();
  }

  private String isNotWritten(int variable) {
    return "nothing writes '" + graph.program().variable(variable).name() + "' before the loop";
  }

  /** Whether a variable's value at a point is needed from the loop's head on, but not before. */
  private boolean beginsAtHead(int variable, int point) {
    int web = ranges.webAt(variable, point);
    return web >= 0 && !ranges.contains(web, 2 * loop.head() - 1);
  }

  /**
   * Returns the reason why the body cannot be repeated; empty if it can. O(nodes of the body +
   * regions).
   */
  Optional<String> objectionToRepeating() {
    return objectionToOperators()
        .or(() -> objectionToVariables())
        .or(() -> budget.mayShare(loop) ? Optional.empty() : objectionToRepeatingInProgram());
  }

  private Optional<String> objectionToOperators() {
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      boolean isControl = graph.regionAtHead(node) >= 0 || graph.regionAtExit(node) >= 0;
      if (!isControl && !graph.operation(node).blocks().isEmpty()) {
        return Optional.of(
            "the loop runs blocks of an operator '" + graph.operation(node).type() + "'");
      }
      int inner = graph.regionAtHead(node);
      if (inner >= 0 && !isLoopOrBranch(graph.region(inner))) {
        return Optional.of(
            "the loop has an operator '" + graph.operation(node).type() + "' inside");
      }
    }
    return Optional.empty();
  }

  private static boolean isLoopOrBranch(Region region) {
    return region.kind() == ControlKind.WHILE || region.kind() == ControlKind.CONDITIONAL;
  }

  private Optional<String> objectionToVariables() {
    for (Region region : graph.regions()) {
      if (region.leaves() == loop.index()) {
        return Optional.of("the loop is left from inside its body");
      }
      if (isInside(region)) {
        for (Variable variable : graph.program().block(region.block()).variables()) {
          if (facts.keepsName(variable.index())) {
            return Optional.of(
                "the variable '" + variable.name() + "' of its body must keep its name");
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean isInside(Region region) {
    return region.head() >= loop.head() && region.exit() <= loop.exit();
  }

  /**
   * Checks the operators around the loop: the validator of programs finds unrolled loops only
   * inside loops and branches.
   */
  private Optional<String> objectionToRepeatingInProgram() {
    for (int around = loop.parent(); around > 0; around = graph.region(around).parent()) {
      Region region = graph.region(around);
      if (!isLoopOrBranch(region)) {
        return Optional.of(
            "the loop is in an operator '" + graph.operation(region.head()).type() + "'");
      }
    }
    return Optional.empty();
  }
}
