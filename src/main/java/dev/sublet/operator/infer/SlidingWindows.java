package dev.sublet.operator.infer;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Attribute;
import java.util.List;

/**
 * The windows of a convolution or pooling that slide over the spatial axes of images, as the
 * attributes {@code strides}, {@code dilations}, {@code paddings} and {@code padding_algorithm}
 * describe them.
 */
public final class SlidingWindows {

  private final ImmutableIntArray strides;
  private final ImmutableIntArray dilations;
  private final ImmutableIntArray paddings;
  private final String algorithm;

  private SlidingWindows(
      ImmutableIntArray strides,
      ImmutableIntArray dilations,
      ImmutableIntArray paddings,
      String algorithm) {
    this.strides = strides;
    this.dilations = dilations;
    this.paddings = paddings;
    this.algorithm = algorithm;
  }

  /**
   * Returns the windows that the attributes of an operator describe, for the given number of
   * spatial axes.
   */
  public static SlidingWindows of(ShapeCall call, int axes) {
    return new SlidingWindows(
        positive(call, "strides", axes),
        positive(call, "dilations", axes),
        paddings(call, axes),
        call.text("padding_algorithm", "EXPLICIT"));
  }

  /**
   * Returns the windows that ONNX's attributes describe. {@code pads} contains the padding before
   * each axis, then the padding after each axis; {@code auto_pad} is NOTSET, VALID, SAME_UPPER or
   * SAME_LOWER.
   */
  public static SlidingWindows ofOnnx(ShapeCall call, int axes) {
    List<Long> pads = call.integers("pads");
    check("pads", pads, 2 * axes, Long.MIN_VALUE);
    check("strides", call.integers("strides"), axes, 1);
    check("dilations", call.integers("dilations"), axes, 1);
    ImmutableIntArray.Builder both = ImmutableIntArray.builder(axes);
    for (int i = 0; i < axes; i++) {
      both.add(pads.isEmpty() ? 0 : sum("pads", pads.get(i), pads.get(axes + i)));
    }
    String padding = call.text("auto_pad", "NOTSET");
    return new SlidingWindows(
        positive(call, "strides", axes),
        positive(call, "dilations", axes),
        both.build(),
        padding.startsWith("SAME") ? "SAME" : padding.equals("VALID") ? "VALID" : "EXPLICIT");
  }

  /**
   * Checks that a list is empty or has the given number of numbers, of at least {@code least}.
   *
   * @throws UnknownShapeException if not, because ONNX Runtime accepts some such lists
   */
  private static void check(String attribute, List<Long> numbers, int count, long least) {
    boolean isRight = numbers.size() == count && numbers.stream().allMatch(each -> each >= least);
    if (!numbers.isEmpty() && !isRight) {
      throw new UnknownShapeException(
          "attribute " + attribute + " is " + numbers + ", for " + count + " numbers");
    }
  }

  /** Returns one number per axis from an attribute; a single number applies to all axes. */
  public static ImmutableIntArray numbers(
      ShapeCall call, String attribute, int axes, int defaultValue) {
    List<Long> given = call.integers(attribute);
    if (call.operation().attribute(attribute).stream().anyMatch(Attribute::holdsVariables)) {
      throw new UnknownShapeException("attribute " + attribute + " is not a list of numbers");
    }
    if (given.size() > 1 && given.size() != axes) {
      throw new ShapeMismatchException(
          "attribute " + attribute + " is " + given + ", for " + axes + " axes");
    }
    ImmutableIntArray.Builder numbers = ImmutableIntArray.builder(axes);
    for (int i = 0; i < axes; i++) {
      long number = given.isEmpty() ? defaultValue : given.get(given.size() == 1 ? 0 : i);
      numbers.add(ShapeCall.checkedInt(attribute, number));
    }
    return numbers.build();
  }

  /** Returns one positive number per axis, 1 by default. */
  private static ImmutableIntArray positive(ShapeCall call, String attribute, int axes) {
    ImmutableIntArray numbers = numbers(call, attribute, axes, 1);
    for (int i = 0; i < axes; i++) {
      if (numbers.get(i) <= 0) {
        throw new ShapeMismatchException("attribute " + attribute + " is " + numbers);
      }
    }
    return numbers;
  }

  private static int sum(String attribute, long before, long after) {
    return ShapeCall.checkedInt(
        attribute,
        (long) ShapeCall.checkedInt(attribute, before) + ShapeCall.checkedInt(attribute, after));
  }

  /**
   * Returns the total padding of each axis, both ends together. A single number per axis pads both
   * ends.
   */
  private static ImmutableIntArray paddings(ShapeCall call, int axes) {
    List<Long> given = call.integers("paddings");
    if (given.size() != 2 * axes) {
      ImmutableIntArray each = numbers(call, "paddings", axes, 0);
      ImmutableIntArray.Builder both = ImmutableIntArray.builder(axes);
      each.forEach(padding -> both.add(sum("paddings", padding, padding)));
      return both.build();
    }
    ImmutableIntArray.Builder both = ImmutableIntArray.builder(axes);
    for (int i = 0; i < axes; i++) {
      both.add(sum("paddings", given.get(2 * i), given.get(2 * i + 1)));
    }
    return both.build();
  }

  /** Returns the same windows without padding. */
  public SlidingWindows unpadded() {
    return new SlidingWindows(strides, dilations, paddings, "VALID");
  }

  /** The output extent of a convolution: the number of positions of a dilated kernel. */
  public SymbolicExtent convolved(int axis, SymbolicExtent extent, SymbolicExtent kernel) {
    if (algorithm.equals("SAME")) {
      return extent.ceilDividedBy(strides.get(axis));
    }
    SymbolicExtent reach = reach(axis, kernel);
    return places(extent, reach, padding(axis, extent, kernel), strides.get(axis));
  }

  /** The output extent of a transposed convolution, without output padding. */
  public SymbolicExtent transposed(int axis, SymbolicExtent extent, SymbolicExtent kernel) {
    return extent
        .minus(1)
        .times(strides.get(axis))
        .plus(reach(axis, kernel).minus(padding(axis, extent, kernel)));
  }

  /**
   * The output extent of a pooling: the number of positions of the kernel. If {@code ceil} is set,
   * the last window may lie partly outside.
   */
  public SymbolicExtent pooled(
      int axis, SymbolicExtent extent, SymbolicExtent kernel, boolean ceil) {
    int stride = strides.get(axis);
    if (algorithm.equals("SAME") && !ceil) {
      return extent.ceilDividedBy(stride);
    }
    SymbolicExtent padding = padding(axis, extent, kernel);
    return places(extent, kernel, ceil ? padding.plus(stride - 1) : padding, stride);
  }

  /**
   * The output extent of a pooling with a dilated kernel, as ONNX counts it. A last window that
   * lies partly outside may begin after the end of the image. Whether that window counts depends on
   * the version of the runtime, so the extent is then a bound.
   *
   * @param before the padding before the axis
   */
  public SymbolicExtent pooledInside(
      ShapeCall call,
      int axis,
      SymbolicExtent extent,
      SymbolicExtent kernel,
      boolean ceil,
      long before) {
    int stride = strides.get(axis);
    if (algorithm.equals("SAME")) {
      return extent.ceilDividedBy(stride);
    }
    SymbolicExtent padding = padding(axis, extent, kernel);
    SymbolicExtent reach = reach(axis, kernel);
    SymbolicExtent room = extent.plus(padding);
    if (room.isExact() && reach.isExact() && room.value() < reach.value()) {
      // ONNX Runtime accepts such a pooling.
      return call.unknown("places " + axis, "a window of " + reach + " does not fit into " + room);
    }
    if (!ceil || stride == 1) {
      return places(extent, reach, padding, stride);
    }
    SymbolicExtent places = places(extent, reach, padding.plus(stride - 1), stride);
    boolean beginsInside =
        places.isExact() && (places.value() - 1) * stride < extent.value() + before;
    return beginsInside ? places : call.atMost("places " + axis, places);
  }

  private static SymbolicExtent places(
      SymbolicExtent extent, SymbolicExtent reach, SymbolicExtent padding, int stride) {
    // (x + p - k) / s + 1, rounded down, in a form that yields the formula x itself wherever the
    // result equals x.
    SymbolicExtent places = extent.plus(padding.minus(reach).plus(stride)).floorDividedBy(stride);
    if (places.isExact() && places.value() <= 0) {
      throw new ShapeMismatchException(
          "a window of " + reach + " does not fit into " + extent + " padded by " + padding);
    }
    return places;
  }

  private SymbolicExtent reach(int axis, SymbolicExtent kernel) {
    int dilation = algorithm.equals("SAME") ? 1 : dilations.get(axis);
    return kernel.minus(1).times(dilation).plus(1);
  }

  private SymbolicExtent padding(int axis, SymbolicExtent extent, SymbolicExtent kernel) {
    int stride = strides.get(axis);
    return switch (algorithm) {
      case "VALID" -> SymbolicExtent.of(0);
      case "SAME" ->
          extent
              .ceilDividedBy(stride)
              .minus(1)
              .times(stride)
              .plus(kernel)
              .minus(extent)
              .max(SymbolicExtent.of(0));
      default -> SymbolicExtent.of(paddings.get(axis));
    };
  }
}
