package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** The array of a tensor during a run; the four arrays of the other types are empty. */
final class Buffer {

  final ElementType type;
  float[] floats = {};
  double[] doubles = {};
  int[] ints = {};
  long[] longs = {};

  /** Booleans and integers of 8 bits. */
  byte[] bytes = {};

  Buffer(ElementType type) {
    this.type = type;
  }

  /** Sets the array to that of a tensor. */
  void set(Tensor tensor) {
    switch (type) {
      case FLOAT32 -> floats = tensor.floats();
      case FLOAT64 -> doubles = tensor.doubles();
      case INT32 -> ints = tensor.ints();
      case INT64 -> longs = tensor.longs();
      case BOOL, UINT8, INT8 -> bytes = tensor.bytes();
      default -> throw new AssertionError(type);
    }
  }

  /** Drops the array, so that its memory can be freed after the run. */
  void clear() {
    floats = new float[0];
    doubles = new double[0];
    ints = new int[0];
    longs = new long[0];
    bytes = new byte[0];
  }
}
