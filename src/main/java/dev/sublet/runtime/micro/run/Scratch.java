package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The arrays that expressions are computed in, numbered as on a stack: an operation's operands are
 * at its own number and above, so that one set serves all expressions of a nest. {@value
 * VectorizationPlan#LANES} lanes each.
 */
final class Scratch {

  private final List<float[]> floats = new ArrayList<>();
  private final List<double[]> doubles = new ArrayList<>();
  private final List<long[]> longs = new ArrayList<>();

  float[] floats(int number) {
    while (floats.size() <= number) {
      floats.add(new float[VectorizationPlan.LANES]);
    }
    return floats.get(number);
  }

  double[] doubles(int number) {
    while (doubles.size() <= number) {
      doubles.add(new double[VectorizationPlan.LANES]);
    }
    return doubles.get(number);
  }

  long[] longs(int number) {
    while (longs.size() <= number) {
      longs.add(new long[VectorizationPlan.LANES]);
    }
    return longs.get(number);
  }
}
