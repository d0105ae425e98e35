package dev.sublet.runtime.memory;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * The numbers of a program's nodes in nesting order: node k reads at point 2k and writes at point
 * 2k + 1. A control operator has one number for its head and one for its exit; the numbers of its
 * body are between them:
 *
 * <pre>{@code
 * a = relu(x)    // node 0
 * while (c) {    // head: node 1
 *   b = relu(a)  // node 2
 * }              // exit: node 3
 * }</pre>
 *
 * <p>A control operator is <i>followed</i> if it has one block and no other operator has that
 * block. For a gradient operator, the forward block of its block must also be known. A control
 * operator that is not followed is one node together with all operators in its blocks.
 */
public final class Numbering {

  private static final String GRADIENT_SUFFIX = "_grad";

  private final Program program;
  private final OperatorCatalog catalog;
  private final int[] references;
  private final boolean[] kept;
  private final int[][] heads;
  private final int[][] exits;
  private int count;

  private Numbering(Program program, OperatorCatalog catalog) {
    this.program = program;
    this.catalog = catalog;
    int blocks = program.blocks().size();
    references = new int[blocks];
    kept = new boolean[blocks];
    heads = new int[blocks][];
    exits = new int[blocks][];
    for (Block block : program.blocks()) {
      heads[block.index()] = new int[block.operations().size()];
      exits[block.index()] = new int[block.operations().size()];
      for (Operation operation : block.operations()) {
        for (int target : operation.blocks()) {
          references[target]++;
        }
      }
    }
  }

  /**
   * Numbers the nodes of a program. O(operators), except that each gradient block without a named
   * forward block costs a search of the program.
   */
  public static Numbering of(Program program, OperatorCatalog catalog) {
    Numbering numbering = new Numbering(program, catalog);
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (numbering.kind(operation).isGradient() && numbering.isFollowed(operation)) {
          numbering.kept[numbering.forward(operation)] = true;
        }
      }
    }
    numbering.walk(0, /* isOpaque= */ false);
    return numbering;
  }

  /** Returns the number of a control operator's head, or of an ordinary operator. */
  public int head(Operation operation) {
    return heads[operation.block()][operation.index()];
  }

  /** Returns the number of a control operator's exit, or of an ordinary operator. */
  public int exit(Operation operation) {
    return exits[operation.block()][operation.index()];
  }

  /**
   * Returns the number of the last node in a followed operator's body; if the body is empty, the
   * number of the operator's head.
   */
  public int last(Operation operation) {
    return exit(operation) - 1;
  }

  /** Returns the number of nodes. */
  public int count() {
    return count;
  }

  /** Returns the catalog's specification of an operator. */
  public OperatorSpec spec(Operation operation) {
    return catalog.lookup(operation.type());
  }

  /** Returns the way in which the operator runs its block. */
  public ControlKind kind(Operation operation) {
    return spec(operation).control();
  }

  /**
   * Whether the control operator is followed (see the class comment), so that it runs its block as
   * its type requires.
   */
  public boolean isFollowed(Operation operation) {
    if (operation.blocks().size() != 1 || references[operation.blocks().get(0)] != 1) {
      return false;
    }
    ControlKind kind = kind(operation);
    return kind != ControlKind.NONE && (!kind.isGradient() || forward(operation) != Block.NONE);
  }

  /** Whether a followed gradient operator visits the scopes of the block, so that they are kept. */
  public boolean isKept(int block) {
    return kept[block];
  }

  private int forward(Operation gradient) {
    Block block = program.block(gradient.blocks().get(0));
    if (block.forward() != Block.NONE) {
      return block.forward();
    }
    // Files from before Paddle 0.12 nest the gradient block in the forward block.
    String type = gradient.type().substring(0, gradient.type().length() - GRADIENT_SUFFIX.length());
    for (Block candidate : program.blocks()) {
      for (Operation operation : candidate.operations()) {
        if (operation.type().startsWith(type)
            && !kind(operation).isGradient()
            && isFollowed(operation)
            && operation.blocks().get(0) == block.parent()) {
          return block.parent();
        }
      }
    }
    return Block.NONE;
  }

  private void walk(int block, boolean isOpaque) {
    for (Operation operation : program.block(block).operations()) {
      boolean followed = !isOpaque && isFollowed(operation);
      int number = isOpaque ? count - 1 : count++;
      heads[block][operation.index()] = number;
      for (int target : operation.blocks()) {
        walk(target, !followed);
      }
      exits[block][operation.index()] = followed ? count++ : number;
    }
  }
}
