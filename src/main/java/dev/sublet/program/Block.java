package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import dev.sublet.proto.BlockDesc;

/** A block: the variables that it declares and the operators that it runs, in order. */
public final class Block {

  /** The index that means "no block". */
  public static final int NONE = -1;

  private final BlockDesc message;
  private final ImmutableList<Variable> variables;
  private final ImmutableList<Operation> operations;

  Block(BlockDesc message, ImmutableList<Variable> variables, ImmutableList<Operation> operations) {
    this.message = message;
    this.variables = variables;
    this.operations = operations;
  }

  /** The block's index in its program. */
  public int index() {
    return message.getIdx();
  }

  /** The index of the block in whose scope this block runs, or {@link #NONE}. */
  public int parent() {
    return message.getParentIdx() < 0 ? NONE : message.getParentIdx();
  }

  /** The index of the block whose gradient this block computes, or {@link #NONE}. */
  public int forward() {
    return message.getForwardBlockIdx() < 0 ? NONE : message.getForwardBlockIdx();
  }

  /** The declared variables, in file order. */
  public ImmutableList<Variable> variables() {
    return variables;
  }

  /** The operators, in the order in which they run. */
  public ImmutableList<Operation> operations() {
    return operations;
  }

  /** Whether two blocks have the same fields unknown to this version of the format. O(1). */
  public boolean hasSameFurtherFields(Block other) {
    return message.getUnknownFields().equals(other.message.getUnknownFields());
  }

  BlockDesc message() {
    return message;
  }
}
