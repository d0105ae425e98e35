package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Reads integers that an operator gets in one of three ways: an attribute, a tensor of integers, or
 * a list of tensors with one integer each. Tensors take precedence over attributes.
 */
public final class IntegerArguments {

  private IntegerArguments() {}

  /** Returns the integers; empty if neither tensors nor the attribute give them. */
  public static long[] of(OperatorCall call, String attribute, String tensor, String tensors) {
    if (call.has(tensors)) {
      ImmutableList<LodTensor> list = call.arguments(tensors);
      long[] integers = new long[list.size()];
      for (int i = 0; i < integers.length; i++) {
        integers[i] = first(list.get(i).tensor());
      }
      return integers;
    }
    return call.has(tensor) ? elements(call.input(tensor)) : attribute(call, attribute);
  }

  /** Returns the integers of an operator that accepts no list of tensors. */
  public static long[] of(OperatorCall call, String attribute, String tensor) {
    return call.has(tensor) ? elements(call.input(tensor)) : attribute(call, attribute);
  }

  /** Returns a single integer; {@code absent} if neither the tensor nor the attribute gives it. */
  public static long single(OperatorCall call, String attribute, long absent, String tensor) {
    return call.has(tensor) ? first(call.input(tensor)) : call.integer(attribute, absent);
  }

  /**
   * Returns the first element of a tensor.
   *
   * @throws OperatorException if it has none
   */
  public static long first(Tensor tensor) {
    if (tensor.length() == 0) {
      throw new OperatorException(
          "a tensor of shape " + tensor.shape() + " where one number is due");
    }
    return tensor.getLong(0);
  }

  /**
   * Returns the integers after a check of their number.
   *
   * @param what a name for the integers, for the message
   * @throws OperatorException if their number is not {@code count}
   */
  public static long[] exactly(int count, long[] integers, String what) {
    if (integers.length != count) {
      throw new OperatorException(
          what + " has " + integers.length + " numbers, but must have " + count);
    }
    return integers;
  }

  /** Returns the integers of an attribute; empty if it is absent. */
  public static long[] attribute(OperatorCall call, String attribute) {
    return call.integers(attribute).stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the elements of a tensor as integers. */
  public static long[] elements(Tensor tensor) {
    long[] integers = new long[tensor.length()];
    for (int i = 0; i < integers.length; i++) {
      integers[i] = tensor.getLong(i);
    }
    return integers;
  }
}
