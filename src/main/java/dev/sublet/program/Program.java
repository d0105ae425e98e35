package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.ProgramDesc;
import java.util.Map;

/**
 * A whole program: blocks of operators over declared variables, with every name resolved.
 *
 * <p>Variables have dense indices 0 to {@link #variableCount} - 1, so analyses keep facts about
 * them in arrays beside the program, never in fields of it.
 */
public final class Program {

  /** The index that means "no variable": of {@code @EMPTY@} and of empty arguments. */
  public static final int NO_VARIABLE = -1;

  private final ProgramDesc message;
  private final ImmutableList<Block> blocks;
  private final ImmutableList<Variable> variables;
  private final ImmutableList<Map<String, Integer>> declarations;
  private final int[][] lookupPaths;
  private final int operationCount;

  Program(
      ProgramDesc message,
      ImmutableList<Block> blocks,
      ImmutableList<Variable> variables,
      ImmutableList<Map<String, Integer>> declarations,
      int[][] lookupPaths) {
    this.message = message;
    this.blocks = blocks;
    this.variables = variables;
    this.declarations = declarations;
    this.lookupPaths = lookupPaths;
    int count = 0;
    for (Block block : blocks) {
      count += block.operations().size();
    }
    this.operationCount = count;
  }

  /**
   * Resolves the names of a parsed program and checks it. O(size × nesting depth).
   *
   * @throws ProgramException if there is no block, a block index is dangling, blocks form a cycle,
   *     a block declares a name twice or a tensor of more than {@link TensorType#MAX_RANK} extents,
   *     or an argument's name resolves nowhere
   */
  public static Program of(ProgramDesc message) {
    return ProgramResolver.resolve(message);
  }

  /**
   * The message that this program is a view of. Only for the codec and for library users who need
   * the message itself; all other code uses the program.
   */
  public ProgramDesc toMessage() {
    return message;
  }

  /** The blocks, by index; block 0 is the program's entry. */
  public ImmutableList<Block> blocks() {
    return blocks;
  }

  /** One block. */
  public Block block(int index) {
    return blocks.get(index);
  }

  /** The number of operators over all blocks. */
  public int operationCount() {
    return operationCount;
  }

  /** The number of declared variables over all blocks. */
  public int variableCount() {
    return variables.size();
  }

  /** All variables, by dense index. */
  public ImmutableList<Variable> variables() {
    return variables;
  }

  /** One variable, by dense index. */
  public Variable variable(int index) {
    return variables.get(index);
  }

  /** The version of the framework that wrote the program, such as 2005001; 0 if not recorded. */
  public long version() {
    return message.getVersion().getVersion();
  }

  /**
   * Whether two programs are equal except for their blocks: the versions of the framework and of
   * operators, and fields from newer writers. O(operator versions).
   */
  public boolean hasSameFurtherFields(Program other) {
    return message.toBuilder()
        .clearBlocks()
        .build()
        .equals(other.message.toBuilder().clearBlocks().build());
  }

  /**
   * Returns the variable that a name means in a block: the block's own variable, else the first in
   * a breadth-first search over forward blocks and parents, as in Paddle. O(path length).
   *
   * @return the variable's dense index, or {@link #NO_VARIABLE} if the name resolves nowhere
   */
  public int resolve(int block, String name) {
    if (name.isEmpty() || name.equals(Names.EMPTY)) {
      return NO_VARIABLE;
    }
    for (int candidate : lookupPaths[block]) {
      Integer index = declarations.get(candidate).get(name);
      if (index != null) {
        return index;
      }
    }
    return NO_VARIABLE;
  }

  /** The variable that the block itself declares under the name, or {@link #NO_VARIABLE}. */
  public int declared(int block, String name) {
    Integer index = declarations.get(block).get(name);
    return index == null ? NO_VARIABLE : index;
  }

  /** The variable that has the id, or {@link #NO_VARIABLE}, also if there is no such block. */
  public int declared(VariableId id) {
    boolean isBlock = 0 <= id.block() && id.block() < blocks.size();
    return isBlock ? declared(id.block(), id.name()) : NO_VARIABLE;
  }

  /** The blocks that a lookup from the block searches, in order; the block itself is the first. */
  public ImmutableList<Integer> lookupPath(int block) {
    ImmutableList.Builder<Integer> path = ImmutableList.builder();
    for (int visited : lookupPaths[block]) {
      path.add(visited);
    }
    return path.build();
  }

  /** The variable names in an operator's attributes. O(strings of the operator × lookup). */
  public ImmutableList<AttributeReference> attributeReferences(Operation operation) {
    return NameAttributes.find(this, operation);
  }
}
