package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The pairs of a control operator and its gradient, and what they mean for scopes: the forward
 * operator keeps one scope an iteration, in which the gradient's body runs again.
 *
 * <p>O(nodes × nesting of gradients).
 */
public final class SavedScopes {

  private final NodeOrder nodes;

  /** By gradient head: the forward head. */
  private final Map<Integer, Integer> forwardHeads = new HashMap<>();

  private final BitSet keptBlocks = new BitSet();
  private final BitSet declaredTwice;
  private final BitSet perIteration;
  private final BitSet outOfOrder;
  private final BitSet hidden;

  private SavedScopes(NodeOrder nodes) {
    this.nodes = nodes;
    this.declaredTwice = new BitSet(nodes.program().variableCount());
    this.perIteration = new BitSet(nodes.program().variableCount());
    this.outOfOrder = new BitSet(nodes.program().variableCount());
    this.hidden = new BitSet(nodes.program().variableCount());
  }

  /** Finds the scopes that gradient operators read later. O(nodes). */
  public static SavedScopes of(NodeOrder nodes, DefUses accesses) {
    SavedScopes savedScopes = new SavedScopes(nodes);
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node) && nodes.control(node).isGradient()) {
        savedScopes.pair(node);
      }
    }
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Integer forward = savedScopes.forwardHeads.get(node);
      if (forward != null && nodes.control(forward).isLoop()) {
        savedScopes.findPerIteration(forward, node, accesses);
      }
    }
    return savedScopes;
  }

  private void pair(int gradient) {
    Block body = nodes.program().block(nodes.body(gradient));
    int forwardBlock = body.forward() != Block.NONE ? body.forward() : body.parent();
    int forward = forwardBlock == Block.NONE ? -1 : nodes.headOfBlock(forwardBlock);
    if (forward < 0 || nodes.control(forward).isGradient()) {
      return;
    }
    forwardHeads.put(gradient, forward);
    keptBlocks.set(forwardBlock);
    findHidden(nodes.operation(forward), forwardBlock);
    findHidden(nodes.operation(forward), body.index());
    for (Variable variable : nodes.program().block(forwardBlock).variables()) {
      int twin = nodes.program().declared(body.index(), variable.name());
      if (twin != Program.NO_VARIABLE) {
        declaredTwice.set(variable.index());
        declaredTwice.set(twin);
      }
      if (nodes.exitOf(forward) > gradient) {
        outOfOrder.set(variable.index());
      }
    }
  }

  private void findHidden(Operation forward, int block) {
    Slot inputs = forward.inputSlot("X").orElse(null);
    for (int i = 0; inputs != null && i < inputs.size(); i++) {
      int local = nodes.program().declared(block, inputs.argument(i));
      if (local != Program.NO_VARIABLE) {
        hidden.set(local);
      }
    }
  }

  /** Whatever lives in the forward loop's scopes and is touched by the gradient's body. */
  private void findPerIteration(int forward, int gradient, DefUses accesses) {
    int exit = nodes.exitOf(forward);
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {
            int head = nodes.headOfBlock(nodes.program().variable(variable).block());
            if (forward <= head && head < exit) {
              perIteration.set(variable);
            }
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            read(node, variable);
          }
        };
    for (int node = gradient; node <= nodes.exitOf(gradient); node++) {
      accesses.visit(node, visitor);
    }
  }

  /** Whether the block's operator has a gradient, and so keeps the scopes of its iterations. */
  public boolean isKept(int block) {
    return keptBlocks.get(block);
  }

  /** The forward head of a gradient's head, or -1. */
  public int forwardHead(int head) {
    return forwardHeads.getOrDefault(head, -1);
  }

  /** Names that a body and its gradient's body both declare: one variable at run time. */
  public BitSet declaredTwice() {
    return declaredTwice;
  }

  /** Locals of kept loops that have a copy an iteration, all of which live until the gradient. */
  public BitSet perIteration() {
    return perIteration;
  }

  /** Locals of forward bodies whose gradient comes first: nothing is known about their values. */
  public BitSet outOfOrder() {
    return outOfOrder;
  }

  /** Locals with the name of an input that the runtime copies to where they are. */
  public BitSet hidden() {
    return hidden;
  }

  /** Whether a variable of the block is undefined again each time the head's body is entered. */
  public boolean isFreshInEachRun(int head, int block) {
    int body = nodes.body(head);
    return (block == body && (isKept(body) || nodes.control(head).isGradient()))
        || (nodes.control(head).isGradient() && block == forwardBlock(head));
  }

  private int forwardBlock(int head) {
    int forward = forwardHead(head);
    return forward < 0 ? Block.NONE : nodes.body(forward);
  }

  /**
   * Which positions of a kept {@code while}'s X the runtime copies in each iteration: those that no
   * operator directly in the body both reads and writes. Positions of persistables are not.
   */
  public static ImmutableIntArray snapshots(Program program, Operation operation) {
    Set<Integer> updated = new HashSet<>();
    for (Operation inner : program.block(operation.blocks().get(0)).operations()) {
      for (int i = 0; i < inner.outputCount(); i++) {
        if (inner.countInputs(inner.output(i)) > 0) {
          updated.add(inner.output(i));
        }
      }
    }
    ImmutableIntArray.Builder positions = ImmutableIntArray.builder();
    Slot inputs = operation.inputSlot("X").orElse(null);
    for (int i = 0; inputs != null && i < inputs.size(); i++) {
      int variable = inputs.variable(i);
      if (variable != Program.NO_VARIABLE
          && !program.variable(variable).isPersistable()
          && !updated.contains(variable)) {
        positions.add(i);
      }
    }
    return positions.build();
  }

  /** Whether a head is a loop whose iterations' inputs are copied for its gradient. */
  public boolean takesSnapshots(int head) {
    return nodes.control(head) == ControlKind.WHILE && isKept(nodes.body(head));
  }
}
