package dev.sublet.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.MicroProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fuses blocks, two at a time, wherever that changes no result ({@link FuseNests}).
 *
 * <p>Of two blocks the later is moved to the earlier (to the left), if no block in between touches
 * what it touches and one of the two writes; else the earlier to the later (to the right), which
 * serves gradients: a block that resets a tensor often stands between two that fit. Else the blocks
 * in between that depend on the earlier one go behind both, and the others in front, unless the
 * later one depends on one of the former.
 *
 * <p>Pairs in which the later block reads what the earlier writes come first, then all others: a
 * fusion may rule out another. Those others save no memory, and loops are not reordered for them if
 * that would take them across the rows of tensors. O(blocks²) attempts.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Loop-Fusion".
 */
final class MergeBlocks implements Pass {

  /** What happened to a program. */
  record Merged(MicroProgram program, ImmutableList<Refusal> refusals) {}

  @Override
  public MicroProgram apply(MicroProgram program) {
    return merge(program).program();
  }

  /** The program with its blocks merged, and which producers and consumers stayed apart. */
  static Merged merge(MicroProgram program) {
    Merging merging = new Merging(program);
    merging.mergeAll(/* onlyConsumers= */ true);
    merging.mergeAll(/* onlyConsumers= */ false);
    return new Merged(
        merging.changed ? NamedBlock.replace(program, merging.blocks) : program,
        merging.refusals());
  }

  /** The work on one program. */
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
        int right = left + 1;
        while (right < blocks.size()) {
          if ((!onlyConsumers || shared(left, right).isPresent()) && merge(left, right)) {
            changed = true;
            right = left + 1;
          } else {
            right++;
          }
        }
      }
    }

    /** A tensor that one block writes and a later one reads. */
    private Optional<String> shared(int left, int right) {
      return uses.get(left).writes().stream().filter(uses.get(right).reads()::contains).findFirst();
    }

    private boolean merge(int left, int right) {
      Optional<List<Integer>> behind = behindBoth(left, right);
      if (behind.isEmpty()) {
        return false;
      }
      FuseNests nests = shared(left, right).isPresent() ? consumers : others;
      Optional<LoopBlock> nest =
          nests.fuse(blocks.get(left).block(), blocks.get(right).block()).nest();
      if (nest.isEmpty()) {
        return false;
      }
      List<NamedBlock> before = new ArrayList<>();
      List<NamedBlock> after = new ArrayList<>();
      for (int between = left + 1; between < right; between++) {
        (behind.get().contains(between) ? after : before).add(blocks.get(between));
      }
      List<NamedBlock> window = blocks.subList(left, right + 1);
      String name = window.get(window.size() - 1).function();
      List<NamedBlock> replaced = new ArrayList<>(before);
      replaced.add(new NamedBlock(name, nest.get()));
      replaced.addAll(after);
      window.clear();
      blocks.addAll(left, replaced);
      uses.subList(left, right + 1).clear();
      for (int i = 0; i < replaced.size(); i++) {
        uses.add(left + i, BlockUse.of(replaced.get(i).block()));
      }
      return true;
    }

    /**
     * Which blocks between two go behind them when they are merged, the others going in front; none
     * if a block must stay in between.
     */
    private Optional<List<Integer>> behindBoth(int left, int right) {
      List<Integer> all = new ArrayList<>();
      for (int between = left + 1; between < right; between++) {
        all.add(between);
      }
      if (all.stream().noneMatch(b -> conflict(b, right))) {
        return Optional.of(all);
      }
      List<Integer> behind = new ArrayList<>();
      for (int between : all) {
        if (conflict(left, between) || behind.stream().anyMatch(b -> conflict(b, between))) {
          behind.add(between);
        }
      }
      return behind.stream().noneMatch(b -> conflict(b, right))
          ? Optional.of(behind)
          : Optional.empty();
    }

    private boolean conflict(int earlier, int later) {
      return uses.get(earlier).conflict(uses.get(later)).isPresent();
    }

    /** Why each block and each later one that reads what it writes are still two. */
    ImmutableList<Refusal> refusals() {
      ImmutableList.Builder<Refusal> refusals = ImmutableList.builder();
      for (int left = 0; left < blocks.size(); left++) {
        for (int right = left + 1; right < blocks.size(); right++) {
          Optional<String> tensor = shared(left, right);
          if (tensor.isPresent()) {
            refusals.add(
                new Refusal(
                    blocks.get(left).function(),
                    blocks.get(right).function(),
                    tensor.get(),
                    why(left, right)));
          }
        }
      }
      return refusals.build();
    }

    private String why(int left, int right) {
      return behindBoth(left, right).isEmpty()
          ? "a block in between depends on the one, and the other on it"
          : consumers.fuse(blocks.get(left).block(), blocks.get(right).block()).refusal();
    }
  }
}
