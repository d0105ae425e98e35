package dev.sublet.cfg;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import org.jspecify.annotations.Nullable;

/**
 * Finds the local variables of loops that exist once per iteration, because a gradient operator
 * accesses them in the step scopes of the loop.
 *
 * <p>Such a variable may have an offset in an arena that exists once per iteration, if the loop is
 * a {@code while} with exactly one gradient operator, and only the two bodies access the variable.
 * Otherwise it is unplanned. O(accesses × nesting depth).
 */
final class KeptLocals {

  private final ControlFlowGraph graph;
  private final PinnedVariables pinned;

  private KeptLocals(ControlFlowGraph graph) {
    this.graph = graph;
    this.pinned = graph.pinned();
  }

  /** Records these variables in the graph's {@link PinnedVariables}. */
  static void find(ControlFlowGraph graph) {
    KeptLocals locals = new KeptLocals(graph);
    for (Variable variable : graph.program().variables()) {
      int home = graph.regionOfBlock(variable.block());
      int loop = home <= 0 ? -1 : locals.innermostKeptLoop(home);
      if (loop >= 0 && !locals.isOnlyIn(graph.region(home), variable.index())) {
        locals.keep(variable, graph.region(loop));
      }
    }
  }

  private int innermostKeptLoop(int region) {
    for (int r = region; r > 0; r = graph.region(r).parent()) {
      if (graph.region(r).kept() && graph.region(r).kind().isLoop()) {
        return r;
      }
    }
    return -1;
  }

  private boolean isOnlyIn(Region region, int variable) {
    AccessTable table = graph.accesses();
    for (int access = table.begin(variable); access < table.end(variable); access++) {
      if (!region.contains(table.node(access))) {
        return false;
      }
    }
    return true;
  }

  private void keep(Variable variable, Region loop) {
    Region gradient = onlyGradient(loop);
    if (loop.kind() != ControlKind.WHILE
        || gradient == null
        || !isOnlyInEither(loop, gradient, variable.index())
        || isNamedLikeInput(loop, variable)) {
      pinned.leaveUnplanned(variable.index(), PinnedVariables.ONCE_AN_ITERATION);
    } else {
      pinned.keepInSteps(variable.index(), loop.block());
    }
  }

  private @Nullable Region onlyGradient(Region loop) {
    Region found = null;
    for (Region region : graph.regions()) {
      if (region.forward() == loop.index()) {
        if (found != null) {
          return null;
        }
        found = region;
      }
    }
    return found;
  }

  private boolean isOnlyInEither(Region loop, Region gradient, int variable) {
    AccessTable table = graph.accesses();
    for (int access = table.begin(variable); access < table.end(variable); access++) {
      int node = table.node(access);
      if (!loop.contains(node) && !gradient.contains(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a loop input has the name of the variable; the runtime's copy of it hides a local. */
  private boolean isNamedLikeInput(Region loop, Variable variable) {
    Operation operation = graph.operation(loop.head());
    for (Slot slot : operation.inputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        if (slot.argument(i).equals(variable.name())) {
          return true;
        }
      }
    }
    return false;
  }
}
