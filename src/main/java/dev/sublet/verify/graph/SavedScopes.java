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
 * The pairs of a control operator and its gradient, and the scopes that the forward operator saves
 * for the gradient.
 *
 * <p>The forward operator keeps one scope per iteration, and the gradient's body runs again in it:
 *
 * <pre>
 *   while      { h = tanh(x) }             iteration i writes h in scope i
 *   while_grad { dx = tanh_grad(h, dh) }   runs later and reads h of scope i
 * </pre>
 *
 * <p>So h has one copy per iteration, all of them live until the gradient. O(nodes × nesting of
 * gradients).
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

  /** Collects the variables of the forward loop's scopes that the gradient's body accesses. */
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

  /**
   * Whether the operator of the block has a gradient, and so saves the scopes of its iterations.
   */
  public boolean isKept(int block) {
    return keptBlocks.get(block);
  }

  /** Returns the forward head of a gradient's head, or -1. */
  public int forwardHead(int head) {
    return forwardHeads.getOrDefault(head, -1);
  }

  /**
   * Returns the variables whose names a body and its gradient's body both declare: one variable at
   * run time.
   */
  public BitSet declaredTwice() {
    return declaredTwice;
  }

  /**
   * Returns the variables of saved scopes that a gradient's body accesses: they have one copy per
   * iteration, and all copies live until the gradient.
   */
  public BitSet perIteration() {
    return perIteration;
  }

  /**
   * Returns the locals of forward bodies whose gradient comes first; nothing is known about their
   * values.
   */
  public BitSet outOfOrder() {
    return outOfOrder;
  }

  /** Returns the locals with the name of an input that the runtime copies into their scope. */
  public BitSet hidden() {
    return hidden;
  }

  /**
   * Whether the variables of the block are undefined again each time the head's body is entered.
   */
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
   * Returns the positions of a forward {@code while}'s X that the runtime copies in each iteration:
   * the inputs that are not persistable and that no operator directly in the body both reads and
   * writes.
   *
   * <pre>
   *   while(X = [w, s]) { y = mul(w, x); s = sum(s, y) }      copies w (position 0), not s
   * </pre>
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

  /**
   * Whether a head is a {@code while} whose inputs are copied in each iteration for its gradient.
   */
  public boolean takesSnapshots(int head) {
    return nodes.control(head) == ControlKind.WHILE && isKept(nodes.body(head));
  }
}
