package dev.sublet.runtime.kernel;

import dev.sublet.runtime.micro.op.MicroValue;

/**
 * Where a batch of images has its channels: behind the batch, or last as in {@code NHWC}. Lowerings
 * compute with channels first and bring what is last there and back.
 */
public record ImageAxes(int rank, boolean hasChannelsLast) {

  /** The layout that an attribute names, of images with so many axes in all. */
  public static ImageAxes of(OperatorCall call, String attribute, int rank) {
    String format = call.text(attribute, "NCHW");
    boolean last = format.length() > 2 && format.startsWith("N") && format.endsWith("C");
    return new ImageAxes(rank, last);
  }

  /** The axis of the channels. */
  public int channelAxis() {
    return hasChannelsLast ? rank - 1 : Math.min(1, rank - 1);
  }

  /** Images with their channels behind the batch. */
  public MicroValue channelsFirst(Formula f, MicroValue images) {
    if (!hasChannelsLast) {
      return images;
    }
    int[] order = new int[rank];
    for (int axis = 1; axis < rank; axis++) {
      order[axis] = axis == 1 ? rank - 1 : axis - 1;
    }
    return f.transpose(images, order);
  }

  /** Images with channels first, brought back. */
  public MicroValue asWas(Formula f, MicroValue images) {
    if (!hasChannelsLast) {
      return images;
    }
    int[] order = new int[rank];
    for (int axis = 1; axis < rank; axis++) {
      order[axis] = axis == rank - 1 ? 1 : axis + 1;
    }
    return f.transpose(images, order);
  }
}
