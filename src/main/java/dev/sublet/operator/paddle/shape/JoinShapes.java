package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for joins and splits, such as concat, stack, split and unstack. */
public final class JoinShapes {

  private JoinShapes() {}

  private static int axis(ShapeCall call, int rank) {
    if (call.has("AxisTensor")) {
      return call.axis(call.number("AxisTensor").asLong(), rank);
    }
    return call.axis(call.integer("axis", 0), rank);
  }

  /**
   * {@code concat}: the sum of the extents of all {@code X} along {@code axis}; the elements of
   * vectors are joined too.
   */
  static void concat(ShapeCall call) {
    List<AbstractShape> parts = call.all("X");
    AbstractShape first = call.in("X");
    call.out("Out", concatenated(parts, axis(call, first.rank())));
  }

  /**
   * Returns the shape of the tensors, one after the other along an axis; the elements of vectors
   * are joined too.
   */
  public static AbstractShape concatenated(List<AbstractShape> parts, int axis) {
    AbstractShape first = parts.get(0);
    List<SymbolicExtent> dims = new ArrayList<>(first.dims());
    SymbolicExtent sum = SymbolicExtent.of(0);
    for (AbstractShape part : parts) {
      if (part.rank() != first.rank()) {
        throw mismatch(first, part);
      }
      for (int i = 0; i < dims.size(); i++) {
        dims.set(i, i == axis ? dims.get(i) : same(dims.get(i), part.dim(i), first, part));
      }
      sum = sum.plus(part.dim(axis));
    }
    dims.set(axis, sum);
    AbstractShape result =
        AbstractShape.of(dims).withLod(axis == 0 ? lodOfRows(parts) : first.lod());
    return dims.size() == 1 ? result.withElements(joined(parts)) : result;
  }

  private static @Nullable ImmutableList<com.google.common.primitives.ImmutableLongArray> lodOfRows(
      List<AbstractShape> parts) {
    return parts.get(0).lod();
  }

  /** Returns the better known of two extents that must be equal. */
  private static SymbolicExtent same(
      SymbolicExtent left, SymbolicExtent right, AbstractShape first, AbstractShape part) {
    if (left.isExact() && right.isExact() && left.value() != right.value()) {
      throw mismatch(first, part);
    }
    return right.isConstant() || !left.isKnown() ? right : left;
  }

  private static ShapeMismatchException mismatch(AbstractShape first, AbstractShape part) {
    return new ShapeMismatchException("the shapes " + first + " and " + part + " do not join");
  }

  private static @Nullable List<SymbolicExtent> joined(List<AbstractShape> parts) {
    List<SymbolicExtent> elements = new ArrayList<>();
    for (AbstractShape part : parts) {
      if (!part.hasElements()) {
        return null;
      }
      elements.addAll(part.elements());
    }
    return elements;
  }

  /** {@code stack}: a new extent at {@code axis}, the number of {@code X}. */
  static void stack(ShapeCall call) {
    List<AbstractShape> parts = call.all("X");
    AbstractShape first = call.in("X");
    List<SymbolicExtent> dims = new ArrayList<>(first.dims());
    for (AbstractShape part : parts) {
      if (part.rank() != first.rank()) {
        throw mismatch(first, part);
      }
      for (int i = 0; i < dims.size(); i++) {
        dims.set(i, same(dims.get(i), part.dim(i), first, part));
      }
    }
    int axis = call.integer("axis", 0);
    int index = axis < 0 ? axis + dims.size() + 1 : axis;
    if (index < 0 || index > dims.size()) {
      throw new ShapeMismatchException("there is no axis " + axis + " to stack " + first + " at");
    }
    dims.add(index, SymbolicExtent.of(parts.size()));
    AbstractShape result = AbstractShape.of(dims);
    boolean simple = index == 0 || first.count().is(1);
    call.out("Y", simple ? result.withElements(joined(parts)) : result);
    call.out("Out", simple ? result.withElements(joined(parts)) : result);
  }

  /** {@code stack_grad}: the gradient of each part has the extents of {@code Y@GRAD} but one. */
  static void stackGradient(ShapeCall call) {
    AbstractShape y = call.in("Y@GRAD");
    int axis = call.axis(call.integer("axis", 0), y.rank());
    AbstractShape part = AbstractShape.of(DimLists.without(y.dims(), axis));
    for (int i = 0; i < call.outputs("X@GRAD"); i++) {
      call.out("X@GRAD", i, part);
    }
  }

  /** {@code unstack_grad}: {@code X@GRAD} is a stack of the gradients of the parts. */
  static void unstackGradient(ShapeCall call) {
    List<AbstractShape> parts = call.all("Y@GRAD");
    AbstractShape first = call.in("Y@GRAD");
    List<SymbolicExtent> dims = new ArrayList<>(first.dims());
    int axis = call.axis(call.integer("axis", 0), first.rank() + 1);
    dims.add(axis, SymbolicExtent.of(parts.size()));
    call.out("X@GRAD", AbstractShape.of(dims));
  }

  /**
   * Returns the rule for {@code unstack} and {@code unbind}: {@code axis} is removed, with one
   * output per index along it.
   */
  static ShapeRule unstack(String output) {
    return call -> {
      AbstractShape x = call.in("X");
      int axis = axis(call, x.rank());
      List<SymbolicExtent> dims = DimLists.without(x.dims(), axis);
      AbstractShape part = AbstractShape.of(dims.isEmpty() ? List.of(SymbolicExtent.of(1)) : dims);
      int count = call.outputs(output);
      if (x.dim(axis).isExact() && !x.dim(axis).is(count)) {
        throw new ShapeMismatchException(count + " outputs for axis " + axis + " of " + x);
      }
      boolean listed = x.hasElements() && x.rank() == 1 && x.elements().size() == count;
      for (int i = 0; i < count; i++) {
        call.out(output, i, listed ? part.withElements(x.elements().subList(i, i + 1)) : part);
      }
    };
  }

  /**
   * {@code split}: {@code sections}, one of which may be -1, or as many equal parts as there are
   * outputs.
   */
  static void split(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = axis(call, x.rank());
    List<SymbolicExtent> sections =
        call.hasAttribute("sections") || call.has("SectionsTensorList")
            ? CreationShapes.numbers(call, "SectionsTensorList", "SectionsTensorList", "sections")
            : ImmutableList.of();
    int count = call.outputs("Out");
    SymbolicExtent taken = SymbolicExtent.of(0);
    for (SymbolicExtent section : sections) {
      taken = section.is(-1) ? taken : taken.plus(section);
    }
    long offset = 0;
    for (int i = 0; i < count; i++) {
      SymbolicExtent extent =
          sections.isEmpty()
              ? equalPart(x, axis, count)
              : i >= sections.size()
                  ? call.unknown("section", "there are more outputs than sections")
                  : sections.get(i).is(-1) ? x.dim(axis).minus(taken) : sections.get(i);
      AbstractShape part =
          AbstractShape.of(DimLists.with(x.dims(), axis, extent))
              .withLod(axis == 0 ? null : x.lod());
      if (x.hasElements() && x.rank() == 1 && extent.isExact() && extent.value() >= 0) {
        int end = (int) Math.min(x.elements().size(), offset + extent.asLong());
        part = part.withElements(x.elements().subList((int) Math.min(offset, end), end));
        offset += extent.asLong();
      }
      call.out("Out", i, part);
    }
  }

  private static SymbolicExtent equalPart(AbstractShape x, int axis, int count) {
    SymbolicExtent whole = x.dim(axis);
    if (whole.isExact() && whole.value() % count != 0) {
      throw new ShapeMismatchException(
          "axis " + axis + " of X " + x + " does not split into " + count + " equal parts");
    }
    return whole.floorDividedBy(count);
  }

  /**
   * {@code partial_concat}: the columns from {@code start_index} on of each {@code X}, side by
   * side.
   */
  static void partialConcat(ShapeCall call) {
    SymbolicExtent width = partialWidth(call).times(call.all("X").size());
    call.out("Out", AbstractShape.of(call.in("X").dim(0), width));
  }

  /** {@code partial_sum}: the columns from {@code start_index} on of each {@code X}, added. */
  static void partialSum(ShapeCall call) {
    SymbolicExtent columns = call.in("X").dim(1);
    int length = call.integer("length", -1);
    // Paddle does not count a negative start from the end, and reads past the rows.
    SymbolicExtent width =
        length >= 0 ? SymbolicExtent.of(length) : columns.minus(call.integer("start_index", 0));
    call.out("Out", AbstractShape.of(call.in("X").dim(0), width));
  }

  private static SymbolicExtent partialWidth(ShapeCall call) {
    int start = call.integer("start_index", 0);
    int length = call.integer("length", -1);
    SymbolicExtent columns = call.in("X").dim(1);
    return length >= 0
        ? SymbolicExtent.of(length)
        : start >= 0 ? columns.minus(start) : SymbolicExtent.of(-start);
  }

  /**
   * {@code meshgrid}: every output has one extent per input, the length of that input, in order.
   */
  static void meshgrid(ShapeCall call) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    for (AbstractShape x : call.all("X")) {
      dims.add(x.count());
    }
    AbstractShape result = AbstractShape.of(dims.build());
    for (int i = 0; i < call.outputs("Out"); i++) {
      call.out("Out", i, result);
    }
  }

  /** {@code broadcast_tensors}: every output has the shape to which all inputs broadcast. */
  static void broadcastAll(ShapeCall call) {
    ImmutableList<SymbolicExtent> dims = call.in("X").dims();
    for (AbstractShape x : call.all("X")) {
      dims = ElementwiseShapes.broadcastDims(call, dims, x.dims(), -1);
    }
    for (int i = 0; i < call.outputs("Out"); i++) {
      call.out("Out", i, AbstractShape.of(dims));
    }
  }
}
