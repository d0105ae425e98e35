package dev.sublet.report.format;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.plan.ExecutionOrder;

/**
 * Describes the set of plans for which a lower bound holds.
 *
 * <pre>
 *   bound holds for  this order of operators, views: reshape, in place: verified
 * </pre>
 *
 * <p>A plan outside these limits may need fewer bytes: with another order of the operators, more
 * kinds of views, or in-place pairs that are off. A plan that is proved optimal is the best one
 * within the limits.
 */
public final class BoundScope {

  private BoundScope() {}

  /** The limits that the options set; the order of the operators is always one of them. */
  public static ImmutableList<String> of(TranspileOptions options) {
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
