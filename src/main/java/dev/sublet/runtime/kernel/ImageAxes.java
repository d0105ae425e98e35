package dev.sublet.runtime.kernel;

import dev.sublet.runtime.micro.op.MicroValue;

/**
 * The position of the channel axis in a batch of images: after the batch axis, or last as in {@code
 * NHWC}. Lowerings compute with channels first: they move a last channel axis next to the batch
 * axis, and move it back at the end.
 */
public record ImageAxes(int rank, boolean hasChannelsLast) {

  /** Returns the layout that an attribute names, for images with {@code rank} axes in all. */
  public static ImageAxes of(OperatorCall call, String attribute, int rank) {
    String format = call.text(attribute, "NCHW");
    boolean last = format.length() > 2 && format.startsWith("N") && format.endsWith("C");
    return new ImageAxes(rank, last);
  }

  /** Returns the index of the channel axis. */
  public int channelAxis() {
    return hasChannelsLast ? rank - 1 : Math.min(1, rank - 1);
  }

  /** Returns images with the channel axis after the batch axis. */
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

  /** Converts images with channels first back to this layout. */
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
