package dev.sublet.operator.paddle.product;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.List;

/** Shape rules for functions of batches of matrices: the last two extents are those of a matrix. */
final class DecompositionShapes {

  private DecompositionShapes() {}

  private static AbstractShape batch(AbstractShape x, SymbolicExtent... matrix) {
    return AbstractShape.of(DimLists.append(DimLists.dropLast(x, 2), matrix));
  }

  private static AbstractShape vectors(AbstractShape x) {
    return AbstractShape.of(DimLists.dropLast(x, 1));
  }

  /** Returns a rule that gives an output one number per matrix. */
  static ShapeRule numbers(String input, String output) {
    return call ->
        call.out(output, AbstractShape.of(DimLists.orOne(DimLists.dropLast(call.in(input), 2))));
  }

  /** Gives {@code Out} one number per matrix and, with {@code TolTensor}, per tolerance. */
  static void rank(ShapeCall call) {
    ImmutableList<SymbolicExtent> batches = DimLists.orOne(DimLists.dropLast(call.in("X"), 2));
    call.out(
        "Out",
        AbstractShape.of(
            call.has("TolTensor")
                ? ElementwiseShapes.broadcastDims(call, batches, call.in("TolTensor").dims(), -1)
                : batches));
  }

  /**
   * Gives {@code Input@GRAD} the shape of {@code Input}. A single matrix becomes a batch of one,
   * unless its determinant is 0.
   */
  static void determinantGradient(ShapeCall call) {
    AbstractShape input = call.in("Input").withElements(null);
    if (input.rank() != 2) {
      call.out("Input@GRAD", input);
      return;
    }
    AbstractShape batch = AbstractShape.of(SymbolicExtent.of(1), input.dim(0), input.dim(1));
    call.out("Input@GRAD", call.either(input, batch));
  }

  /** Gives {@code Out} the sign and the logarithm for each matrix. */
  static void signAndLogarithm(ShapeCall call) {
    ImmutableList<SymbolicExtent> batches = DimLists.orOne(DimLists.dropLast(call.in("Input"), 2));
    call.out(
        "Out",
        AbstractShape.of(
            ImmutableList.<SymbolicExtent>builder()
                .add(SymbolicExtent.of(2))
                .addAll(batches)
                .build()));
  }

  /** Returns a rule that gives an output one vector per matrix. */
  static ShapeRule eigenvalues(String output) {
    return call -> call.out(output, vectors(call.in("X")));
  }

  /** Gives {@code Eigenvalues} one vector per matrix, and {@code Eigenvectors} one matrix. */
  static void eigenvectors(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Eigenvalues", vectors(x));
    call.out("Eigenvectors", x.withElements(null));
  }

  /**
   * Returns a rule that gives {@code Out} the solution of a linear system: one column of unknowns
   * per column of the right side. Batches broadcast.
   */
  static ShapeRule solution(String matrix, String right) {
    return call -> {
      AbstractShape a = call.in(matrix);
      AbstractShape b = call.in(right);
      if (b.rank() == 1) {
        call.out("Out", vectors(a));
        return;
      }
      DimLists.checkEqual(a.dim(-1), b.dim(-2), "%s %s does not fit %s %s", matrix, a, right, b);
      ImmutableList<SymbolicExtent> batches =
          ElementwiseShapes.broadcastDims(
              call, DimLists.dropLast(a, 2), DimLists.dropLast(b, 2), -1);
      call.out("Out", AbstractShape.of(DimLists.append(batches, b.dim(-2), b.dim(-1))));
    };
  }

  /**
   * Gives {@code Out} the shape of {@link #solution}. A {@code Y} with the extents of {@code X}
   * except the last is a batch of vectors.
   */
  static void solve(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    if (y.rank() == x.rank() - 1 && y.rank() > 1 && mayBeEqual(DimLists.dropLast(x, 1), y.dims())) {
      if (!areExact(x.dims()) || !areExact(y.dims())) {
        throw new UnknownShapeException("Y may contain vectors or matrices");
      }
      call.out("Out", y.withElements(null));
    } else {
      solution("X", "Y").infer(call);
    }
  }

  private static boolean mayBeEqual(List<SymbolicExtent> a, List<SymbolicExtent> b) {
    for (int i = 0; i < a.size(); i++) {
      if (a.get(i).isExact() && b.get(i).isExact() && !a.get(i).is(b.get(i).value())) {
        return false;
      }
    }
    return true;
  }

  private static boolean areExact(List<SymbolicExtent> dims) {
    return dims.stream().allMatch(SymbolicExtent::isExact);
  }

  /**
   * Gives {@code U}, {@code S} and {@code VH} their shapes; {@code U} and {@code VH} are square if
   * {@code full_matrices}.
   */
  static void singularValues(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean full = call.flag("full_matrices", false);
    SymbolicExtent least = x.dim(-2).min(x.dim(-1));
    call.out("U", batch(x, x.dim(-2), full ? x.dim(-2) : least));
    call.out("S", batch(x, least));
    call.out("VH", batch(x, full ? x.dim(-1) : least, x.dim(-1)));
  }

  /**
   * Gives {@code Q} and {@code R} their shapes. {@code Q} is square if {@code mode} is complete,
   * and empty if it is r.
   */
  static void qr(ShapeCall call) {
    AbstractShape x = call.in("X");
    String mode = call.text("mode", "reduced");
    SymbolicExtent inner = mode.equals("complete") ? x.dim(-2) : x.dim(-2).min(x.dim(-1));
    call.out("Q", mode.equals("r") ? AbstractShape.of(0) : batch(x, x.dim(-2), inner));
    call.out("R", batch(x, inner, x.dim(-1)));
  }

  /**
   * Gives {@code Out} the shape of {@code X}, and {@code Pivots} one number per row or column,
   * whichever are fewer.
   */
  static void lu(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", x.withElements(null));
    if (call.flag("pivots", true)) {
      call.out("Pivots", batch(x, x.dim(-2).min(x.dim(-1))));
    }
    call.out("Infos", AbstractShape.of(DimLists.orOne(DimLists.dropLast(x, 2))));
  }

  /** Gives {@code L}, {@code U} and a permutation {@code Pmat} per list of pivots their shapes. */
  static void luUnpack(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent least = x.dim(-2).min(x.dim(-1));
    ImmutableList<SymbolicExtent> lists = DimLists.dropLast(call.in("Pivots"), 1);
    call.out("Pmat", AbstractShape.of(DimLists.append(lists, x.dim(-2), x.dim(-2))));
    call.out("L", batch(x, x.dim(-2), least));
    call.out("U", batch(x, least, x.dim(-1)));
  }

  /** Gives {@code Solution} one column per right side. */
  static void leastSquares(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Solution", batch(x, x.dim(-1), call.in("Y").dim(-1)));
  }

  /** Returns the extents of a tensor without those of two axes. */
  private static ImmutableList<SymbolicExtent> others(AbstractShape x, int a, int b) {
    if (a == b) {
      throw new ShapeMismatchException("the diagonal of " + x + " along axis " + a + " alone");
    }
    return DimLists.without(DimLists.without(x.dims(), Math.max(a, b)), Math.min(a, b));
  }

  /**
   * Gives {@code Out} the extents except those of {@code axis1} and {@code axis2}, then that of the
   * diagonal.
   */
  static void diagonal(ShapeCall call) {
    AbstractShape x = call.in("Input");
    int a = call.axis(call.integer("axis1", 0), x.rank());
    int b = call.axis(call.integer("axis2", 1), x.rank());
    int offset = call.integer("offset", 0);
    SymbolicExtent length =
        x.dim(a).plus(Math.min(offset, 0)).min(x.dim(b).minus(Math.max(offset, 0)));
    SymbolicExtent extent = offset == 0 ? length : length.max(SymbolicExtent.of(0));
    call.out("Out", AbstractShape.of(DimLists.append(others(x, a, b), extent)));
  }

  /** Gives {@code Out} the extents except those of {@code axis1} and {@code axis2}. */
  static void trace(ShapeCall call) {
    AbstractShape x = call.in("Input");
    int a = call.axis(call.integer("axis1", 0), x.rank());
    int b = call.axis(call.integer("axis2", 1), x.rank());
    call.out("Out", AbstractShape.of(DimLists.orOne(others(x, a, b))));
  }
}
