package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * The numbers of a program's nodes, in nesting order: node k reads at point 2k and writes at 2k+1.
 *
 * <p>A control operator is followed if it has one block, no other operator has that block, and, if
 * it is a gradient operator, the block that its block is the gradient of is known. Then its head,
 * its body and its exit have numbers of their own; otherwise the operator and all in its blocks are
 * one node.
 */
final class Numbering {

  private static final ImmutableSet<String> FORWARD =
      ImmutableSet.of("while", "conditional_block", "conditional_block_infer", "recurrent");
  private static final ImmutableSet<String> GRADIENT =
      ImmutableSet.of("while_grad", "conditional_block_grad", "recurrent_grad");

  private final Program program;
  private final int[] references;
  private final int[] gradientOf;
  private final int[][] heads;
  private final int[][] exits;
  private int count;

  private Numbering(Program program) {
    this.program = program;
    int blocks = program.blocks().size();
    references = new int[blocks];
    gradientOf = new int[blocks];
    heads = new int[blocks][];
    exits = new int[blocks][];
    for (Block block : program.blocks()) {
      heads[block.index()] = new int[block.operations().size()];
      exits[block.index()] = new int[block.operations().size()];
      gradientOf[block.index()] = Block.NONE;
      for (Operation operation : block.operations()) {
        for (int target : operation.blocks()) {
          references[target]++;
        }
      }
    }
  }

  /** Numbers a program. O(operators). */
  static Numbering of(Program program) {
    Numbering numbering = new Numbering(program);
    numbering.findGradients();
    numbering.walk(0, /* isOpaque= */ false);
    return numbering;
  }

  /** The number of a control operator's head, or of an ordinary operator. */
  int head(Operation operation) {
    return heads[operation.block()][operation.index()];
  }

  /** The number of a control operator's exit, or of an ordinary operator. */
  int exit(Operation operation) {
    return exits[operation.block()][operation.index()];
  }

  /** The number of the last node in a followed operator's body; its head if the body is empty. */
  int last(Operation operation) {
    return exit(operation) - 1;
  }

  /** How many nodes there are. */
  int count() {
    return count;
  }

  /** Whether the control operator is understood, and so runs its block as its type says. */
  boolean isFollowed(Operation operation) {
    if (operation.blocks().size() != 1 || references[operation.blocks().get(0)] != 1) {
      return false;
    }
    return FORWARD.contains(operation.type())
        || (GRADIENT.contains(operation.type()) && forward(operation) != Block.NONE);
  }

  /** Whether a followed gradient operator runs in the scopes of the block. */
  boolean isKept(int block) {
    return gradientOf[block] != Block.NONE;
  }

  private int forward(Operation gradient) {
    Block block = program.block(gradient.blocks().get(0));
    if (block.forward() != Block.NONE) {
      return block.forward();
    }
    // Files from before Paddle 0.12 nest the gradient block in the forward block.
    String type = gradient.type().substring(0, gradient.type().length() - "_grad".length());
    for (Block candidate : program.blocks()) {
      for (Operation operation : candidate.operations()) {
        if (operation.type().startsWith(type)
            && isFollowed(operation)
            && operation.blocks().get(0) == block.parent()) {
          return block.parent();
        }
      }
    }
    return Block.NONE;
  }

  private void findGradients() {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (GRADIENT.contains(operation.type()) && isFollowed(operation)) {
          gradientOf[forward(operation)] = operation.blocks().get(0);
        }
      }
    }
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
