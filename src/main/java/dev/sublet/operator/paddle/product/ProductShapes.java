package dev.sublet.operator.paddle.product;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shape rules for products of vectors, of matrices, and of batches of them. */
public final class ProductShapes {

  /** The end of the letters that stand for axes of an ellipsis: they are below this character. */
  private static final char BROADCAST = ' ';

  private ProductShapes() {}

  private static void checkInner(
      SymbolicExtent left, SymbolicExtent right, AbstractShape x, AbstractShape y) {
    DimLists.checkEqual(
        left, right, "X %s and Y %s are multiplied along %s and %s", x, y, left, right);
  }

  /**
   * Gives {@code Out} the extents of {@code X} before {@code x_num_col_dims}, and those of {@code
   * Y} from {@code y_num_col_dims} on; the product sums over the other axes.
   */
  static void mul(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    int rows = call.integer("x_num_col_dims", 1);
    int columns = call.integer("y_num_col_dims", 1);
    if (rows < 1 || rows >= x.rank() || columns < 1 || columns >= y.rank()) {
      throw new ShapeMismatchException(
          "X " + x + " and Y " + y + " are not matrices, cut at " + rows + " and " + columns);
    }
    checkInner(
        DimLists.product(x.dims().subList(rows, x.rank())),
        DimLists.product(y.dims().subList(0, columns)),
        x,
        y);
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    dims.addAll(x.dims().subList(0, rows)).addAll(y.dims().subList(columns, y.rank()));
    call.out("Out", AbstractShape.of(dims.build()).withLod(x.lod()));
  }

  /**
   * Gives {@code Out} of {@code matmul} its shape. A vector is a row on the left and a column on
   * the right, and either factor may be transposed. The leading extents are those of {@code X} if
   * it has any and none is 0, else those of {@code Y}.
   */
  static void matmul(ShapeCall call) {
    if (!call.integers("fused_reshape_Out").isEmpty()
        || !call.integers("fused_reshape_X").isEmpty()
        || !call.integers("fused_reshape_Y").isEmpty()) {
      throw new UnknownShapeException("it is fused with a reshape");
    }
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    ImmutableList<SymbolicExtent> left = matrix(x, true, call.flag("transpose_X", false));
    ImmutableList<SymbolicExtent> right = matrix(y, false, call.flag("transpose_Y", false));
    checkInner(left.get(left.size() - 1), right.get(right.size() - 2), x, y);
    ImmutableList<SymbolicExtent> leading = batches(left);
    if (leading.isEmpty()) {
      leading = batches(right);
    }
    List<SymbolicExtent> dims = new ArrayList<>(leading);
    SymbolicExtent height = left.get(left.size() - 2);
    if (x.rank() > 1 || !height.is(1)) {
      dims.add(height);
    }
    SymbolicExtent width = right.get(right.size() - 1);
    if (y.rank() > 1 || !width.is(1)) {
      dims.add(width);
    }
    call.out("Out", product(x, ImmutableList.copyOf(dims)));
  }

  /** The batch extents of {@code matmul}: Paddle drops them all if one is 0. */
  private static ImmutableList<SymbolicExtent> batches(ImmutableList<SymbolicExtent> dims) {
    ImmutableList<SymbolicExtent> batches = dims.subList(0, dims.size() - 2);
    for (SymbolicExtent extent : batches) {
      if (extent.is(0) && !extent.isConstant()) {
        throw new UnknownShapeException("there are no batches in this run only");
      }
    }
    return batches.stream().anyMatch(extent -> extent.is(0)) ? ImmutableList.of() : batches;
  }

  private static ImmutableList<SymbolicExtent> matrix(
      AbstractShape tensor, boolean isRow, boolean isTransposed) {
    List<SymbolicExtent> dims = new ArrayList<>(tensor.dims());
    if (dims.size() == 1) {
      dims.add(isRow ? 0 : 1, SymbolicExtent.of(1));
    }
    if (dims.size() < 2) {
      throw new ShapeMismatchException("there is no matrix in " + tensor);
    }
    if (isTransposed) {
      Collections.swap(dims, dims.size() - 2, dims.size() - 1);
    }
    return ImmutableList.copyOf(dims);
  }

  private static AbstractShape product(AbstractShape x, ImmutableList<SymbolicExtent> dims) {
    return AbstractShape.of(DimLists.orOne(dims)).withLod(x.lod());
  }

  /**
   * Gives {@code Out} of {@code matmul_v2} its shape. The leading extents broadcast. A vector is
   * never transposed, and the product sums over its extent.
   */
  static void matmulV2(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    boolean xTransposed = x.rank() > 1 && call.flag("trans_x", false);
    boolean yTransposed = y.rank() > 1 && call.flag("trans_y", false);
    call.out("Out", product(x, batched(call, x, y, xTransposed, yTransposed)));
  }

  /** Returns the extents of matrix products whose leading extents broadcast. */
  public static ImmutableList<SymbolicExtent> batched(
      ShapeCall call, AbstractShape x, AbstractShape y, boolean xTransposed, boolean yTransposed) {
    ImmutableList<SymbolicExtent> left = matrix(x, true, xTransposed);
    ImmutableList<SymbolicExtent> right = matrix(y, false, yTransposed);
    checkInner(left.get(left.size() - 1), right.get(right.size() - 2), x, y);
    ImmutableList<SymbolicExtent> leading =
        ElementwiseShapes.broadcastDims(
            call, left.subList(0, left.size() - 2), right.subList(0, right.size() - 2), -1);
    List<SymbolicExtent> dims = new ArrayList<>(leading);
    if (x.rank() > 1) {
      dims.add(left.get(left.size() - 2));
    }
    if (y.rank() > 1) {
      dims.add(right.get(right.size() - 1));
    }
    return ImmutableList.copyOf(dims);
  }

  /** Gives {@code Out} one matrix product per index of the batch. */
  static void bmm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    DimLists.checkRank(x, "X", 3);
    DimLists.checkRank(y, "Y", 3);
    checkInner(x.dim(2), y.dim(1), x, y);
    DimLists.checkEqual(x.dim(0), y.dim(0), "X %s and Y %s are batches of different size", x, y);
    call.out("Out", AbstractShape.of(x.dim(0), x.dim(1), y.dim(2)).withLod(x.lod()));
  }

  /** Gives {@code Out} the product of a matrix and a vector. */
  static void mv(ShapeCall call) {
    AbstractShape x = call.in("X");
    checkInner(x.dim(1), call.in("Vec").dim(0), x, call.in("Vec"));
    call.out("Out", AbstractShape.of(x.dim(0)));
  }

  /** Gives {@code Out} products of vectors, with 1 as the last extent. */
  static void dot(ShapeCall call) {
    AbstractShape x = call.in("X");
    checkInner(x.dim(-1), call.in("Y").dim(-1), x, call.in("Y"));
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, SymbolicExtent.of(1))));
  }

  /** Gives {@code Out} a matrix product, to which {@code Input} is added. */
  static void addmm(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    checkInner(x.dim(1), y.dim(0), x, y);
    call.out("Out", AbstractShape.of(x.dim(0), y.dim(1)).withLod(call.in("Input").lod()));
  }

  /** Gives {@code Out} the products of the extents; the last axes of the factors are aligned. */
  static void kron(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    int rank = Math.max(x.rank(), y.rank());
    List<SymbolicExtent> dims = new ArrayList<>();
    for (int i = rank; i > 0; i--) {
      SymbolicExtent left = i <= x.rank() ? x.dim(-i) : SymbolicExtent.of(1);
      dims.add(i <= y.rank() ? left.times(y.dim(-i)) : left);
    }
    call.out("Out", AbstractShape.of(dims));
  }

  /**
   * Gives {@code Out} and {@code XNorm} one number per row of {@code X}, and {@code YNorm} one per
   * row of {@code Y}.
   */
  static void cosine(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent one = SymbolicExtent.of(1);
    call.out("Out", AbstractShape.of(x.dim(0), one).withLod(x.lod()));
    call.out("XNorm", AbstractShape.of(x.dim(0), one));
    call.out("YNorm", AbstractShape.of(call.in("Y").dim(0), one));
  }

  /** Gives {@code Out}, per row, as many numbers as {@code Weight} has matrices. */
  static void bilinear(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", AbstractShape.of(x.dim(0), call.in("Weight").dim(0)).withLod(x.lod()));
  }

  /** Gives {@code Bias@GRAD} one row, and the other gradients the shapes of their inputs. */
  static void bilinearGradient(ShapeCall call) {
    GradientShapes.likeForward(call);
    call.out("Bias@GRAD", AbstractShape.of(SymbolicExtent.of(1), call.in("Weight").dim(0)));
  }

  /** Gives {@code Out} one matrix per image, between the channels of the two feature maps. */
  static void fsp(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", AbstractShape.of(x.dim(0), x.dim(1), call.in("Y").dim(1)).withLod(x.lod()));
  }

  /** Gives {@code Out} the product of all factors; the first and the last factor may be vectors. */
  static void multiDot(ShapeCall call) {
    List<AbstractShape> factors = call.all("X");
    for (int i = 1; i < factors.size(); i++) {
      AbstractShape left = factors.get(i - 1);
      checkInner(left.dim(-1), factors.get(i).dim(0), left, factors.get(i));
    }
    AbstractShape first = factors.get(0);
    AbstractShape last = factors.get(factors.size() - 1);
    List<SymbolicExtent> dims = new ArrayList<>();
    if (first.rank() > 1) {
      dims.add(first.dim(0));
    }
    if (last.rank() > 1) {
      dims.add(last.dim(1));
    }
    call.out("Out", AbstractShape.of(DimLists.orOne(ImmutableList.copyOf(dims))));
  }

  /**
   * Gives {@code Out} the extents that the letters after the arrow of {@code equation} stand for.
   */
  public static void einsum(ShapeCall call) {
    call.out("Out", AbstractShape.of(DimLists.orOne(einsum(call, call.all("Operands")))));
  }

  /** Returns the extents of the sum of products that the attribute {@code equation} describes. */
  public static ImmutableList<SymbolicExtent> einsum(ShapeCall call, List<AbstractShape> operands) {
    String equation = spelledOut(call.text("equation", "").replace(" ", ""), operands);
    int arrow = equation.indexOf("->");
    if (equation.isEmpty()) {
      throw new UnknownShapeException("there is no equation");
    }
    Map<Character, SymbolicExtent> extents = new TreeMap<>();
    Map<Character, Integer> counts = new TreeMap<>();
    bind(call, arrow < 0 ? equation : equation.substring(0, arrow), operands, extents, counts);
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    if (arrow >= 0) {
      for (int i = arrow + 2; i < equation.length(); i++) {
        dims.add(extents.getOrDefault(equation.charAt(i), SymbolicExtent.of(1)));
      }
    } else {
      counts.forEach(
          (letter, count) -> {
            if (count == 1 || letter < BROADCAST) {
              dims.add(extents.getOrDefault(letter, SymbolicExtent.of(1)));
            }
          });
    }
    return dims.build();
  }

  /**
   * Returns the equation with a letter for each axis that an ellipsis stands for. The last of these
   * axes gets the character before {@link #BROADCAST}, the axis before it the character before that
   * one, and so on, so that they sort before named axes.
   */
  private static String spelledOut(String equation, List<AbstractShape> operands) {
    if (!equation.contains("...")) {
      return equation;
    }
    int arrow = equation.indexOf("->");
    List<String> terms =
        Splitter.on(',').splitToList(arrow < 0 ? equation : equation.substring(0, arrow));
    List<String> spelled = new ArrayList<>();
    int longest = 0;
    for (int i = 0; i < terms.size(); i++) {
      String term = terms.get(i);
      if (term.contains("...")) {
        int named = term.length() - 3;
        int axes = i < operands.size() ? Math.max(0, operands.get(i).rank() - named) : 0;
        longest = Math.max(longest, axes);
        term = term.replace("...", broadcastAxes(axes));
      }
      spelled.add(term);
    }
    String left = String.join(",", spelled);
    return arrow < 0
        ? left
        : left + equation.substring(arrow).replace("...", broadcastAxes(longest));
  }

  private static String broadcastAxes(int count) {
    StringBuilder letters = new StringBuilder();
    for (int i = count; i > 0; i--) {
      letters.append((char) Math.max(1, BROADCAST - i));
    }
    return letters.toString();
  }

  private static void bind(
      ShapeCall call,
      String terms,
      List<AbstractShape> operands,
      Map<Character, SymbolicExtent> extents,
      Map<Character, Integer> counts) {
    int operand = 0;
    int axis = 0;
    for (int i = 0; i < terms.length(); i++) {
      char letter = terms.charAt(i);
      if (letter == ',') {
        operand++;
        axis = 0;
        continue;
      }
      if (operand >= operands.size()) {
        throw new ShapeMismatchException(terms + " has more terms than there are operands");
      }
      AbstractShape tensor = operands.get(operand);
      SymbolicExtent extent = tensor.dim(axis++);
      SymbolicExtent before = extents.getOrDefault(letter, extent);
      extents.put(letter, call.broadcast(before, extent, before, tensor));
      counts.merge(letter, 1, Integer::sum);
    }
  }
}
