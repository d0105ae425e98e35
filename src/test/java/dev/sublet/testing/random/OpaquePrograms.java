package dev.sublet.testing.random;

import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random programs in which operators have blocks that are not operators for control flow. Nobody
 * knows when such a block runs.
 *
 * <pre>
 *   y = relu(x)   becomes   y = relu(x) {sub_block: 3}     block 3: z = relu(v)
 * </pre>
 */
public final class OpaquePrograms {

  private static final int MOST = 3;

  private OpaquePrograms() {}

  /** The program of a seed: always the same one. O(size²). */
  public static Program generate(long seed, int size) {
    SplittableRandom random = new SplittableRandom(~seed);
    Program plain =
        switch (random.nextInt(4)) {
          case 0 -> RandomPrograms.generate(seed, size);
          case 1 -> RandomPrograms.generateWithViews(seed, size);
          case 2 -> ExecutablePrograms.generate(seed, size);
          default -> RandomPrograms.generateTyped(seed, size);
        };
    ProgramDesc.Builder program = plain.toMessage().toBuilder();
    int blocks = program.getBlocksCount();
    for (int i = random.nextInt(MOST); i >= 0; i--) {
      addBlock(program, random.nextInt(blocks), random);
    }
    return Program.of(program.build());
  }

  /** Gives an operator of a block a block, empty or with an operator that reads and writes. */
  private static void addBlock(ProgramDesc.Builder program, int parent, SplittableRandom random) {
    BlockDesc.Builder home = program.getBlocksBuilder(parent);
    if (home.getOpsCount() == 0 || home.getVarsCount() == 0) {
      return;
    }
    OpDesc.Builder operator = home.getOpsBuilder(random.nextInt(home.getOpsCount()));
    if (hasBlock(operator) || List.of("feed", "fetch").contains(operator.getType())) {
      return;
    }
    int index = program.getBlocksCount();
    operator.addAttrsBuilder().setName("sub_block").setType(AttrType.BLOCK).setBlockIdx(index);
    BlockDesc.Builder block = BlockDesc.newBuilder().setIdx(index).setParentIdx(parent);
    if (random.nextBoolean()) {
      OpDesc.Builder inner = block.addOpsBuilder().setType("relu");
      inner.addInputsBuilder().setParameter("X").addArguments(variable(home, random));
      inner.addOutputsBuilder().setParameter("Out").addArguments(variable(home, random));
    }
    program.addBlocks(block);
  }

  private static String variable(BlockDesc.Builder block, SplittableRandom random) {
    return block.getVars(random.nextInt(block.getVarsCount())).getName();
  }

  private static boolean hasBlock(OpDesc.Builder operator) {
    return operator.getAttrsList().stream()
        .anyMatch(each -> each.getType() == AttrType.BLOCK || each.getType() == AttrType.BLOCKS);
  }
}
