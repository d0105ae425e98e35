package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.OrderRule;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.verify.order.OrderValidator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The limits within which the operators of a program may move in their blocks.
 *
 * <pre>
 *   a = relu(x)   b = tanh(a)   a = exp(x)      none may move: relu and exp write a, tanh reads it
 * </pre>
 *
 * <p>Operators that use one variable keep their order, unless both only read it; variables that may
 * share a buffer count as one. A loop or branch counts with all that its block uses. Operators that
 * use more than their arguments keep their order by their {@link OrderRule}, and so do operators
 * that the proof could not tell apart. O(accesses).
 */
final class MoveLimits {

  private static final int NONE = -1;

  private final ProgramFacts facts;
  private final ControlFlowGraph graph;

  private final BlockOperators operators;

  /** By operator, its blocks included: the variables that are read, and that may be written. */
  private final List<List<Integer>> reads = new ArrayList<>();

  private final List<List<Integer>> writes = new ArrayList<>();

  private final OrderRule[] rules;

  /** By block in which operators may move: the operators that the proof could not tell apart. */
  private final ImmutableMap<Integer, ImmutableIntArray> lookAlikes;

  /** By variable: the first variable found that may have the same buffer, or itself. */
  private final int[] buffers;

  private MoveLimits(ProgramFacts facts) {
    this.facts = facts;
    this.graph = facts.liveness().graph();
    this.operators = new BlockOperators(graph);
    for (int i = 0; i < operators.count(); i++) {
      reads.add(new ArrayList<>());
      writes.add(new ArrayList<>());
    }
    this.rules = new OrderRule[operators.count()];
    Arrays.fill(rules, OrderRule.FREE);
    this.lookAlikes = OrderValidator.lookAlikes(facts.program(), facts.catalog());
    this.buffers = new int[facts.program().variableCount()];
    Arrays.setAll(buffers, variable -> variable);
  }

  /** Finds the limits of a program. */
  static MoveLimits of(ProgramFacts facts) {
    MoveLimits limits = new MoveLimits(facts);
    for (int node = 0; node < limits.graph.nodeCount(); node++) {
      for (int operator : limits.operators.around(node)) {
        limits.addOperator(operator, node);
      }
    }
    limits.addAccesses();
    for (Block block : facts.program().blocks()) {
      block.operations().forEach(limits::joinBuffers);
    }
    return limits;
  }

  /** The blocks in which operators may move. */
  BlockOperators operators() {
    return operators;
  }

  /** The variables that the operators of a block, and the blocks inside it, use. */
  Set<Integer> variables(int block) {
    Set<Integer> used = new TreeSet<>();
    for (int operator = operators.first(block); operator < operators.end(block); operator++) {
      used.addAll(reads.get(operator));
      used.addAll(writes.get(operator));
    }
    return used;
  }

  private void addOperator(int operator, int node) {
    Operation operation = graph.operation(node);
    OperatorSpec spec = facts.catalog().lookup(operation.type());
    boolean isOpaque = !operation.blocks().isEmpty() && graph.isKernel(node);
    OrderRule rule = isOpaque ? OrderRule.FIXED : spec.order(operation);
    raise(operator, leavesLoop(operator, node) ? OrderRule.FIXED : rule);
    boolean isWriteOnly = true;
    for (int i = 0; i < operation.outputCount(); i++) {
      add(operation.output(i), writes.get(operator));
      isWriteOnly &= operation.output(i) == Program.NO_VARIABLE;
    }
    // The variables in the block of such an operator may have the buffers of its inputs.
    boolean isLink = spec.control().isGradient() || spec.control() == ControlKind.RECURRENT;
    for (Slot slot : operation.inputSlots()) {
      boolean isWritten = isWriteOnly || isLink || spec.writtenInputs().contains(slot.name());
      for (int i = 0; i < slot.size(); i++) {
        add(slot.variable(i), (isWritten ? writes : reads).get(operator));
      }
    }
    for (AttributeReference reference : facts.program().attributeReferences(operation)) {
      add(reference.variable(), reads.get(operator));
    }
  }

  private void raise(int operator, OrderRule rule) {
    rules[operator] = rule.compareTo(rules[operator]) > 0 ? rule : rules[operator];
  }

  /** Whether an operator is a branch at the end of a loop's body that ends the loop if skipped. */
  private boolean leavesLoop(int operator, int node) {
    int region = graph.regionAtHead(node);
    return region >= 0
        && graph.region(region).leaves() >= 0
        && operators.around(node).get(0) == operator;
  }

  private static void add(int variable, List<Integer> variables) {
    if (variable != Program.NO_VARIABLE) {
      variables.add(variable);
    }
  }

  private void addAccesses() {
    AccessTable accesses = graph.accesses();
    for (int v = 0; v < buffers.length; v++) {
      for (int i = accesses.begin(v); i < accesses.end(v); i++) {
        for (int operator : operators.around(accesses.node(i))) {
          add(accesses.reads(i) ? v : Program.NO_VARIABLE, reads.get(operator));
          add(accesses.writes(i) ? v : Program.NO_VARIABLE, writes.get(operator));
        }
      }
    }
  }

  private void joinBuffers(Operation operation) {
    if (!facts.catalog().lookup(operation.type()).aliases(facts.program().version())) {
      return;
    }
    List<Integer> arguments = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      add(operation.input(i), arguments);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      add(operation.output(i), arguments);
    }
    for (int variable : arguments) {
      buffers[buffer(variable)] = buffer(arguments.get(0));
    }
  }

  private int buffer(int variable) {
    int first = variable;
    while (buffers[first] != first) {
      buffers[first] = buffers[buffers[first]];
      first = buffers[first];
    }
    return first;
  }

  /**
   * Adds the pairs of operators of a block that must keep their order, as far as others do not
   * follow. The numbers of the operators are those of the block.
   */
  void addTo(OperatorGraph.Builder schedule, int block) {
    int first = operators.first(block);
    Map<Integer, Integer> writer = new HashMap<>();
    ListMultimap<Integer, Integer> readers = ArrayListMultimap.create();
    int count = operators.end(block) - first;
    for (int operator = 0; operator < count; operator++) {
      for (int variable : reads.get(first + operator)) {
        int buffer = buffer(variable);
        inOrder(writer.getOrDefault(buffer, NONE), operator, schedule);
        readers.put(buffer, operator);
      }
      for (int variable : writes.get(first + operator)) {
        int buffer = buffer(variable);
        inOrder(writer.getOrDefault(buffer, NONE), operator, schedule);
        for (int reader : readers.removeAll(buffer)) {
          inOrder(reader, operator, schedule);
        }
        writer.put(buffer, operator);
      }
    }
    addRules(schedule, first, count);
    ImmutableIntArray alike = requireNonNull(lookAlikes.get(block));
    for (int operator = 0; operator < count; operator++) {
      inOrder(alike.get(operator), operator, schedule);
    }
  }

  private void addRules(OperatorGraph.Builder schedule, int first, int count) {
    int barrier = NONE;
    int ordered = NONE;
    for (int operator = 0; operator < count; operator++) {
      inOrder(barrier, operator, schedule);
      OrderRule rule = rules[first + operator];
      if (rule.isBarrier()) {
        for (int i = barrier + 1; i < operator; i++) {
          inOrder(i, operator, schedule);
        }
        barrier = operator;
      } else if (rule == OrderRule.ORDERED) {
        inOrder(ordered, operator, schedule);
        ordered = operator;
      }
    }
  }

  private static void inOrder(int first, int second, OperatorGraph.Builder schedule) {
    if (first != NONE && first != second) {
      schedule.inOrder(first, second);
    }
  }

  /** Logs which operators may not move freely, apart from feeds and fetches, and why. */
  void report(DiagnosticLog log) {
    Map<String, Integer> unknown = new TreeMap<>();
    Map<String, Integer> fixed = new TreeMap<>();
    Map<String, Integer> ordered = new TreeMap<>();
    for (int block : operators.movableBlocks()) {
      for (Operation operation : facts.program().block(block).operations()) {
        count(operation, unknown, fixed, ordered);
      }
    }
    fixed.values().removeIf(count -> count == 0);
    report(unknown, "no operator moves past %s: the catalog does not know what they use", log);
    report(fixed, "no operator moves past %s: they may use anything", log);
    report(ordered, "%s keep their order: they use more than their arguments", log);
  }

  private void count(
      Operation operation,
      Map<String, Integer> unknown,
      Map<String, Integer> fixed,
      Map<String, Integer> ordered) {
    String type = operation.type();
    boolean isPort = type.equals("feed") || type.startsWith("fetch");
    switch (rules[operators.first(operation.block()) + operation.index()]) {
      case UNKNOWN -> unknown.merge(type, 1, Integer::sum);
      case FIXED -> fixed.merge(type, isPort ? 0 : 1, Integer::sum);
      case ORDERED, ORDERED_IN_TRAINING -> ordered.merge(type, 1, Integer::sum);
      case FREE -> {}
    }
  }

  private static void report(Map<String, Integer> types, String message, DiagnosticLog log) {
    if (!types.isEmpty()) {
      StringBuilder list = new StringBuilder();
      types.forEach(
          (type, count) ->
              list.append(list.isEmpty() ? "" : ", ")
                  .append(count)
                  .append(" × ")
                  .append(Names.display(type)));
      log.note(Location.nowhere(), message.formatted(list));
    }
  }
}
