package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.BlocksBetween;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Fuses pairs of blocks wherever fusion preserves all results ({@link FuseNests}).
 *
 * <p>The blocks between the pair must move out of the way. There are three cases:
 *
 * <ul>
 *   <li>If the later block conflicts with no block in between, it moves left to the earlier one.
 *   <li>Else, if the earlier block conflicts with no block in between, it moves right to the later
 *       one. Gradients need this case: a block that resets a tensor often stands between two blocks
 *       that fit.
 *   <li>Else the blocks in between that depend on the earlier one move after the merged block and
 *       the others before it, unless the later one depends on one of the former.
 * </ul>
 *
 * <p>Pairs in which the later block reads a tensor that the earlier one writes come first, because
 * one fusion may prevent another. The remaining pairs save no memory; loops are not reordered for
 * them if accesses would then run across the rows of tensors. O(blocks²) conflict tests, and one
 * fusion attempt for each pair that the blocks in between permit.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Loop-Fusion".
 */
final class MergeBlocks implements Pass {

  /** A merged program, and the producers and consumers that were not merged. */
  record Merged(MicroProgram program, ImmutableList<Refusal> refusals) {}

  @Override
  public MicroProgram apply(MicroProgram program) {
    return merge(program).program();
  }

  /**
   * Returns the program with its blocks merged, and the pairs of producer and consumer that remain
   * separate.
   */
  static Merged merge(MicroProgram program) {
    Merging merging = new Merging(program);
    merging.mergeAll(/* onlyConsumers= */ true);
    merging.mergeAll(/* onlyConsumers= */ false);
    return new Merged(
        merging.changed ? NamedBlock.replace(program, merging.blocks) : program,
        merging.refusals());
  }

  /** The merging of one program. */
  private static final class Merging {

    private final FuseNests consumers;
    private final FuseNests others;
    private final List<NamedBlock> blocks;
    private final List<BlockUse> uses = new ArrayList<>();
    private boolean changed;

    Merging(MicroProgram program) {
      Extents extents = Extents.of(program);
      this.consumers = new FuseNests(extents, /* anyOrder= */ true);
      this.others = new FuseNests(extents, /* anyOrder= */ false);
      this.blocks = NamedBlock.of(program);
      for (NamedBlock block : blocks) {
        uses.add(BlockUse.of(block.block()));
      }
    }

    void mergeAll(boolean onlyConsumers) {
      for (int left = 0; left < blocks.size(); left++) {
        BlocksBetween between = new BlocksBetween(uses.get(left));
        int right = left + 1;
        int end = onlyConsumers ? endOfReaders(left) : blocks.size();
        while (right < end) {
          BlockUse use = uses.get(right);
          if ((!onlyConsumers || uses.get(left).isReadBy(use)) && merge(left, right, between)) {
            changed = true;
            between = new BlocksBetween(uses.get(left));
            right = left + 1;
            end = onlyConsumers ? endOfReaders(left) : blocks.size();
          } else {
            between.add(use);
            right++;
          }
        }
      }
    }

    /** Returns the index after the last block that reads a tensor that the left block writes. */
    private int endOfReaders(int left) {
      int end = blocks.size();
      while (end > left + 1 && !uses.get(left).isReadBy(uses.get(end - 1))) {
        end--;
      }
      return end;
    }

    private boolean merge(int left, int right, BlocksBetween between) {
      Optional<BitSet> following = between.afterBoth(uses.get(right));
      if (following.isEmpty()) {
        return false;
      }
      FuseNests nests = uses.get(left).isReadBy(uses.get(right)) ? consumers : others;
      Optional<LoopBlock> nest =
          nests.fuse(blocks.get(left).block(), blocks.get(right).block()).nest();
      if (nest.isEmpty()) {
        return false;
      }
      BitSet moves = following.get();
      NamedBlock merged = new NamedBlock(blocks.get(right).function(), nest.get());
      BlockUse use = uses.get(left);
      use.addAll(uses.get(right));
      arrange(blocks, left, right, merged, moves);
      arrange(uses, left, right, use, moves);
      return true;
    }

    /**
     * Replaces two elements of a list by one. Of the elements in between, those in {@code
     * following}, counted from the first element in between, go after it, the others before it.
     */
    private static <T> void arrange(List<T> list, int left, int right, T merged, BitSet following) {
      List<T> window = list.subList(left, right + 1);
      List<T> before = new ArrayList<>();
      List<T> after = new ArrayList<>();
      for (int i = 1; i < window.size() - 1; i++) {
        (following.get(i - 1) ? after : before).add(window.get(i));
      }
      window.clear();
      list.addAll(left, after);
      list.add(left, merged);
      list.addAll(left, before);
    }

    /**
     * Returns, for each block and each later block that reads a tensor it writes, the reason why
     * they were not merged.
     */
    ImmutableList<Refusal> refusals() {
      // In the order of the merged statements, for the first tensor of each pair.
      for (int i = 0; i < blocks.size(); i++) {
        uses.set(i, BlockUse.of(blocks.get(i).block()));
      }
      ImmutableList.Builder<Refusal> refusals = ImmutableList.builder();
      for (int left = 0; left < blocks.size(); left++) {
        BlocksBetween between = new BlocksBetween(uses.get(left));
        int end = endOfReaders(left);
        for (int right = left + 1; right < end; right++) {
          BlockUse use = uses.get(right);
          Optional<String> tensor = uses.get(left).firstReadBy(use);
          if (tensor.isPresent()) {
            refusals.add(
                new Refusal(
                    blocks.get(left).function(),
                    blocks.get(right).function(),
                    tensor.get(),
                    why(left, right, between)));
          }
          between.add(use);
        }
      }
      return refusals.build();
    }

    private String why(int left, int right, BlocksBetween between) {
      return between.afterBoth(uses.get(right)).isEmpty()
          ? "a block in between depends on the one, and the other on it"
          : consumers.fuse(blocks.get(left).block(), blocks.get(right).block()).refusal();
    }
  }
}
