package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** The array of a tensor while a run lasts; the four others are empty. */
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

  /** Takes a tensor's array. */
  void set(Tensor tensor) {
    switch (type) {
      case FLOAT32 -> floats = tensor.floats();
      case FLOAT64 -> doubles = tensor.doubles();
      case INT32 -> ints = tensor.ints();
      case INT64 -> longs = tensor.longs();
      case BOOL, UINT8, INT8 -> bytes = tensor.bytes();
    }
  }

  /** Lets go of the array, so that the memory is free after the run. */
  void clear() {
    floats = new float[0];
    doubles = new double[0];
    ints = new int[0];
    longs = new long[0];
    bytes = new byte[0];
  }
}
