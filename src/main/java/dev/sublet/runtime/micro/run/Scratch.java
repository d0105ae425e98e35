package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The arrays in which expressions are computed, numbered as on a stack. The operands of an
 * operation are at the operation's own number and above, so one set of arrays serves all
 * expressions of a nest. Each array has {@value VectorizationPlan#LANES} lanes.
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
