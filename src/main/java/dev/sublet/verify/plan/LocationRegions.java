package dev.sublet.verify.plan;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MultiView;
import dev.sublet.verify.graph.IntList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * All regions that the allocations of a plan ever occupy, with the set of those occupied now.
 *
 * <p>The region of an allocation that does not move has the allocation's number; the regions of
 * views have the numbers after these. O(n log n) for n regions.
 */
final class LocationRegions {

  private final int[] arenas;
  private final int[] ranks;
  private final IntList variables = new IntList();
  private final List<OccupiedRegions> byArena = new ArrayList<>();

  /** By variable and extent: the regions of views. */
  private final Table<Integer, Extent, Integer> ofViews = HashBasedTable.create();

  private record Extent(int arena, long offset, long bytes) {}

  LocationRegions(PlacedAllocations allocations, int arenaCount) {
    List<Extent> extents = new ArrayList<>();
    for (int a = 0; a < allocations.size(); a++) {
      Allocation allocation = allocations.get(a);
      extents.add(new Extent(allocation.arena(), allocation.offset(), allocation.bytes()));
      variables.add(allocations.variable(a));
    }
    for (int a = 0; a < allocations.size(); a++) {
      if (allocations.get(a).views().isPresent()) {
        add(allocations.variable(a), allocations.get(a), allocations.get(a).views().get(), extents);
      }
    }
    this.arenas = new int[extents.size()];
    this.ranks = new int[extents.size()];
    rankByOffset(extents, arenaCount);
  }

  private void add(int variable, Allocation allocation, MultiView view, List<Extent> extents) {
    if (view instanceof MultiView.FixedView fixed) {
      Extent extent = new Extent(allocation.arena(), fixed.offset(), allocation.bytes());
      if (!ofViews.contains(variable, extent)) {
        ofViews.put(variable, extent, extents.size());
        extents.add(extent);
        variables.add(variable);
      }
    } else if (view instanceof MultiView.Rotation rotation) {
      rotation.first().ifPresent(first -> add(variable, allocation, first, extents));
      rotation.views().forEach(each -> add(variable, allocation, each, extents));
    }
  }

  private void rankByOffset(List<Extent> extents, int arenaCount) {
    List<IntList> members = new ArrayList<>();
    for (int arena = 0; arena < arenaCount; arena++) {
      members.add(new IntList());
    }
    for (int region = 0; region < arenas.length; region++) {
      arenas[region] = extents.get(region).arena();
      members.get(arenas[region]).add(region);
    }
    for (IntList list : members) {
      List<Integer> sorted = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        sorted.add(list.get(i));
      }
      sorted.sort(Comparator.comparingLong(region -> extents.get(region).offset()));
      long[] begins = new long[sorted.size()];
      long[] ends = new long[sorted.size()];
      int[] names = new int[sorted.size()];
      for (int rank = 0; rank < names.length; rank++) {
        names[rank] = sorted.get(rank);
        begins[rank] = extents.get(names[rank]).offset();
        ends[rank] = begins[rank] + extents.get(names[rank]).bytes();
        ranks[names[rank]] = rank;
      }
      byArena.add(new OccupiedRegions(begins, ends, names));
    }
  }

  /** Returns the variable of a region. */
  int variable(int region) {
    return variables.get(region);
  }

  /** Returns the regions that a location of a variable with views can occupy. */
  int[] of(PhasedLocation location) {
    IntList regions = new IntList();
    BitSet seen = new BitSet();
    for (int i = 0; i < location.offsets().length(); i++) {
      Extent extent = new Extent(location.arena(), location.offsets().get(i), location.bytes());
      Integer region = ofViews.get(location.variable(), extent);
      if (region == null) {
        throw new IllegalStateException(location + " has a region that no view has");
      }
      if (!seen.get(region)) {
        seen.set(region);
        regions.add(region);
      }
    }
    return regions.toArray();
  }

  /** Marks a region as occupied. */
  void hold(int region) {
    byArena.get(arenas[region]).hold(ranks[region]);
  }

  /** Marks a region as not occupied. */
  void release(int region) {
    byArena.get(arenas[region]).release(ranks[region]);
  }

  /** Adds the occupied regions that overlap this one. */
  void overlapping(int region, IntList found) {
    byArena.get(arenas[region]).overlapping(ranks[region], found);
  }
}
