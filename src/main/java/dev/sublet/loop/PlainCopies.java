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
 * The operators that make one dense tensor a copy of another and do nothing else: {@code assign},
 * and for a plan also those that give a tensor another shape, if it is the one that it has.
 */
final class PlainCopies {

  private final ControlFlowGraph graph;
  private final OperatorCatalog catalog;
  private final VariableFacts facts;

  /**
   * Whether reshapes count. In a program they stay, as there they can work in place, which moves no
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
    return operation.inputCount() == 1
        && operation.outputCount() >= 1
        && operation.input(0) != operation.output(0)
        && LoopCarryRules.isTensor(program, operation.input(0))
        && LoopCarryRules.isTensor(program, operation.output(0))
        && (isAssign(operation) || (withReshapes && keepsShape(operation)));
  }

  private static boolean isAssign(Operation operation) {
    return operation.type().equals("assign") && operation.outputCount() == 1;
  }

  /**
   * Whether an operator gives a tensor the shape that it has, and nobody uses its other outputs.
   */
  private boolean keepsShape(Operation operation) {
    OperatorSpec spec = catalog.lookup(operation.type());
    @Nullable ViewRule view = spec.viewRule();
    if (view == null
        || !view.isReshape()
        || operation.firstInput(view.input()) != 0
        || operation.firstOutput(view.output()) != 0
        || spec.outputEffect(view.output()) != Effect.MUST_WRITE) {
      return false;
    }
    for (int i = 1; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE && isUsed(operation.output(i))) {
        return false;
      }
    }
    return facts.haveSameShape(operation.input(0), operation.output(0));
  }

  /** Whether anything but the operator that writes it has to do with a variable. */
  private boolean isUsed(int variable) {
    AccessTable accesses = graph.accesses();
    return graph.program().variable(variable).isPersistable()
        || facts.keepsName(variable)
        || facts.isObserved(variable)
        || accesses.end(variable) - accesses.begin(variable) > 1;
  }

  /** Copies of a loop's outer variables onto themselves, as some programs are saved with. */
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

  /** By which operator of a loop's body a variable that is copied onto itself has been changed. */
  private String writtenInPlace(Region loop, int copy) {
    int variable = graph.operation(copy).output(0);
    AccessTable accesses = graph.accesses();
    String writer = "";
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      boolean isBefore = loop.head() < node && node < copy && graph.isKernel(node);
      if (isBefore && accesses.writes(access) && accesses.reads(access)) {
        writer = ": '" + graph.operation(node).type() + "' has changed it in its place";
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
