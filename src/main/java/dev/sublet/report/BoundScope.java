package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.plan.ExecutionOrder;

/**
 * The plans that a lower bound is a bound of, in a few words each.
 *
 * <pre>
 *   bound holds for  this order of operators, views: reshape, in place: verified
 * </pre>
 *
 * <p>Another order of the operators, more kinds of views or pairs that are off may need fewer
 * bytes: a plan that is proved optimal is the best one within these limits.
 */
final class BoundScope {

  private BoundScope() {}

  /** The limits that options set; at least the order of the operators. */
  static ImmutableList<String> of(TranspileOptions options) {
    OffsetOptions offsets = options.offsets();
    ImmutableList.Builder<String> limits = ImmutableList.builder();
    limits.add(
        offsets.order() == ExecutionOrder.PARALLEL
            ? "any order that the data flow allows"
            : "this order of operators");
    if (offsets.views() != Views.ALL) {
      limits.add("views: " + Ascii.toLowerCase(offsets.views().name()));
    }
    InPlaceMode mode = offsets.inPlace() ? options.inPlace().mode() : InPlaceMode.NONE;
    if (mode != InPlaceMode.TABLE) {
      limits.add("in place: " + Ascii.toLowerCase(mode.name()));
    }
    if (options.loops() == LoopMode.COPY) {
      limits.add("loops: copy");
    }
    return limits.build();
  }
}
