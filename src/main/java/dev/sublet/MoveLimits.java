package dev.sublet;

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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits within which the operators of a program's first block may move.
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

  /** By operator of the first block: the variables that it reads, and those that it may write. */
  private final List<List<Integer>> reads = new ArrayList<>();

  private final List<List<Integer>> writes = new ArrayList<>();

  private final OrderRule[] rules;

  /** By variable: the first variable found that may have the same buffer, or itself. */
  private final int[] buffers;

  private MoveLimits(ProgramFacts facts) {
    this.facts = facts;
    this.graph = facts.liveness().graph();
    int operators = facts.program().block(0).operations().size();
    for (int i = 0; i < operators; i++) {
      reads.add(new ArrayList<>());
      writes.add(new ArrayList<>());
    }
    this.rules = new OrderRule[operators];
    Arrays.fill(rules, OrderRule.FREE);
    this.buffers = new int[facts.program().variableCount()];
    Arrays.setAll(buffers, variable -> variable);
  }

  /** Finds the limits of a program. */
  static MoveLimits of(ProgramFacts facts) {
    MoveLimits limits = new MoveLimits(facts);
    int[] operators = operatorOfNode(facts.liveness().graph());
    for (int node = 0; node < operators.length; node++) {
      limits.addOperator(operators[node], node);
    }
    limits.addAccesses(operators);
    for (Block block : facts.program().blocks()) {
      block.operations().forEach(limits::joinBuffers);
    }
    return limits;
  }

  /** Returns, by node, the operator of the first block that it is or that runs it. O(nodes). */
  static int[] operatorOfNode(ControlFlowGraph graph) {
    int[] operators = new int[graph.nodeCount()];
    int operator = NONE;
    for (int node = 0; node < operators.length; node++) {
      Operation operation = graph.operation(node);
      operator = operation.block() == 0 ? operation.index() : operator;
      operators[node] = operator;
    }
    return operators;
  }

  private void addOperator(int operator, int node) {
    Operation operation = graph.operation(node);
    OperatorSpec spec = facts.catalog().lookup(operation.type());
    boolean isOpaque = !operation.blocks().isEmpty() && graph.isKernel(node);
    OrderRule rule = isOpaque ? OrderRule.FIXED : spec.order(operation);
    rules[operator] = rule.compareTo(rules[operator]) > 0 ? rule : rules[operator];
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

  private static void add(int variable, List<Integer> variables) {
    if (variable != Program.NO_VARIABLE) {
      variables.add(variable);
    }
  }

  private void addAccesses(int[] operators) {
    AccessTable accesses = graph.accesses();
    for (int v = 0; v < buffers.length; v++) {
      for (int i = accesses.begin(v); i < accesses.end(v); i++) {
        int operator = operators[accesses.node(i)];
        add(accesses.reads(i) ? v : Program.NO_VARIABLE, reads.get(operator));
        add(accesses.writes(i) ? v : Program.NO_VARIABLE, writes.get(operator));
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

  /** Adds the pairs of operators that must keep their order, as far as others do not follow. */
  void addTo(OperatorGraph.Builder schedule) {
    int[] writer = new int[buffers.length];
    Arrays.fill(writer, NONE);
    List<List<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < buffers.length; i++) {
      readers.add(new ArrayList<>());
    }
    for (int operator = 0; operator < rules.length; operator++) {
      for (int variable : reads.get(operator)) {
        inOrder(writer[buffer(variable)], operator, schedule);
        readers.get(buffer(variable)).add(operator);
      }
      for (int variable : writes.get(operator)) {
        int buffer = buffer(variable);
        inOrder(writer[buffer], operator, schedule);
        for (int reader : readers.get(buffer)) {
          inOrder(reader, operator, schedule);
        }
        readers.get(buffer).clear();
        writer[buffer] = operator;
      }
    }
    addRules(schedule);
    ImmutableIntArray alike = OrderValidator.lookAlikes(facts.program(), facts.catalog());
    for (int operator = 0; operator < rules.length; operator++) {
      inOrder(alike.get(operator), operator, schedule);
    }
  }

  private void addRules(OperatorGraph.Builder schedule) {
    int barrier = NONE;
    int ordered = NONE;
    for (int operator = 0; operator < rules.length; operator++) {
      inOrder(barrier, operator, schedule);
      if (rules[operator].isBarrier()) {
        for (int i = barrier + 1; i < operator; i++) {
          inOrder(i, operator, schedule);
        }
        barrier = operator;
      } else if (rules[operator] == OrderRule.ORDERED) {
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
    for (Operation operation : facts.program().block(0).operations()) {
      String type = operation.type();
      boolean isPort = type.equals("feed") || type.startsWith("fetch");
      switch (rules[operation.index()]) {
        case UNKNOWN -> unknown.merge(type, 1, Integer::sum);
        case FIXED -> fixed.merge(type, isPort ? 0 : 1, Integer::sum);
        case ORDERED, ORDERED_IN_TRAINING -> ordered.merge(type, 1, Integer::sum);
        case FREE -> {}
      }
    }
    fixed.values().removeIf(count -> count == 0);
    report(unknown, "no operator moves past %s: the catalog does not know what they use", log);
    report(fixed, "no operator moves past %s: they may use anything", log);
    report(ordered, "%s keep their order: they use more than their arguments", log);
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
