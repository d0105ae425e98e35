package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.Quantities;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The neighbors of sampled points along one axis.
 *
 * @param places their indices, with the axes image, point, neighbor; always inside of the image
 * @param weights their weights
 */
record SampledAxis(MicroValue places, MicroValue weights) {

  /** The cubic function's coefficient. */
  private static final double CUBIC = -0.75;

  /**
   * The attributes of GridSample.
   *
   * @param taps the number of neighbors: 1 for the nearest, 2 for linear, 4 for cubic sampling
   * @param padding zeros, border or reflection
   * @param aligns whether -1 and 1 are the middles of the first and last elements, not their edges
   */
  record Rule(int taps, String padding, boolean aligns) {

    static Rule of(OperatorCall call) {
      String mode = call.text("mode", "linear");
      int taps =
          switch (mode) {
            case "nearest" -> 1;
            case "linear", "bilinear" -> 2;
            case "cubic", "bicubic" -> 4;
            default -> throw new OperatorException("the mode " + mode);
          };
      return new Rule(taps, call.text("padding_mode", "zeros"), call.flag("align_corners", false));
    }
  }

  /**
   * Returns the neighbors.
   *
   * @param normal the coordinates, from -1 to 1, with the axes image, point
   */
  static SampledAxis of(Formula f, MicroValue normal, long extent, Rule rule) {
    double last = extent - 1;
    MicroValue at =
        rule.aligns()
            ? f.times(f.plus(normal, 1.0), last / 2)
            : f.times(f.plus(f.times(f.plus(normal, 1.0), (double) extent), -1.0), 0.5);
    if (rule.taps() == 1) {
      at = Quantities.rounded(f, at);
    }
    MicroValue floor = rule.taps() == 1 ? at : f.apply(UnaryOperator.FLOOR, at);
    MicroValue first = rule.taps() == 4 ? f.plus(floor, -1.0) : floor;
    long[] all = Shapes.concat(f.shape(normal), new long[] {rule.taps()});
    MicroValue step = f.as(f.type(at), f.position(all, Indices.loop(2)));
    MicroValue places = f.plus(f.along(first, all, 0, 1), step);
    MicroValue distance = f.apply(UnaryOperator.ABSOLUTE, f.minus(places, f.along(at, all, 0, 1)));
    MicroValue weights =
        switch (rule.taps()) {
          case 1 -> f.filled(f.type(at), 1, all);
          case 2 -> f.minus(1, distance);
          default -> ResizedAxis.cubic(f, distance, CUBIC);
        };
    if (rule.padding().equals("reflection")) {
      places = f.apply(UnaryOperator.FLOOR, reflected(f, places, extent, rule.aligns()));
    }
    MicroValue inside = limited(f, places, last);
    if (rule.padding().equals("zeros")) {
      MicroValue isInside = f.apply(BinaryOperator.EQUAL, places, inside);
      weights = f.graph().choose(isInside, weights, f.number(weights, 0));
    }
    return new SampledAxis(f.as(ElementType.INT64, inside), weights);
  }

  private static MicroValue limited(Formula f, MicroValue x, double last) {
    return f.apply(BinaryOperator.MINIMUM, f.apply(BinaryOperator.MAXIMUM, x, 0.0), last);
  }

  /** Reflects coordinates at the middles or edges of the first and last elements. */
  private static MicroValue reflected(Formula f, MicroValue x, long extent, boolean aligns) {
    double least = aligns ? 0 : -0.5;
    double range = aligns ? extent - 1 : extent;
    if (range == 0) {
      return f.times(x, 0.0);
    }
    // The distance from the first edge, modulo forth and back; the way back counts down.
    MicroValue distance = f.apply(UnaryOperator.ABSOLUTE, f.plus(x, -least));
    MicroValue phase = f.apply(BinaryOperator.MODULO, distance, 2 * range);
    MicroValue back = f.minus(2 * range, phase);
    return f.plus(f.apply(BinaryOperator.MINIMUM, phase, back), least);
  }
}
