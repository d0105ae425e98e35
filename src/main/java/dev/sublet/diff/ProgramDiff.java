package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.diff.ProgramDifference.BlockChange;
import dev.sublet.diff.ProgramDifference.Kind;
import dev.sublet.diff.ProgramDifference.OperatorChange;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares two programs: the front door.
 *
 * <p>The entry blocks correspond, as do the blocks of corresponding operators; the remaining blocks
 * are paired by index. Within two corresponding blocks, {@link BlockPair} pairs the operators. Two
 * arguments of paired operators correspond if their values come from paired operators, whatever
 * their names. So one variable can have several names in the other program, one after another:
 *
 * <pre>
 *   a = f(x); b = g(a); a = f(b)   before
 *   a = f(x); b = g(a); c = f(b)   after: a is renamed to c in 1 of its 3 uses
 * </pre>
 *
 * <p>Not compared: the order of declarations and of attributes, and unknown fields of the file.
 *
 * <p>Near-linear in programs that differ in few places; O(operators × edits) up to a cap.
 */
public final class ProgramDiff {

  /** The greatest number of comparisons for each way to pair the operators of one block. */
  private static final long MAX_STEPS = 20_000_000;

  private final Program before;
  private final Program after;
  private final int[] partners;
  private final boolean[] isPaired;
  private final List<BlockPair> pairs = new ArrayList<>();

  private ProgramDiff(Program before, Program after) {
    this.before = before;
    this.after = after;
    this.partners = new int[before.blocks().size()];
    this.isPaired = new boolean[after.blocks().size()];
    Arrays.fill(partners, Block.NONE);
  }

  /** Returns the differences of the second program from the first. */
  public static ProgramDifference between(Program before, Program after) {
    ProgramDiff diff = new ProgramDiff(before, after);
    diff.pairBlocks();
    return diff.compare();
  }

  private void pairBlocks() {
    pair(0, 0);
    for (int i = 0; i < pairs.size(); i++) {
      for (OperatorPair operators : pairs.get(i).pairs()) {
        List<Integer> left = operators.before().blocks();
        List<Integer> right = operators.after().blocks();
        for (int j = 0; j < Math.min(left.size(), right.size()); j++) {
          pair(left.get(j), right.get(j));
        }
      }
    }
    for (int block = 0; block < Math.min(partners.length, isPaired.length); block++) {
      pair(block, block);
    }
  }

  private void pair(int left, int right) {
    if (partners[left] == Block.NONE && !isPaired[right]) {
      partners[left] = right;
      isPaired[right] = true;
      pairs.add(BlockPair.of(before.block(left), after.block(right), MAX_STEPS));
    }
  }

  private ProgramDifference compare() {
    pairs.sort((a, b) -> Integer.compare(a.before().index(), b.before().index()));
    VariableMap variables = VariableMap.of(before, after, partners, pairs);
    ImmutableList.Builder<OperatorChange> operators = ImmutableList.builder();
    ImmutableList.Builder<Integer> inexact = ImmutableList.builder();
    for (BlockPair pair : pairs) {
      if (!pair.isExact()) {
        inexact.add(pair.before().index());
      }
      for (Operation operation : pair.removed()) {
        operators.add(change(Kind.REMOVED, operation, null, List.of()));
      }
      for (Operation operation : pair.added()) {
        operators.add(change(Kind.ADDED, null, operation, List.of()));
      }
      for (OperatorPair paired : pair.pairs()) {
        List<String> details = details(pair, paired, variables);
        if (!details.isEmpty()) {
          operators.add(change(Kind.CHANGED, paired.before(), paired.after(), details));
        }
      }
    }
    return new ProgramDifference(
        before.version(),
        after.version(),
        variables.renamings(),
        operators.build(),
        blockChanges(),
        variables.changes(),
        inexact.build());
  }

  private static OperatorChange change(
      Kind kind, @Nullable Operation before, @Nullable Operation after, List<String> details) {
    return new OperatorChange(
        kind,
        Optional.ofNullable(before),
        Optional.ofNullable(after),
        ImmutableList.copyOf(details));
  }

  private List<String> details(BlockPair block, OperatorPair pair, VariableMap variables) {
    List<String> details = new ArrayList<>(pair.slotChanges());
    details.addAll(variables.argumentChanges(block, pair));
    details.addAll(AttributeChanges.find(pair, before, after, variables::isSameInAttribute));
    if (pair.before().isTarget() != pair.after().isTarget()) {
      details.add(pair.after().isTarget() ? "is a target now" : "is a target no more");
    }
    if (pair.before().blocks().size() != pair.after().blocks().size()) {
      details.add("runs " + pair.after().blocks().size() + " blocks");
    }
    return details;
  }

  private ImmutableList<BlockChange> blockChanges() {
    ImmutableList.Builder<BlockChange> changes = ImmutableList.builder();
    for (Block block : before.blocks()) {
      if (partners[block.index()] == Block.NONE) {
        changes.add(new BlockChange(Kind.REMOVED, block.index(), block.operations().size()));
      }
    }
    for (Block block : after.blocks()) {
      if (!isPaired[block.index()]) {
        changes.add(new BlockChange(Kind.ADDED, block.index(), block.operations().size()));
      }
    }
    return changes.build();
  }
}
