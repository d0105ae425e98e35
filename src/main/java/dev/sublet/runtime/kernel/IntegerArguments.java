package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Integers that an operator gets in one of three ways: an attribute, a tensor of them, or a list of
 * tensors with one each. What tensors say goes before what attributes say.
 */
public final class IntegerArguments {

  private IntegerArguments() {}

  /** The integers; none if nothing tells them. */
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

  /** The same without a list of tensors. */
  public static long[] of(OperatorCall call, String attribute, String tensor) {
    return call.has(tensor) ? elements(call.input(tensor)) : attribute(call, attribute);
  }

  /** A single integer. */
  public static long single(OperatorCall call, String attribute, long absent, String tensor) {
    return call.has(tensor) ? first(call.input(tensor)) : call.integer(attribute, absent);
  }

  /**
   * The first element of a tensor.
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
   * The integers where so many of them are due.
   *
   * @param what what they are, for the message
   * @throws OperatorException if they are more or fewer
   */
  public static long[] exactly(int count, long[] integers, String what) {
    if (integers.length != count) {
      throw new OperatorException(
          what + " has " + integers.length + " numbers, but must have " + count);
    }
    return integers;
  }

  /** The integers of an attribute; none if it is absent. */
  public static long[] attribute(OperatorCall call, String attribute) {
    return call.integers(attribute).stream().mapToLong(Long::longValue).toArray();
  }

  /** The elements of a tensor. */
  public static long[] elements(Tensor tensor) {
    long[] integers = new long[tensor.length()];
    for (int i = 0; i < integers.length; i++) {
      integers[i] = tensor.getLong(i);
    }
    return integers;
  }
}
