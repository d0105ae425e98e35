package dev.sublet.runtime.kernel;

import dev.sublet.runtime.tensor.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums of tensors that the runtime computes outside of kernels. O(elements). */
public final class Sums {

  private Sums() {}

  /**
   * Returns the sum of two tensors.
   *
   * @throws OperatorException if they differ in type or number of elements, or are booleans or
   *     integers of 8 bits
   */
  public static Tensor add(Tensor a, Tensor b) {
    if (a.type() != b.type() || a.length() != b.length()) {
      throw new OperatorException(
          a.type() + "" + a.shape() + " and " + b.type() + b.shape() + " cannot be added");
    }
    int length = a.length();
    switch (a.type()) {
      case FLOAT32 -> {
        float[] sum = new float[length];
        for (int i = 0; i < length; i++) {
          sum[i] = a.floats()[i] + b.floats()[i];
        }
        return Tensor.of(a.shape(), sum);
      }
      case FLOAT64 -> {
        double[] sum = new double[length];
        for (int i = 0; i < length; i++) {
          sum[i] = a.doubles()[i] + b.doubles()[i];
        }
        return Tensor.of(a.shape(), sum);
      }
      case INT32 -> {
        int[] sum = new int[length];
        for (int i = 0; i < length; i++) {
          sum[i] = a.ints()[i] + b.ints()[i];
        }
        return Tensor.of(a.shape(), sum);
      }
      case INT64 -> {
        long[] sum = new long[length];
        for (int i = 0; i < length; i++) {
          sum[i] = a.longs()[i] + b.longs()[i];
        }
        return Tensor.of(a.shape(), sum);
      }
      default -> throw new OperatorException("tensors of " + a.type() + " cannot be added");
    }
  }

  /** Adds the elements of one array to the elements of another array, which grows as needed. */
  public static void addArray(List<@Nullable LodTensor> source, List<@Nullable LodTensor> target) {
    for (int i = 0; i < source.size(); i++) {
      LodTensor part = source.get(i);
      if (i == target.size()) {
        target.add(part);
      } else if (part != null) {
        LodTensor before = target.get(i);
        target.set(
            i,
            before == null ? part : new LodTensor(add(before.tensor(), part.tensor()), part.lod()));
      }
    }
  }
}
