package dev.sublet.program;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Writes a program anew, block by block: for rewrites that change its structure. See {@link
 * ProgramEditor} for those that do not.
 */
public final class ProgramBuilder {

  private final Program original;
  private final ProgramDesc message;
  private final List<BlockDesc.Builder> blocks = new ArrayList<>();

  private ProgramBuilder(Program original) {
    this.original = original;
    this.message = original.toMessage();
    for (BlockDesc block : message.getBlocksList()) {
      blocks.add(block.toBuilder());
    }
  }

  /** Begins with a copy of a program. */
  public static ProgramBuilder copyOf(Program program) {
    return new ProgramBuilder(program);
  }

  /** Takes all variables and operators out of a block. */
  @CanIgnoreReturnValue
  public ProgramBuilder clear(int block) {
    blocks.get(block).clearVars().clearOps();
    return this;
  }

  /** Adds an empty block behind all that there are; returns its index. */
  public int addBlock(int parent) {
    blocks.add(BlockDesc.newBuilder().setIdx(blocks.size()).setParentIdx(parent));
    return blocks.size() - 1;
  }

  /** Declares a variable like another one, by any name. */
  @CanIgnoreReturnValue
  public ProgramBuilder declare(int block, String name, Variable like) {
    blocks.get(block).addVars(like.message().toBuilder().setNameBytes(Names.encode(name)));
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

  /** Declares what a control operator keeps its scopes in. */
  @CanIgnoreReturnValue
  public ProgramBuilder declareScopes(int block, String name) {
    declareNew(block, name).setType(VarType.Type.STEP_SCOPES);
    return this;
  }

  private VarType.Builder declareNew(int block, String name) {
    return blocks.get(block).addVarsBuilder().setNameBytes(Names.encode(name)).getTypeBuilder();
  }

  /** How many operators a block has so far. */
  public int operationCount(int block) {
    return blocks.get(block).getOpsCount();
  }

  /** How many variables a block declares so far. */
  public int variableCount(int block) {
    return blocks.get(block).getVarsCount();
  }

  /** Adds an operator at the end of a block. */
  @CanIgnoreReturnValue
  public ProgramBuilder add(int block, OperationBuilder operation) {
    blocks.get(block).addOps(operation.build());
    return this;
  }

  /** Puts an operator in the place of one that was added before. */
  @CanIgnoreReturnValue
  public ProgramBuilder replace(int block, int index, OperationBuilder operation) {
    blocks.get(block).setOps(index, operation.build());
    return this;
  }

  /**
   * The program.
   *
   * @param isDeclared whether a block's declaration of a name stays
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

  /** The program that the builder began with. */
  public Program original() {
    return original;
  }
}
