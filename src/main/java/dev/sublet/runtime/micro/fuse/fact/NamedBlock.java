package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import java.util.ArrayList;
import java.util.List;

/**
 * A block with the name of its function, so that a program can be treated as one list of blocks.
 *
 * @param function the name of the function that contains the block
 * @param block the nest
 */
public record NamedBlock(String function, LoopBlock block) {

  /** Returns the blocks of a program in the order in which they run. */
  public static List<NamedBlock> of(MicroProgram program) {
    List<NamedBlock> blocks = new ArrayList<>();
    for (MicroFunction function : program.functions()) {
      for (LoopBlock block : function.blocks()) {
        blocks.add(new NamedBlock(function.name(), block));
      }
    }
    return blocks;
  }

  /**
   * Returns the program with other blocks. Adjacent blocks with the same name form one function.
   */
  public static MicroProgram replace(MicroProgram program, List<NamedBlock> blocks) {
    ImmutableList.Builder<MicroFunction> functions = ImmutableList.builder();
    int start = 0;
    while (start < blocks.size()) {
      String name = blocks.get(start).function();
      ImmutableList.Builder<LoopBlock> together = ImmutableList.builder();
      int end = start;
      while (end < blocks.size() && blocks.get(end).function().equals(name)) {
        together.add(blocks.get(end).block());
        end++;
      }
      functions.add(new MicroFunction(name, together.build()));
      start = end;
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        program.tensors(),
        program.requirements(),
        functions.build());
  }
}
