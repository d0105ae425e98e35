package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Interval;

/** One way to put webs together: groups of webs at fixed distances from each other. Immutable. */
public final class MergedWebs {

  private final OffsetUnionFind groups;
  private final Occupancy occupancy;
  private final ImmutableList<Alias> aliases;

  private MergedWebs(OffsetUnionFind groups, Occupancy occupancy, ImmutableList<Alias> aliases) {
    this.groups = groups;
    this.occupancy = occupancy;
    this.aliases = aliases;
  }

  /** Makes the way with in-place pairs and exclusive results alone. */
  static MergedWebs of(InPlaceCoalescer merger) {
    return new MergedWebs(merger.groups(), merger.occupancy(), merger.aliases());
  }

  /** Makes the way with in-place pairs, exclusive results, and views. */
  static MergedWebs of(InPlaceCoalescer merger, ViewCoalescer views) {
    ImmutableList<Alias> aliases =
        ImmutableList.<Alias>builder().addAll(merger.aliases()).addAll(views.aliases()).build();
    return new MergedWebs(views.groups(), merger.occupancy(), aliases);
  }

  /** The number of a web's group, less than the number of webs. A web by itself is a group, too. */
  public int group(int web) {
    return groups.group(web);
  }

  /** The offset of a web, counted from a point that is the same for its whole group. */
  public long offset(int web) {
    return groups.offset(web);
  }

  /**
   * The intervals in which a web occupies its bytes. The source of an in-place pair hands them over
   * at the write point. O(intervals).
   */
  public ImmutableList<Interval> intervals(int web) {
    return occupancy.intervals(web);
  }

  /** The pairs of variables that share bytes on purpose. */
  public ImmutableList<Alias> aliases() {
    return aliases;
  }
}
