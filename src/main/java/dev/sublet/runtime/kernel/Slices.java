package dev.sublet.runtime.kernel;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Cuts and joins tensors, mostly along their first axis. O(elements of the result) throughout. */
public final class Slices {

  private Slices() {}

  /**
   * Returns the rows from {@code from} to {@code to}, exclusive.
   *
   * @throws OperatorException if there are no such rows
   */
  public static Tensor rows(Tensor tensor, long from, long to) {
    if (tensor.rank() == 0 || from < 0 || to < from || to > tensor.size(0)) {
      throw new OperatorException(
          "rows " + from + " to " + to + " of " + tensor.type() + tensor.shape());
    }
    int width = width(tensor);
    Tensor target = Tensor.zeros(tensor.type(), withRows(tensor.shape(), to - from));
    ElementWriter.copy(tensor, (int) from * width, target, 0, (int) (to - from) * width);
    return target;
  }

  /**
   * Joins tensors along an axis, one after the other. O(elements).
   *
   * @throws OperatorException if they differ in another extent or in their type
   */
  public static Tensor join(List<Tensor> parts, int axis) {
    if (axis == 0) {
      return join(parts);
    }
    // Cut the parts into rows along the axes before this axis: row i of the result is row i of each
    // part.
    List<Tensor> pieces = new ArrayList<>();
    long before = 1;
    for (int i = 0; i < axis; i++) {
      before *= parts.get(0).size(i);
    }
    long extent = 0;
    for (Tensor part : parts) {
      if (part.rank() <= axis || !isLike(parts.get(0), part, axis)) {
        throw mismatch(parts.get(0), part);
      }
      extent += part.size(axis);
    }
    for (long row = 0; row < before; row++) {
      for (Tensor part : parts) {
        int width = before == 0 ? 0 : (int) (part.length() / before);
        Tensor flat = part.reshaped(ImmutableLongArray.of(part.length()));
        pieces.add(rows(flat, row * width, (row + 1) * width));
      }
    }
    ImmutableLongArray shape = parts.get(0).shape();
    ImmutableLongArray joined =
        ImmutableLongArray.builder()
            .addAll(shape.subArray(0, axis))
            .add(extent)
            .addAll(shape.subArray(axis + 1, shape.length()))
            .build();
    return pieces.isEmpty()
        ? Tensor.zeros(parts.get(0).type(), joined)
        : join(pieces).reshaped(joined);
  }

  private static boolean isLike(Tensor a, Tensor b, int axis) {
    boolean like = a.type() == b.type() && a.rank() == b.rank();
    for (int i = 0; like && i < a.rank(); i++) {
      like = i == axis || a.size(i) == b.size(i);
    }
    return like;
  }

  private static OperatorException mismatch(Tensor a, Tensor b) {
    return new OperatorException(
        a.type() + "" + a.shape() + " and " + b.type() + b.shape() + " cannot be joined");
  }

  /**
   * Joins the rows of tensors, one tensor after the other. All extents but the first must be equal.
   */
  public static Tensor join(List<Tensor> parts) {
    if (parts.isEmpty()) {
      throw new OperatorException("there is nothing to join");
    }
    Tensor first = parts.get(0);
    long rows = 0;
    for (Tensor part : parts) {
      if (part.rank() == 0 || !isLike(first, part, 0)) {
        throw mismatch(first, part);
      }
      rows += part.size(0);
    }
    Tensor target = Tensor.zeros(first.type(), withRows(first.shape(), rows));
    int position = 0;
    for (Tensor part : parts) {
      ElementWriter.copy(part, 0, target, position, part.length());
      position += part.length();
    }
    return target;
  }

  /**
   * Returns the elements at a place of an axis, without that axis. O(elements of the result).
   *
   * @throws OperatorException if there is no such place
   */
  public static Tensor at(Tensor tensor, int axis, long place) {
    long[] shape = tensor.shape().toArray();
    if (place < 0 || place >= shape[axis]) {
      throw new OperatorException(
          "there is no place " + place + " along an extent of " + shape[axis]);
    }
    int outer = (int) Shapes.count(shape, 0, axis);
    int inner = (int) Shapes.count(shape, axis + 1, shape.length);
    Tensor slice =
        Tensor.zeros(tensor.type(), ImmutableLongArray.copyOf(Shapes.without(shape, axis)));
    for (int i = 0; i < outer; i++) {
      int from = (int) (i * shape[axis] + place) * inner;
      ElementWriter.copy(tensor, from, slice, i * inner, inner);
    }
    return slice;
  }

  /**
   * Returns a copy with one row replaced.
   *
   * @throws OperatorException if the row does not have as many elements as the tensor's rows
   */
  public static Tensor withRow(Tensor tensor, int index, Tensor row) {
    int width = width(tensor);
    if (row.type() != tensor.type() || row.length() != width) {
      throw new OperatorException(
          row.type() + "" + row.shape() + " is not a row of " + tensor.type() + tensor.shape());
    }
    Tensor target = ElementWriter.duplicate(tensor);
    ElementWriter.copy(row, 0, target, index * width, width);
    return target;
  }

  /**
   * Returns the rows with given numbers, in their order.
   *
   * @throws OperatorException if there is no such row
   */
  public static Tensor pick(Tensor tensor, ImmutableLongArray rows) {
    if (tensor.rank() == 0) {
      throw new OperatorException("a tensor without axes has no rows");
    }
    int width = width(tensor);
    Tensor target = Tensor.zeros(tensor.type(), withRows(tensor.shape(), rows.length()));
    for (int i = 0; i < rows.length(); i++) {
      long row = rows.get(i);
      if (row < 0 || row >= tensor.size(0)) {
        throw new OperatorException("row " + row + " of " + tensor.type() + tensor.shape());
      }
      ElementWriter.copy(tensor, (int) row * width, target, i * width, width);
    }
    return target;
  }

  /** Returns the number of elements of a row. */
  public static int width(Tensor tensor) {
    int width = 1;
    for (int axis = 1; axis < tensor.rank(); axis++) {
      width = Math.toIntExact(Math.multiplyExact((long) width, tensor.size(axis)));
    }
    return width;
  }

  /** Returns a shape with another number of rows. */
  static ImmutableLongArray withRows(ImmutableLongArray shape, long rows) {
    return ImmutableLongArray.builder().add(rows).addAll(shape.subArray(1, shape.length())).build();
  }
}
