package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedRegion;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import java.util.HashMap;
import java.util.Map;

/**
 * The innermost loop or branch in which a value is written and read. A value of one iteration is
 * declared there, so that the plan need not keep it for the next iteration.
 */
final class ValueHomes {

  /** The home of a value that is used outside of regions. */
  static final int NONE = -1;

  private final ImmutableList<TracedRegion> regions;
  private final int[] parents;
  private final int[] depths;
  private final Map<String, Integer> homes = new HashMap<>();

  private ValueHomes(ImmutableList<TracedRegion> regions) {
    this.regions = regions;
    this.parents = new int[regions.size()];
    this.depths = new int[regions.size()];
    for (int i = 0; i < parents.length; i++) {
      parents[i] = i - 1;
      while (parents[i] != NONE && regions.get(parents[i]).end() <= regions.get(i).begin()) {
        parents[i] = parents[parents[i]];
      }
      depths[i] = parents[i] == NONE ? 0 : depths[parents[i]] + 1;
    }
  }

  /**
   * Returns the number of a region for each value that is no constant; {@link #NONE} for values
   * that are used outside of regions. O(arguments × depth of regions).
   */
  static ImmutableMap<String, Integer> of(TracedProgram trace) {
    ValueHomes homes = new ValueHomes(trace.regions());
    trace.lasting().forEach(name -> homes.homes.put(name, NONE));
    trace.inputs().forEach(input -> homes.use(input, NONE));
    trace.outputs().forEach(output -> homes.use(output.value(), NONE));
    int region = NONE;
    int next = 0;
    for (int i = 0; i < trace.steps().size(); i++) {
      while (region != NONE && homes.regions.get(region).end() <= i) {
        region = homes.parents[region];
      }
      for (; next < homes.parents.length && homes.regions.get(next).begin() == i; next++) {
        homes.use(homes.regions.get(next).condition(), region);
        region = next;
      }
      TracedStep step = trace.steps().get(i);
      for (TracedValue value : step.inputs().values()) {
        homes.use(value, region);
      }
      for (TracedValue value : step.outputs().values()) {
        homes.use(value, region);
      }
    }
    return ImmutableMap.copyOf(homes.homes);
  }

  private void use(TracedValue value, int region) {
    homes.merge(value.name(), region, this::common);
  }

  /** Returns the innermost region around two regions. */
  private int common(int a, int b) {
    int x = a;
    int y = b;
    while (x != y) {
      if (depth(x) >= depth(y)) {
        x = parents[x];
      } else {
        y = parents[y];
      }
    }
    return x;
  }

  private int depth(int region) {
    return region == NONE ? -1 : depths[region];
  }
}
