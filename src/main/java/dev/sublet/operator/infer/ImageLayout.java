package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Where a batch of images has its channels and its spatial extents: {@code NCHW}, {@code NHWC} and
 * the like.
 */
public record ImageLayout(int rank, boolean hasChannelsLast) {

  /**
   * The layout that an attribute names.
   *
   * @throws ShapeMismatchException if the images have another number of extents than that of these
   *     spatial axes and two
   */
  public static ImageLayout of(ShapeCall call, String attribute, AbstractShape images, int axes) {
    if (images.rank() != axes + 2) {
      throw new ShapeMismatchException(
          "the images " + images + " do not have " + (axes + 2) + " extents");
    }
    return of(call, attribute, images);
  }

  /** The layout that an attribute names, of images with any number of spatial axes. */
  public static ImageLayout of(ShapeCall call, String attribute, AbstractShape images) {
    String format = call.text(attribute, "NCHW");
    boolean last = format.length() > 2 && format.startsWith("N") && format.endsWith("C");
    return new ImageLayout(images.rank(), last);
  }

  /** The axis of the channels. */
  public int channelAxis() {
    return hasChannelsLast ? rank - 1 : 1;
  }

  /** The given spatial axis. */
  public int spatialAxis(int i) {
    return (hasChannelsLast ? 1 : 2) + i;
  }

  /** As many images as are given, with other channels and spatial extents. */
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
