package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeMap;
import com.google.common.collect.TreeRangeSet;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The planned variables are in the bytes that the plan gives them, the others in places of their
 * own.
 *
 * <p>A write puts the value's pieces into all bytes of its allocation, except where they are copied
 * onto themselves: these it leaves alone. A read finds whatever all bytes of its allocation hold. A
 * planned variable without an allocation at the point of an access has no value there. An arena of
 * which each iteration of a loop has one is that of the iteration's scope. Views are followed;
 * copies that the plan says are unneeded do not run.
 */
final class ArenaMemory implements Memory {

  /** Which arena of an iteration it is, by its index in the plan. */
  private record StepArena(Scope step, int arena) {}

  private record OperatorPosition(int block, int index) {}

  /** What a byte holds: at address a, byte {@code a - base} of the atom. */
  private record Tag(long atom, long base) {}

  private final Memory unplanned = new ScopeMemory();
  private final Contents contents;
  private final ImmutableListMultimap<VariableId, Allocation> allocations;
  private final MemoryPlan plan;
  private final List<RangeMap<Long, Tag>> arenas = new ArrayList<>();
  private final Map<StepArena, RangeMap<Long, Tag>> steps = new HashMap<>();
  private final Map<Integer, Integer> iterations = new HashMap<>();
  private final Set<OperatorPosition> skipped = new HashSet<>();
  private long garbage = Values.of("garbage of the arena");

  ArenaMemory(MemoryPlan plan, Contents contents) {
    this.plan = plan;
    this.contents = contents;
    ImmutableListMultimap.Builder<VariableId, Allocation> builder = ImmutableListMultimap.builder();
    for (Allocation allocation : plan.allocations()) {
      builder.put(allocation.variable(), allocation);
    }
    allocations = builder.build();
    for (int i = 0; i < plan.arenas().size(); i++) {
      arenas.add(TreeRangeMap.create());
    }
    for (UnneededCopy copy : plan.copies()) {
      skipped.add(new OperatorPosition(copy.block(), copy.operator()));
    }
  }

  @Override
  public void iterations(int block, int count) {
    iterations.put(block, count);
  }

  @Override
  public boolean skips(Operation operation) {
    return skipped.contains(new OperatorPosition(operation.block(), operation.index()));
  }

  private long offset(Allocation allocation) {
    return allocation.offset(block -> iterations.getOrDefault(block, 0));
  }

  @Override
  public long read(Cell cell, int point) {
    if (!isPlanned(cell, point) || isEmptyArray(cell)) {
      return unplanned.read(cell, point);
    }
    Allocation allocation = allocationAt(cell, point);
    if (allocation != null) {
      List<Contents.Piece> pieces = new ArrayList<>();
      long position = offset(allocation);
      Map<Range<Long>, Tag> tags =
          arena(cell, allocation).subRangeMap(bytes(allocation)).asMapOfRanges();
      for (Map.Entry<Range<Long>, Tag> entry : tags.entrySet()) {
        long begin = entry.getKey().lowerEndpoint();
        long end = entry.getKey().upperEndpoint();
        if (begin != position) {
          break;
        }
        Tag tag = entry.getValue();
        pieces.add(new Contents.Piece(tag.atom(), begin - tag.base(), end - begin));
        position = end;
      }
      if (position == offset(allocation) + allocation.bytes()) {
        return contents.join(pieces);
      }
    }
    garbage = Values.mix(garbage, 1);
    return garbage;
  }

  @Override
  public void write(Cell cell, int point, long value, ImmutableList<Copy> copies) {
    if (!isPlanned(cell, point)) {
      unplanned.write(cell, point, value, copies);
      return;
    }
    if (cell.isArray()) {
      cell.value = value; // no longer empty
    }
    Allocation allocation = allocationAt(cell, point);
    if (allocation == null) {
      return;
    }
    RangeSet<Long> changed = changed(cell, allocation, copies);
    long position = offset(allocation);
    long end = position + allocation.bytes();
    for (Contents.Piece piece : contents.pieces(value, allocation.bytes())) {
      if (position < end) {
        Range<Long> range = Range.closedOpen(position, Math.min(end, position + piece.bytes()));
        for (Range<Long> part : changed.subRangeSet(range).asRanges()) {
          Tag tag = new Tag(piece.atom(), position - piece.from());
          arena(cell, allocation).put(part, tag);
        }
      }
      position += piece.bytes();
    }
  }

  /** Whether nothing has written the array: then its bytes are still those of others. */
  private static boolean isEmptyArray(Cell cell) {
    return cell.isArray() && cell.value == Values.EMPTY_ARRAY;
  }

  /** The bytes of an allocation without those that are copied onto themselves. */
  private RangeSet<Long> changed(Cell cell, Allocation target, ImmutableList<Copy> copies) {
    RangeSet<Long> changed = TreeRangeSet.create(ImmutableRangeSet.of(bytes(target)));
    for (Copy copy : copies) {
      Allocation source =
          isPlanned(copy.source(), copy.point()) ? allocationAt(copy.source(), copy.point()) : null;
      if (source != null
          && isSameArena(copy.source(), source, cell, target)
          && offset(target) - offset(source) == copy.offset()) {
        long begin = offset(source) + Math.max(0, copy.offset());
        changed.remove(Range.closedOpen(begin, begin + copy.bytes()));
      }
    }
    return changed;
  }

  /** Where an instance is; one that is outside of the loop of its arena is nowhere. */
  private RangeMap<Long, Tag> arena(Cell cell, Allocation allocation) {
    int block = plan.arenas().get(allocation.arena()).stepOfBlock();
    if (block == 0) {
      return arenas.get(allocation.arena());
    }
    Scope step = cell.scope == null ? null : cell.scope.step(block);
    return step == null
        ? TreeRangeMap.create()
        : steps.computeIfAbsent(
            new StepArena(step, allocation.arena()), key -> TreeRangeMap.create());
  }

  @SuppressWarnings("ReferenceEquality") // an arena is itself
  private boolean isSameArena(Cell a, Allocation atA, Cell b, Allocation atB) {
    return arena(a, atA) == arena(b, atB);
  }

  @Override
  public boolean covers(Cell cell, int point) {
    return !isPlanned(cell, point) || allocationAt(cell, point) != null;
  }

  @Override
  public boolean damages(
      Cell written, int writePoint, ImmutableList<Copy> copies, Cell read, int readPoint) {
    if (!isPlanned(written, writePoint) || !isPlanned(read, readPoint)) {
      return unplanned.damages(written, writePoint, copies, read, readPoint);
    }
    Allocation target = allocationAt(written, writePoint);
    Allocation source = allocationAt(read, readPoint);
    return target != null
        && source != null
        && isSameArena(read, source, written, target)
        && !changed(written, target, copies).subRangeSet(bytes(source)).isEmpty();
  }

  @Override
  public boolean coincide(Cell written, int writePoint, Cell read, int readPoint) {
    if (!damages(written, writePoint, ImmutableList.of(), read, readPoint)) {
      return false;
    }
    Allocation target = allocationAt(written, writePoint);
    Allocation source = allocationAt(read, readPoint);
    return target == null || source == null || bytes(target).equals(bytes(source));
  }

  private Range<Long> bytes(Allocation allocation) {
    return Range.closedOpen(offset(allocation), offset(allocation) + allocation.bytes());
  }

  /** A tensor without bytes cannot be damaged: it counts as unplanned. */
  private boolean isPlanned(Cell cell, int point) {
    if (cell.variable == null || !allocations.containsKey(cell.variable.id())) {
      return false;
    }
    Allocation allocation = allocationAt(cell, point);
    return allocation == null || allocation.bytes() > 0;
  }

  private @Nullable Allocation allocationAt(Cell cell, int point) {
    if (cell.variable == null) {
      return null;
    }
    for (Allocation allocation : allocations.get(cell.variable.id())) {
      for (Interval interval : allocation.live()) {
        if (interval.begin() <= point && point < interval.end()) {
          return allocation;
        }
      }
    }
    return null;
  }
}
