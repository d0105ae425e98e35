package dev.sublet.operator.infer;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;

/** Lists of extents, cut and joined, and what operators demand of extents. */
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

  /** The extents with another one at an index. */
  public static ImmutableList<SymbolicExtent> with(
      List<SymbolicExtent> dims, int index, SymbolicExtent extent) {
    if (index < 0 || index >= dims.size()) {
      throw new ShapeMismatchException("there is no axis " + index + " in " + dims);
    }
    List<SymbolicExtent> result = new ArrayList<>(dims);
    result.set(index, extent);
    return ImmutableList.copyOf(result);
  }

  /** The extents but the one at an index. */
  public static ImmutableList<SymbolicExtent> without(List<SymbolicExtent> dims, int index) {
    if (index < 0 || index >= dims.size()) {
      throw new ShapeMismatchException("there is no axis " + index + " in " + dims);
    }
    List<SymbolicExtent> result = new ArrayList<>(dims);
    result.remove(index);
    return ImmutableList.copyOf(result);
  }

  /** The extents and more of them. */
  public static ImmutableList<SymbolicExtent> append(
      List<SymbolicExtent> dims, SymbolicExtent... more) {
    return ImmutableList.<SymbolicExtent>builder().addAll(dims).add(more).build();
  }

  /** The extents before the last so many. */
  public static ImmutableList<SymbolicExtent> dropLast(AbstractShape tensor, int count) {
    if (tensor.rank() < count) {
      throw new ShapeMismatchException(tensor + " has less than " + count + " extents");
    }
    return tensor.dims().subList(0, tensor.rank() - count);
  }

  /** The extents, or a single 1 if there are none: before Paddle 2.5 a scalar has one extent. */
  public static ImmutableList<SymbolicExtent> orOne(ImmutableList<SymbolicExtent> dims) {
    return dims.isEmpty() ? ImmutableList.of(SymbolicExtent.of(1)) : dims;
  }

  /**
   * Demands that two numbers are equal, as far as both are known.
   *
   * @param template what is wrong otherwise, with {@code %s} for each argument
   */
  public static void checkEqual(
      SymbolicExtent left, SymbolicExtent right, String template, Object... arguments) {
    if (left.isExact() && right.isExact() && !left.is(right.value())) {
      throw new ShapeMismatchException(Strings.lenientFormat(template, arguments));
    }
  }

  /** Demands that an input has at least so many extents. */
  public static void checkRankAtLeast(AbstractShape tensor, String name, int rank) {
    if (tensor.rank() < rank) {
      throw new ShapeMismatchException(name + " " + tensor + " has less than " + rank + " extents");
    }
  }

  /** Demands a number of extents of an input. */
  public static void checkRank(AbstractShape tensor, String name, int rank) {
    if (tensor.rank() != rank) {
      throw new ShapeMismatchException(name + " " + tensor + " does not have " + rank + " extents");
    }
  }

  /** The number of sequences in a tensor, at the finest level. */
  public static SymbolicExtent sequences(ShapeCall call, AbstractShape tensor) {
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    if (lod == null || lod.isEmpty()) {
      return call.unknown("sequences", "it counts the sequences of an input");
    }
    return call.computed("sequences", lod.get(lod.size() - 1).length() - 1L);
  }

  /** An element of a tensor; unknown if the elements are not followed. */
  public static SymbolicExtent element(
      ShapeCall call, AbstractShape tensor, int index, String name) {
    if (tensor.hasElements() && index < tensor.elements().size()) {
      return tensor.elements().get(index);
    }
    String reason = tensor.reason();
    return call.unknown(name, reason.isEmpty() ? "it depends on the elements of a tensor" : reason);
  }
}
