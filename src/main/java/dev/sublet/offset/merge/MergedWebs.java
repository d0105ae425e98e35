package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Interval;

/**
 * One way to put webs together: groups of webs at fixed distances from each other. Does not change.
 */
public final class MergedWebs {

  private final OffsetUnionFind groups;
  private final Occupancy occupancy;
  private final ImmutableList<Alias> aliases;

  private MergedWebs(OffsetUnionFind groups, Occupancy occupancy, ImmutableList<Alias> aliases) {
    this.groups = groups;
    this.occupancy = occupancy;
    this.aliases = aliases;
  }

  /** In-place pairs and exclusive results alone. */
  static MergedWebs of(InPlaceCoalescer merger) {
    return new MergedWebs(merger.groups(), merger.occupancy(), merger.aliases());
  }

  /** These, and views. */
  static MergedWebs of(InPlaceCoalescer merger, ViewCoalescer views) {
    ImmutableList<Alias> aliases =
        ImmutableList.<Alias>builder().addAll(merger.aliases()).addAll(views.aliases()).build();
    return new MergedWebs(views.groups(), merger.occupancy(), aliases);
  }

  /** The group of a web, less than the number of webs; a web by itself is one. */
  public int group(int web) {
    return groups.group(web);
  }

  /** Where a web begins, counted from a point that its group has in common. */
  public long offset(int web) {
    return groups.offset(web);
  }

  /** When a web occupies its bytes: a source hands them over at the write point. O(intervals). */
  public ImmutableList<Interval> intervals(int web) {
    return occupancy.intervals(web);
  }

  /** The pairs of variables that share bytes on purpose. */
  public ImmutableList<Alias> aliases() {
    return aliases;
  }
}
