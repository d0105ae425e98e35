package dev.sublet.verify.rewrite;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that no copy of a rewritten program reads a variable before anything has written it: the
 * runtime ends the run there, also if nothing reads the copy.
 *
 * <pre>
 *   original    a = relu(x)   b = assign(a)
 *   rewritten   b = assign(a)   a = relu(x)     a violation
 * </pre>
 *
 * <p>Checked are the copies in blocks that are in no loop, and in the body of a loop that is in no
 * other loop: no operator that comes after such a copy can run before it. Copies of the original
 * that read such a variable may remain. O(accesses).
 */
final class UnsetCopies {

  private final Program program;
  private final NodeOrder nodes;

  /** The variables that a node before the current one writes. */
  private final BitSet written = new BitSet();

  /** By variable that a copy reads before anything writes it: the first such copy. */
  private final Map<Integer, Operation> found = new HashMap<>();

  private UnsetCopies(NodeOrder nodes, DefUses accesses, OperatorCatalog catalog) {
    this.program = nodes.program();
    this.nodes = nodes;
    DefUses.Visitor writes =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            written.set(variable);
          }
        };
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation operation = nodes.operation(node);
      if (OperatorAlignment.isCopy(program, operation, catalog)
          && !written.get(operation.input(0))
          && !isInInnerLoop(operation)) {
        found.putIfAbsent(operation.input(0), operation);
      }
      accesses.visit(node, writes);
    }
  }

  /** Whether the block around the one of an operator may run more than once. O(depth). */
  private boolean isInInnerLoop(Operation operation) {
    int head = nodes.headOfBlock(operation.block());
    while (head >= 0) {
      head = nodes.headOfBlock(nodes.operation(head).block());
      if (head >= 0 && nodes.control(head).isLoop()) {
        return true;
      }
    }
    return false;
  }

  /** Adds a violation for every variable that only the rewritten program copies too early. */
  static void check(
      ProgramGraph graph,
      Program rewritten,
      OperatorCatalog catalog,
      NameAssignment assignment,
      Violations violations) {
    UnsetCopies before = new UnsetCopies(graph.nodes(), graph.accesses(), catalog);
    NodeOrder nodes = NodeOrder.of(rewritten, catalog);
    DefUses accesses = new DefUses(nodes, catalog, operation -> true);
    UnsetCopies after = new UnsetCopies(nodes, accesses, catalog);
    after.found.forEach(
        (variable, copy) -> {
          int owner = assignment.owner(variable);
          boolean isSet =
              owner != Program.NO_VARIABLE
                  && (graph.observed().isDefinedAtStart(owner) || before.found.containsKey(owner));
          if (!isSet) {
            violations.add(copy, rewritten.variable(variable), "is copied before it is written");
          }
        });
  }
}
