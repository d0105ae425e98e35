package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Puts a program together from declarations and operators of others. Does not check that the result
 * means anything: {@link #build} fails only if a name or a block is missing.
 */
public final class ProgramAssembler {

  private final ProgramDesc frame;
  private final List<BlockDesc.Builder> blocks = new ArrayList<>();
  private final List<Set<String>> names = new ArrayList<>();

  private ProgramAssembler(ProgramDesc frame) {
    this.frame = frame;
  }

  /** A program of the version of another one, without blocks. */
  public static ProgramAssembler like(Program program) {
    return new ProgramAssembler(program.toMessage().toBuilder().clearBlocks().build());
  }

  /** A copy of a program. O(size). */
  public static ProgramAssembler of(Program program) {
    ProgramAssembler assembler = like(program);
    for (Block block : program.blocks()) {
      assembler.addBlock(block);
      for (Variable variable : block.variables()) {
        assembler.declare(block.index(), variable);
      }
      for (Operation operation : block.operations()) {
        assembler.add(block.index(), operation, IntUnaryOperator.identity(), ImmutableMap.of());
      }
    }
    return assembler;
  }

  /** Adds a block with the parent and forward block of another, and nothing in it. */
  public void addBlock(Block like) {
    blocks.add(like.message().toBuilder().clearVars().clearOps().setIdx(blocks.size()));
    names.add(new HashSet<>());
  }

  /** Whether a block declares a name. */
  public boolean declares(int block, String name) {
    return names.get(block).contains(name);
  }

  /** Declares a variable as another program does. */
  public void declare(int block, Variable variable) {
    declare(block, variable.name(), variable.message());
  }

  /** Declares a variable like another one, but for its name and its flags. */
  public void declare(int block, String name, Variable like) {
    VarDesc.Builder declaration = like.message().toBuilder();
    declaration.setNameBytes(Names.encode(name)).clearPersistable().clearNeedCheckFeed();
    declare(block, name, declaration.build());
  }

  private void declare(int block, String name, VarDesc declaration) {
    blocks.get(block).addVars(declaration);
    names.get(block).add(name);
  }

  /**
   * Adds an operator to a block, behind all others.
   *
   * @param operation what it is a copy of, of any program
   * @param blockOf the block that it gets for one of the other program
   * @param arguments by the names of slots, the arguments that these have instead
   */
  public void add(
      int block,
      Operation operation,
      IntUnaryOperator blockOf,
      ImmutableMap<String, ImmutableList<String>> arguments) {
    OpDesc.Builder copy = operation.message().toBuilder();
    copy.getInputsBuilderList().forEach(slot -> replace(slot, arguments));
    copy.getOutputsBuilderList().forEach(slot -> replace(slot, arguments));
    for (OpDesc.Attr.Builder attribute : copy.getAttrsBuilderList()) {
      switch (attribute.getType()) {
        case BLOCK -> attribute.setBlockIdx(blockOf.applyAsInt(attribute.getBlockIdx()));
        case BLOCKS -> {
          for (int i = 0; i < attribute.getBlocksIdxCount(); i++) {
            attribute.setBlocksIdx(i, blockOf.applyAsInt(attribute.getBlocksIdx(i)));
          }
        }
        default -> {}
      }
    }
    blocks.get(block).addOps(copy);
  }

  /** Gives slots of an operator other arguments, as {@link #add} does. */
  public void replace(
      int block, int operation, ImmutableMap<String, ImmutableList<String>> arguments) {
    OpDesc.Builder changed = blocks.get(block).getOpsBuilder(operation);
    changed.getInputsBuilderList().forEach(slot -> replace(slot, arguments));
    changed.getOutputsBuilderList().forEach(slot -> replace(slot, arguments));
  }

  private static void replace(
      OpDesc.Var.Builder slot, ImmutableMap<String, ImmutableList<String>> arguments) {
    ImmutableList<String> replacement = arguments.get(slot.getParameter());
    if (replacement != null) {
      slot.clearArguments();
      replacement.forEach(name -> slot.addArgumentsBytes(Names.encode(name)));
    }
  }

  /** The number of operators in a block so far. */
  public int size(int block) {
    return blocks.get(block).getOpsCount();
  }

  /**
   * The program. O(size × nesting depth).
   *
   * @throws ProgramException if a name resolves nowhere or a block is missing
   */
  public Program build() {
    ProgramDesc.Builder program = frame.toBuilder();
    blocks.forEach(program::addBlocks);
    return Program.of(program.build());
  }
}
