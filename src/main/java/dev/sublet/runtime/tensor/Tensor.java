package dev.sublet.runtime.tensor;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.UnsignedLong;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A dense tensor: a shape and the elements in row-major order.
 *
 * <p>The elements are in one primitive array: {@code float[]}, {@code double[]}, {@code int[]},
 * {@code long[]}, {@code short[]} (integers of 16 bits, and the bits of half precision numbers) or
 * {@code byte[]} (integers of 8 bits; booleans, 0 or 1). Unsigned integers are in an array of the
 * signed type with the same bits. Factories and accessors do not copy this array. The caller must
 * not write to it afterwards, which is not checked.
 */
public final class Tensor {

  private final ElementType type;
  private final ImmutableLongArray shape;

  /** The elements; null if only type and shape are known. */
  private final @Nullable Object elements;

  private Tensor(
      ElementType type, ImmutableLongArray shape, @Nullable Object elements, int length) {
    this.type = type;
    this.shape = requireNonNull(shape, "shape");
    this.elements = elements;
    checkArgument(count(shape) == length, "%s elements for shape %s", length, shape);
  }

  /** Returns a FLOAT32 tensor. O(1): the array is not copied. */
  public static Tensor of(ImmutableLongArray shape, float... elements) {
    return new Tensor(ElementType.FLOAT32, shape, elements, elements.length);
  }

  /** Returns a FLOAT64 tensor. O(1). */
  public static Tensor of(ImmutableLongArray shape, double... elements) {
    return new Tensor(ElementType.FLOAT64, shape, elements, elements.length);
  }

  /** Returns an INT32 tensor. O(1). */
  public static Tensor of(ImmutableLongArray shape, int... elements) {
    return new Tensor(ElementType.INT32, shape, elements, elements.length);
  }

  /** Returns an INT64 tensor. O(1). */
  public static Tensor of(ImmutableLongArray shape, long... elements) {
    return new Tensor(ElementType.INT64, shape, elements, elements.length);
  }

  /** Returns a BOOL tensor. Elements must be 0 (false) or 1 (true), which is not checked. O(1). */
  public static Tensor ofBooleans(ImmutableLongArray shape, byte... elements) {
    return new Tensor(ElementType.BOOL, shape, elements, elements.length);
  }

  /** Returns a tensor of 8-bit integers: UINT8 or INT8. O(1). */
  public static Tensor ofBytes(ElementType type, ImmutableLongArray shape, byte... elements) {
    checkArgument(type.isNarrow(), "bytes of %s", type);
    return new Tensor(type, shape, elements, elements.length);
  }

  /**
   * Returns a tensor of 16-bit elements, by their bits: FLOAT16, BFLOAT16, INT16 or UINT16. O(1).
   */
  public static Tensor ofShorts(ElementType type, ImmutableLongArray shape, short... elements) {
    checkArgument(type.bytes() == Short.BYTES, "16 bits of %s", type);
    return new Tensor(type, shape, elements, elements.length);
  }

  /** Returns a UINT32 tensor, by the bits of its elements. O(1). */
  public static Tensor ofUnsigned(ImmutableLongArray shape, int... elements) {
    return new Tensor(ElementType.UINT32, shape, elements, elements.length);
  }

  /** Returns a UINT64 tensor, by the bits of its elements. O(1). */
  public static Tensor ofUnsigned(ImmutableLongArray shape, long... elements) {
    return new Tensor(ElementType.UINT64, shape, elements, elements.length);
  }

  /**
   * Returns a tensor of which only type and shape are known, for analyses of programs that do not
   * run. Every method that returns elements throws a {@link MissingElementsException}. O(1).
   */
  public static Tensor withoutElements(ElementType type, ImmutableLongArray shape) {
    return new Tensor(type, shape, /* elements= */ null, length(shape));
  }

  /** Returns a tensor of zeros (false). O(elements). */
  public static Tensor zeros(ElementType type, ImmutableLongArray shape) {
    int length = length(shape);
    return switch (type) {
      case FLOAT32 -> of(shape, new float[length]);
      case FLOAT64 -> of(shape, new double[length]);
      case INT32 -> of(shape, new int[length]);
      case INT64 -> of(shape, new long[length]);
      case BOOL -> ofBooleans(shape, new byte[length]);
      case UINT8, INT8 -> ofBytes(type, shape, new byte[length]);
      case FLOAT16, BFLOAT16, INT16, UINT16 -> ofShorts(type, shape, new short[length]);
      case UINT32 -> ofUnsigned(shape, new int[length]);
      case UINT64 -> ofUnsigned(shape, new long[length]);
    };
  }

  /**
   * Returns the number of elements of a shape.
   *
   * @throws IllegalArgumentException if an extent is negative
   * @throws TooLargeException if the number of elements exceeds {@link Long#MAX_VALUE}
   */
  public static long count(ImmutableLongArray shape) {
    boolean isEmpty = false;
    for (int axis = 0; axis < shape.length(); axis++) {
      checkArgument(shape.get(axis) >= 0, "negative extent in %s", shape);
      isEmpty |= shape.get(axis) == 0;
    }
    long count = isEmpty ? 0 : 1;
    for (int axis = 0; axis < shape.length() && !isEmpty; axis++) {
      long extent = shape.get(axis);
      if (count > Long.MAX_VALUE / extent) {
        throw new TooLargeException("the elements of " + shape + " are too many to be counted");
      }
      count *= extent;
    }
    return count;
  }

  /**
   * Returns the number of elements of a shape as an array length.
   *
   * @throws IllegalArgumentException if an extent is negative
   * @throws TooLargeException if there are more elements than an array can have
   */
  public static int length(ImmutableLongArray shape) {
    long count = count(shape);
    if (count > Integer.MAX_VALUE - 8) {
      throw new TooLargeException(
          "the "
              + count
              + " elements of "
              + shape
              + " are more than a tensor can have, 2147483639");
    }
    return (int) count;
  }

  /** Returns the type of the elements. */
  public ElementType type() {
    return type;
  }

  /** Returns the extents, outermost first; empty for a single number without axes. */
  public ImmutableLongArray shape() {
    return shape;
  }

  /** Returns the number of axes. */
  public int rank() {
    return shape.length();
  }

  /**
   * Returns the extent of an axis.
   *
   * @throws IllegalArgumentException if there is no such axis
   */
  public long size(int axis) {
    checkArgument(axis >= 0 && axis < shape.length(), "no axis %s in %s", axis, shape);
    return shape.get(axis);
  }

  /** Returns the number of elements. */
  public int length() {
    return length(shape);
  }

  /**
   * Returns the elements of a FLOAT32 tensor: its own array. Like all accessors of elements, the
   * method throws an IllegalArgumentException if the tensor has another type.
   */
  public float[] floats() {
    checkType(type == ElementType.FLOAT32);
    return (float[]) elements();
  }

  /** Returns the elements of a FLOAT64 tensor: its own array. */
  public double[] doubles() {
    checkType(type == ElementType.FLOAT64);
    return (double[]) elements();
  }

  /** Returns the elements of an INT32 or UINT32 tensor: its own array. */
  public int[] ints() {
    checkType(type == ElementType.INT32 || type == ElementType.UINT32);
    return (int[]) elements();
  }

  /** Returns the elements of an INT64 or UINT64 tensor: its own array. */
  public long[] longs() {
    checkType(type == ElementType.INT64 || type == ElementType.UINT64);
    return (long[]) elements();
  }

  /** Returns the elements of a BOOL tensor, 0 or 1: its own array. */
  public byte[] booleans() {
    checkType(type == ElementType.BOOL);
    return (byte[]) elements();
  }

  /** Returns the elements of a BOOL, UINT8 or INT8 tensor: its own array. */
  public byte[] bytes() {
    checkType(type == ElementType.BOOL || type.isNarrow());
    return (byte[]) elements();
  }

  /** Returns the elements of a tensor of 16-bit elements: its own array. */
  public short[] shorts() {
    checkType(type.bytes() == Short.BYTES);
    return (short[]) elements();
  }

  /** Whether the elements are known; false after {@link #withoutElements}. */
  public boolean hasElements() {
    return elements != null;
  }

  private Object elements() {
    if (elements == null) {
      throw new MissingElementsException(type + "" + shape + " has no known elements");
    }
    return elements;
  }

  private void checkType(boolean isRight) {
    checkArgument(isRight, "elements of another type than %s are wanted", type);
  }

  /** Returns an element as a double; an element of 64 bits may lose low bits. */
  public double getDouble(int index) {
    return switch (type) {
      case FLOAT32 -> floats()[index];
      case FLOAT64 -> doubles()[index];
      case INT32 -> ints()[index];
      case INT64 -> longs()[index];
      case BOOL, INT8 -> bytes()[index];
      case UINT8 -> bytes()[index] & 0xff;
      case FLOAT16 -> HalfPrecision.ofFloat16(shorts()[index]);
      case BFLOAT16 -> HalfPrecision.ofBfloat16(shorts()[index]);
      case INT16 -> shorts()[index];
      case UINT16 -> shorts()[index] & 0xffff;
      case UINT32 -> ints()[index] & 0xffffffffL;
      case UINT64 -> UnsignedLong.fromLongBits(longs()[index]).doubleValue();
    };
  }

  /**
   * Returns an element as a long; fractions are cut off as in Java's cast. A UINT64 element from
   * 2^63 on is negative, with the same bits.
   */
  public long getLong(int index) {
    return switch (type) {
      case FLOAT32 -> (long) floats()[index];
      case FLOAT64 -> (long) doubles()[index];
      case INT32 -> ints()[index];
      case INT64 -> longs()[index];
      case BOOL, INT8 -> bytes()[index];
      case UINT8 -> bytes()[index] & 0xff;
      case FLOAT16, BFLOAT16 -> (long) getDouble(index);
      case INT16 -> shorts()[index];
      case UINT16 -> shorts()[index] & 0xffff;
      case UINT32 -> ints()[index] & 0xffffffffL;
      case UINT64 -> longs()[index];
    };
  }

  /**
   * Returns a tensor with the same elements in another shape. O(1): the elements are not copied.
   *
   * @throws IllegalArgumentException if the number of elements differs
   */
  public Tensor reshaped(ImmutableLongArray newShape) {
    return new Tensor(type, newShape, elements, length());
  }

  /**
   * Whether type, shape and bits are equal, so that 0 differs from -0. All NaNs are equal, because
   * the NaN that an operation returns depends on the processor and on the order in which the
   * compiler arranges the operands.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof Tensor that
        && type == that.type
        && shape.equals(that.shape)
        && hasElements() == that.hasElements()
        && (!hasElements() || sameBits(that));
  }

  private boolean sameBits(Tensor that) {
    return switch (type) {
      case FLOAT32 -> sameBits(floats(), that.floats());
      case FLOAT64 -> sameBits(doubles(), that.doubles());
      case INT32, UINT32 -> Arrays.equals(ints(), that.ints());
      case INT64, UINT64 -> Arrays.equals(longs(), that.longs());
      case BOOL, UINT8, INT8 -> Arrays.equals(bytes(), that.bytes());
      case INT16, UINT16 -> Arrays.equals(shorts(), that.shorts());
      case FLOAT16, BFLOAT16 ->
          sameBits(Carriers.carried(this).floats(), Carriers.carried(that).floats());
    };
  }

  private static boolean sameBits(float[] left, float[] right) {
    for (int i = 0; i < left.length; i++) {
      if (Float.floatToIntBits(left[i]) != Float.floatToIntBits(right[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameBits(double[] left, double[] right) {
    for (int i = 0; i < left.length; i++) {
      if (Double.doubleToLongBits(left[i]) != Double.doubleToLongBits(right[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 31 * type.hashCode() + shape.hashCode();
    int length = hasElements() ? length() : 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + Double.hashCode(getDouble(i));
    }
    return hash;
  }

  /** Returns type, shape, and the first 16 elements, if they are known. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(type + shape.toString());
    int length = hasElements() ? length() : 0;
    for (int i = 0; i < length && i < 16; i++) {
      text.append(i == 0 ? " " : ", ");
      text.append(
          type.isFloating()
              ? "" + getDouble(i)
              : type == ElementType.UINT64 ? Long.toUnsignedString(getLong(i)) : "" + getLong(i));
    }
    return text.append(length > 16 ? ", …" : "").toString();
  }
}
