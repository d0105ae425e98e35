package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Builds a new program, block by block, for rewrites that change the structure. {@link
 * ProgramEditor} is for rewrites that do not.
 */
public final class ProgramBuilder {

  private final ProgramDesc message;
  private final List<BlockDesc.Builder> blocks = new ArrayList<>();

  private ProgramBuilder(ProgramDesc message) {
    this.message = message;
  }

  /** Begins with a copy of a program. O(blocks). */
  public static ProgramBuilder copyOf(Program program) {
    ProgramBuilder builder = new ProgramBuilder(program.toMessage());
    for (BlockDesc block : builder.message.getBlocksList()) {
      builder.blocks.add(block.toBuilder());
    }
    return builder;
  }

  /** Begins with a program without blocks that has another program's versions. */
  public static ProgramBuilder like(Program program) {
    return new ProgramBuilder(program.toMessage());
  }

  /** Begins with a program without blocks and without a version. */
  public static ProgramBuilder empty() {
    return new ProgramBuilder(ProgramDesc.getDefaultInstance());
  }

  /** Removes all variables and operators from a block. */
  @CanIgnoreReturnValue
  public ProgramBuilder clear(int block) {
    blocks.get(block).clearVars().clearOps();
    return this;
  }

  /** Adds an empty block after the existing blocks; returns its index. */
  public int addBlock(int parent) {
    blocks.add(BlockDesc.newBuilder().setIdx(blocks.size()).setParentIdx(parent));
    return blocks.size() - 1;
  }

  /** Adds an empty block with the parent and the forward block of another block. */
  @CanIgnoreReturnValue
  public ProgramBuilder addBlock(Block like) {
    blocks.add(like.message().toBuilder().clearVars().clearOps().setIdx(blocks.size()));
    return this;
  }

  /** The names that the block declares so far. O(variables of the block). */
  public ImmutableSet<String> names(int block) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (VarDesc variable : blocks.get(block).getVarsList()) {
      names.add(Names.decode(variable.getNameBytes()));
    }
    return names.build();
  }

  /** Declares a variable exactly as another program declares it. */
  @CanIgnoreReturnValue
  public ProgramBuilder declare(int block, Variable variable) {
    blocks.get(block).addVars(variable.message());
    return this;
  }

  /**
   * Declares a variable of another variable's type under a name of its own. Unless the name is the
   * same, the new variable is neither a feed nor persistable.
   */
  @CanIgnoreReturnValue
  public ProgramBuilder declare(int block, String name, Variable like) {
    if (name.equals(like.name())) {
      return declare(block, like);
    }
    VarDesc.Builder declaration = like.message().toBuilder().setNameBytes(Names.encode(name));
    blocks.get(block).addVars(declaration.clearPersistable().clearNeedCheckFeed());
    return this;
  }

  /** Declares a dense tensor of one element. */
  @CanIgnoreReturnValue
  public ProgramBuilder declareScalar(int block, String name, DataType type) {
    VarType.Builder scalar = declareNew(block, name).setType(VarType.Type.LOD_TENSOR);
    scalar
        .getLodTensorBuilder()
        .getTensorBuilder()
        .setDataType(VarType.Type.valueOf(type.name()))
        .addDims(1);
    return this;
  }

  /** Declares a dense tensor. */
  @CanIgnoreReturnValue
  public ProgramBuilder declare(int block, String name, TensorDraft tensor) {
    tensor.addTo(blocks.get(block).addVarsBuilder().setNameBytes(Names.encode(name)));
    return this;
  }

  /** Declares a variable that is not a dense tensor and has no fixed size (kind RAW). */
  @CanIgnoreReturnValue
  public ProgramBuilder declareOpaque(int block, String name) {
    declareNew(block, name).setType(VarType.Type.RAW);
    return this;
  }

  /** Declares the holder of feeds, or the holder of fetched results. */
  @CanIgnoreReturnValue
  public ProgramBuilder declareHolder(int block, String name, boolean ofFeeds) {
    declareNew(block, name)
        .setType(ofFeeds ? VarType.Type.FEED_MINIBATCH : VarType.Type.FETCH_LIST);
    blocks.get(block).getVarsBuilder(variableCount(block) - 1).setPersistable(true);
    return this;
  }

  /** Declares the variable in which a control operator keeps its step scopes. */
  @CanIgnoreReturnValue
  public ProgramBuilder declareScopes(int block, String name) {
    declareNew(block, name).setType(VarType.Type.STEP_SCOPES);
    return this;
  }

  private VarType.Builder declareNew(int block, String name) {
    return blocks.get(block).addVarsBuilder().setNameBytes(Names.encode(name)).getTypeBuilder();
  }

  /** The number of operators in the block so far. */
  public int operationCount(int block) {
    return blocks.get(block).getOpsCount();
  }

  /** The number of variables that the block declares so far. */
  public int variableCount(int block) {
    return blocks.get(block).getVarsCount();
  }

  /** Adds an operator at the end of a block. */
  @CanIgnoreReturnValue
  public ProgramBuilder add(int block, OperationBuilder operation) {
    blocks.get(block).addOps(operation.build());
    return this;
  }

  /** Replaces arguments of an operator, see {@link OperationBuilder#withArguments}. */
  @CanIgnoreReturnValue
  public ProgramBuilder replaceArguments(
      int block, int index, ImmutableMap<String, ImmutableList<String>> arguments) {
    OpDesc operation = blocks.get(block).getOps(index);
    return replace(block, index, OperationBuilder.copyOf(operation).withArguments(arguments));
  }

  /** Replaces an operator that was added before. */
  @CanIgnoreReturnValue
  public ProgramBuilder replace(int block, int index, OperationBuilder operation) {
    blocks.get(block).setOps(index, operation.build());
    return this;
  }

  /**
   * Returns the program. O(size × nesting depth).
   *
   * @throws ProgramException if a name resolves nowhere or a block is missing
   */
  public Program build() {
    return build((block, name) -> true);
  }

  /**
   * Returns the program without some of the declarations.
   *
   * @param isDeclared whether a block's declaration of a name stays; given block index and name
   */
  public Program build(BiPredicate<Integer, String> isDeclared) {
    ProgramDesc.Builder program = message.toBuilder().clearBlocks();
    for (BlockDesc.Builder block : blocks) {
      BlockDesc.Builder kept = block.clone().clearVars();
      for (VarDesc variable : block.getVarsList()) {
        if (isDeclared.test(block.getIdx(), Names.decode(variable.getNameBytes()))) {
          kept.addVars(variable);
        }
      }
      program.addBlocks(kept);
    }
    return Program.of(program.build());
  }
}
