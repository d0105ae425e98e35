package dev.sublet.testing;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.TreeRangeMap;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The planned variables are in the bytes that the plan gives them, the others in places of their
 * own.
 *
 * <p>A write marks all bytes of its allocation with one tag. A read finds its value only if all
 * bytes of its allocation still have one tag that was written for exactly these bytes. A planned
 * variable without an allocation at the point of an access has no value there.
 */
final class ArenaMemory implements Memory {

  private record Tag(Range<Long> bytes, long value) {}

  private final Memory unplanned = new ScopeMemory();
  private final ImmutableListMultimap<VariableId, Allocation> allocations;
  private final List<RangeMap<Long, Tag>> arenas = new ArrayList<>();
  private long garbage = Values.of("garbage of the arena");

  ArenaMemory(MemoryPlan plan) {
    ImmutableListMultimap.Builder<VariableId, Allocation> builder = ImmutableListMultimap.builder();
    for (Allocation allocation : plan.allocations()) {
      // A tensor without bytes cannot be damaged.
      if (allocation.bytes() > 0) {
        builder.put(allocation.variable(), allocation);
      }
    }
    allocations = builder.build();
    for (int i = 0; i < plan.arenas().size(); i++) {
      arenas.add(TreeRangeMap.create());
    }
  }

  @Override
  public long read(Cell cell, int point) {
    if (!isPlanned(cell)) {
      return unplanned.read(cell, point);
    }
    Allocation allocation = allocationAt(cell, point);
    if (allocation != null) {
      Map<Range<Long>, Tag> tags =
          arenas.get(allocation.arena()).subRangeMap(bytes(allocation)).asMapOfRanges();
      Tag tag = tags.get(bytes(allocation));
      if (tag != null && tag.bytes().equals(bytes(allocation))) {
        return tag.value();
      }
    }
    garbage = Values.mix(garbage, 1);
    return garbage;
  }

  @Override
  public void write(Cell cell, int point, long value) {
    if (!isPlanned(cell)) {
      unplanned.write(cell, point, value);
      return;
    }
    Allocation allocation = allocationAt(cell, point);
    if (allocation != null) {
      Range<Long> bytes = bytes(allocation);
      arenas.get(allocation.arena()).put(bytes, new Tag(bytes, value));
    }
  }

  @Override
  public boolean covers(Cell cell, int point) {
    return !isPlanned(cell) || allocationAt(cell, point) != null;
  }

  @Override
  public boolean overlap(Cell written, int writePoint, Cell read, int readPoint) {
    if (!isPlanned(written) || !isPlanned(read)) {
      return unplanned.overlap(written, writePoint, read, readPoint);
    }
    Allocation target = allocationAt(written, writePoint);
    Allocation source = allocationAt(read, readPoint);
    return target != null
        && source != null
        && target.arena() == source.arena()
        && target.offset() < source.offset() + source.bytes()
        && source.offset() < target.offset() + target.bytes();
  }

  @Override
  public boolean coincide(Cell written, int writePoint, Cell read, int readPoint) {
    if (!overlap(written, writePoint, read, readPoint)) {
      return false;
    }
    Allocation target = allocationAt(written, writePoint);
    Allocation source = allocationAt(read, readPoint);
    return target == null || source == null || bytes(target).equals(bytes(source));
  }

  private static Range<Long> bytes(Allocation allocation) {
    return Range.closedOpen(allocation.offset(), allocation.offset() + allocation.bytes());
  }

  private boolean isPlanned(Cell cell) {
    return cell.variable != null && allocations.containsKey(cell.variable.id());
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
