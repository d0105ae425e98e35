package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The order of axes in a batch of images, such as {@code NCHW} or {@code NHWC}: the places of the
 * channels and the spatial axes.
 */
public record ImageLayout(int rank, boolean hasChannelsLast) {

  /**
   * Returns the layout that an attribute names.
   *
   * @throws ShapeMismatchException if the rank of the images is not the number of spatial axes plus
   *     2
   */
  public static ImageLayout of(ShapeCall call, String attribute, AbstractShape images, int axes) {
    if (images.rank() != axes + 2) {
      throw new ShapeMismatchException(
          "the images " + images + " do not have " + (axes + 2) + " extents");
    }
    return of(call, attribute, images);
  }

  /** Returns the layout that an attribute names, for images with any number of spatial axes. */
  public static ImageLayout of(ShapeCall call, String attribute, AbstractShape images) {
    String format = call.text(attribute, "NCHW");
    boolean last = format.length() > 2 && format.startsWith("N") && format.endsWith("C");
    return new ImageLayout(images.rank(), last);
  }

  /** The axis of the channels. */
  public int channelAxis() {
    return hasChannelsLast ? rank - 1 : 1;
  }

  /** The axis of the tensor that is spatial axis {@code i}. */
  public int spatialAxis(int i) {
    return (hasChannelsLast ? 1 : 2) + i;
  }

  /** Returns the shape of the same number of images with other channels and spatial extents. */
  public AbstractShape image(
      AbstractShape images, SymbolicExtent channels, List<SymbolicExtent> extents) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    dims.add(images.dim(0));
    if (!hasChannelsLast) {
      dims.add(channels);
    }
    dims.addAll(extents);
    if (hasChannelsLast) {
      dims.add(channels);
    }
    return AbstractShape.of(dims.build()).withLod(images.lod());
  }
}
