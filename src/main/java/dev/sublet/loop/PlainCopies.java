package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import org.jspecify.annotations.Nullable;

/**
 * The operators that only copy one dense tensor to another: {@code assign}, and in a plan also a
 * reshape to the shape that the tensor already has.
 */
final class PlainCopies {

  private final ControlFlowGraph graph;
  private final OperatorCatalog catalog;
  private final VariableFacts facts;

  /**
   * Whether reshapes count. In a program they stay: there they can work in place, which moves no
   * bytes either.
   */
  private final boolean withReshapes;

  PlainCopies(
      ControlFlowGraph graph, OperatorCatalog catalog, VariableFacts facts, boolean withReshapes) {
    this.graph = graph;
    this.catalog = catalog;
    this.facts = facts;
    this.withReshapes = withReshapes;
  }

  /** Whether an operator copies its first input to its first output and does nothing else. */
  boolean isOne(Operation operation) {
    Program program = graph.program();
    return operation.blocks().isEmpty()
        && operation.inputCount() == 1
        && operation.outputCount() >= 1
        && operation.input(0) != operation.output(0)
        && LoopCarryRules.isTensor(program, operation.input(0))
        && LoopCarryRules.isTensor(program, operation.output(0))
        && (isAssign(operation) || (withReshapes && keepsShape(operation)));
  }

  private static boolean isAssign(Operation operation) {
    return operation.isPlain("assign") && operation.outputCount() == 1;
  }

  /**
   * Whether an operator is a reshape to the shape that its input has, and its other outputs are
   * unused.
   */
  private boolean keepsShape(Operation operation) {
    OperatorSpec spec = catalog.lookup(operation.type());
    @Nullable ViewRule view = spec.viewRule();
    if (view == null
        || !view.isReshape()
        || operation.firstInput(view.input()) != 0
        || operation.firstOutput(view.output()) != 0
        || spec.effects().on(view.output()) != Effect.MUST_WRITE) {
      return false;
    }
    for (int i = 1; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE && isUsed(operation.output(i))) {
        return false;
      }
    }
    return facts.haveSameShape(operation.input(0), operation.output(0))
        && hasOneShape(operation.input(0))
        && facts.writesOwnDims(operation, 0);
  }

  /**
   * Whether all values of a variable have the shape of the variable; a shared name may have more.
   */
  private boolean hasOneShape(int variable) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      Operation writer = graph.operation(accesses.node(access));
      if (!accesses.writes(access) || !writer.blocks().isEmpty()) {
        continue;
      }
      for (int i = 0; i < writer.outputCount(); i++) {
        if (writer.output(i) == variable && !facts.writesOwnDims(writer, i)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a variable is used otherwise than by the operator that writes it. */
  private boolean isUsed(int variable) {
    AccessTable accesses = graph.accesses();
    return graph.program().variable(variable).isPersistable()
        || facts.keepsName(variable)
        || facts.isObserved(variable)
        || accesses.end(variable) - accesses.begin(variable) > 1;
  }

  /**
   * Returns the copies of a loop's outer variables onto themselves; some programs are saved with
   * such copies.
   */
  ImmutableList<LoopCarriedCopy> ontoThemselves(Region loop) {
    ImmutableList.Builder<LoopCarriedCopy> carries = ImmutableList.builder();
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      Operation copy = graph.operation(node);
      if (graph.regionOfNode(node) == loop.index()
          && isAssign(copy)
          && copy.inputCount() == 1
          && copy.input(0) == copy.output(0)
          && isOutside(loop, copy.output(0))) {
        carries.add(
            new LoopCarriedCopy(
                copy,
                copy.input(0),
                copy.output(0),
                LoopCarriedCopy.Decision.COPIED,
                1,
                "it is copied onto itself, which moves nothing" + writtenInPlace(loop, node)));
      }
    }
    return carries.build();
  }

  /**
   * Returns the end of a message: the operator in the loop's body that changed a variable before
   * its copy onto itself; empty if there is none.
   */
  private String writtenInPlace(Region loop, int copy) {
    int variable = graph.operation(copy).output(0);
    AccessTable accesses = graph.accesses();
    String writer = "";
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      boolean isBefore = loop.head() < node && node < copy && graph.isKernel(node);
      if (isBefore && accesses.writes(access) && accesses.reads(access)) {
        writer = ": '" + graph.operation(node).type() + "' has changed it in place";
      }
    }
    return writer;
  }

  /** Whether a variable is declared outside of a loop's body. */
  boolean isOutside(Region loop, int variable) {
    int home = graph.regionOfBlock(graph.program().variable(variable).block());
    return home >= 0 && home < loop.index();
  }
}
