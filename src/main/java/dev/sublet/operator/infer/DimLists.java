package dev.sublet.operator.infer;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;

/** Operations on lists of extents, and checks of extents and ranks. */
public final class DimLists {

  private DimLists() {}

  /** The product of some extents. */
  public static SymbolicExtent product(List<SymbolicExtent> dims) {
    SymbolicExtent product = SymbolicExtent.of(1);
    for (SymbolicExtent extent : dims) {
      product = product.times(extent);
    }
    return product;
  }

  /** Returns the extents with the one at an index replaced. */
  public static ImmutableList<SymbolicExtent> with(
      List<SymbolicExtent> dims, int index, SymbolicExtent extent) {
    if (index < 0 || index >= dims.size()) {
      throw new ShapeMismatchException("there is no axis " + index + " in " + dims);
    }
    List<SymbolicExtent> result = new ArrayList<>(dims);
    result.set(index, extent);
    return ImmutableList.copyOf(result);
  }

  /** Returns the extents without the one at an index. */
  public static ImmutableList<SymbolicExtent> without(List<SymbolicExtent> dims, int index) {
    if (index < 0 || index >= dims.size()) {
      throw new ShapeMismatchException("there is no axis " + index + " in " + dims);
    }
    List<SymbolicExtent> result = new ArrayList<>(dims);
    result.remove(index);
    return ImmutableList.copyOf(result);
  }

  /** Returns the extents followed by more extents. */
  public static ImmutableList<SymbolicExtent> append(
      List<SymbolicExtent> dims, SymbolicExtent... more) {
    return ImmutableList.<SymbolicExtent>builder().addAll(dims).add(more).build();
  }

  /** Returns the extents without the last {@code count} ones. */
  public static ImmutableList<SymbolicExtent> dropLast(AbstractShape tensor, int count) {
    if (tensor.rank() < count) {
      throw new ShapeMismatchException(tensor + " has less than " + count + " extents");
    }
    return tensor.dims().subList(0, tensor.rank() - count);
  }

  /**
   * Returns the extents, or a single 1 if there are none, because a scalar has one extent before
   * Paddle 2.5.
   */
  public static ImmutableList<SymbolicExtent> orOne(ImmutableList<SymbolicExtent> dims) {
    return dims.isEmpty() ? ImmutableList.of(SymbolicExtent.of(1)) : dims;
  }

  /**
   * Checks that two numbers are equal, if both are known exactly.
   *
   * @param template the message if they differ, with {@code %s} for each argument
   */
  public static void checkEqual(
      SymbolicExtent left, SymbolicExtent right, String template, Object... arguments) {
    if (left.isExact() && right.isExact() && !left.is(right.value())) {
      throw new ShapeMismatchException(Strings.lenientFormat(template, arguments));
    }
  }

  /** Checks that an input has at least {@code rank} extents. */
  public static void checkRankAtLeast(AbstractShape tensor, String name, int rank) {
    if (tensor.rank() < rank) {
      throw new ShapeMismatchException(name + " " + tensor + " has less than " + rank + " extents");
    }
  }

  /** Checks that an input has exactly {@code rank} extents. */
  public static void checkRank(AbstractShape tensor, String name, int rank) {
    if (tensor.rank() != rank) {
      throw new ShapeMismatchException(name + " " + tensor + " does not have " + rank + " extents");
    }
  }

  /** The number of sequences of a tensor at the finest level. */
  public static SymbolicExtent sequences(ShapeCall call, AbstractShape tensor) {
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    if (lod == null || lod.isEmpty()) {
      return call.unknown("sequences", "it counts the sequences of an input");
    }
    return call.computed("sequences", lod.get(lod.size() - 1).length() - 1L);
  }

  /** An element of a tensor; an unknown number if the elements are not tracked. */
  public static SymbolicExtent element(
      ShapeCall call, AbstractShape tensor, int index, String name) {
    if (tensor.hasElements() && index < tensor.elements().size()) {
      return tensor.elements().get(index);
    }
    String reason = tensor.reason();
    return call.unknown(name, reason.isEmpty() ? "it depends on the elements of a tensor" : reason);
  }
}
