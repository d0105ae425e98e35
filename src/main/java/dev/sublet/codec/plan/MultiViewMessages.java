package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.MultiView;
import java.util.Optional;

/** Converts multi-views to messages of {@code plan.proto} and back. O(size). */
final class MultiViewMessages {

  /**
   * The maximum nesting depth. Real loops nest less deeply, and a message from elsewhere must not
   * exhaust the stack.
   */
  private static final int MAX_DEPTH = 64;

  private MultiViewMessages() {}

  static dev.sublet.proto.MultiView toMessage(MultiView view) {
    dev.sublet.proto.MultiView.Builder message = dev.sublet.proto.MultiView.newBuilder();
    if (view instanceof MultiView.FixedView fixed) {
      return message.setOffset(fixed.offset()).build();
    }
    MultiView.Rotation rotation = (MultiView.Rotation) view;
    message.setBlockIdx(rotation.block());
    rotation.first().ifPresent(first -> message.setFirst(toMessage(first)));
    for (MultiView each : rotation.views()) {
      message.addViews(toMessage(each));
    }
    return message.build();
  }

  /**
   * Returns the view that a message describes.
   *
   * @param where the place of the message, for errors
   * @param bytes the number of bytes of the allocation that has the views
   */
  static MultiView fromMessage(dev.sublet.proto.MultiView message, String where, long bytes) {
    return fromMessage(message, where, bytes, 0);
  }

  private static MultiView fromMessage(
      dev.sublet.proto.MultiView message, String where, long bytes, int depth) {
    PlanMessages.check(depth < MAX_DEPTH, "%s: views nest more than %s deep", where, MAX_DEPTH);
    if (message.getViewsCount() == 0) {
      PlanMessages.check(!message.hasFirst(), "%s: a first view, but no others", where);
      PlanMessages.check(
          message.getBlockIdx() == 0,
          "%s: block_idx is %s in a view, but there are no views by its iterations",
          where,
          message.getBlockIdx());
      PlanMessages.check(
          message.getOffset() >= 0 && message.getOffset() <= Long.MAX_VALUE - bytes,
          "%s: a view's offset is %s",
          where,
          message.getOffset());
      return new MultiView.FixedView(message.getOffset());
    }
    PlanMessages.check(
        message.getBlockIdx() > 0, "%s: views by block %s", where, message.getBlockIdx());
    PlanMessages.check(
        message.getOffset() == 0,
        "%s: offset is %s in a view, but there are views by iterations",
        where,
        message.getOffset());
    ImmutableList.Builder<MultiView> views = ImmutableList.builder();
    for (dev.sublet.proto.MultiView each : message.getViewsList()) {
      views.add(fromMessage(each, where, bytes, depth + 1));
    }
    Optional<MultiView> first =
        message.hasFirst()
            ? Optional.of(fromMessage(message.getFirst(), where, bytes, depth + 1))
            : Optional.empty();
    return new MultiView.Rotation(message.getBlockIdx(), first, views.build());
  }
}
