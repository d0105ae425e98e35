package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints index expressions as C: {@code int64_t} arithmetic. Unlike the program's arithmetic it
 * does not wrap around: overflow of 64 bits is undefined, as for all signed integers in C.
 */
final class CIndex {

  private static final Constant ZERO = new Constant(0);

  private static final int SUM = 1;
  private static final int PRODUCT = 2;
  private static final int ATOM = 3;

  private final CScope scope;
  private final ImmutableList<Loop> loops;

  /** Whether the computed extents have been stored in variables. */
  private final boolean inBody;

  private CIndex(CScope scope, ImmutableList<Loop> loops, boolean inBody) {
    this.scope = scope;
    this.loops = loops;
    this.inBody = inBody;
  }

  /** Returns a printer for indices inside some loops, outermost first. */
  static CIndex inside(CScope scope, ImmutableList<Loop> loops) {
    return new CIndex(scope, loops, /* inBody= */ true);
  }

  /** Returns a printer for extents before the first nest. */
  static CIndex inFront(CScope scope) {
    return new CIndex(scope, ImmutableList.of(), /* inBody= */ false);
  }

  /** Returns the text of an index that can be an operand of any operator. */
  String atom(IndexExpression expression) {
    return text(expression, ATOM);
  }

  /** Returns the text of an index that stands alone. */
  String text(IndexExpression expression) {
    return text(expression, SUM);
  }

  private String text(IndexExpression expression, int around) {
    if (expression instanceof Constant constant) {
      return constant(constant.value(), around);
    }
    if (expression instanceof LoopIndex loop) {
      return "i" + loop.id();
    }
    if (expression instanceof AxisSize size) {
      return scope.isDecidedByCaller(size.tensor(), size.axis())
          ? scope.extent(size.tensor(), size.axis())
          : text(scope.declaration(size.tensor()).shape().get(size.axis()), around);
    }
    if (expression instanceof IndexExpression.Parameter parameter) {
      return scope.parameter(parameter.name());
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return "(-" + text(negation.operand(), ATOM) + ")";
    }
    if (expression instanceof IndexExpression.Element element) {
      return element(element);
    }
    if (expression instanceof Arithmetic arithmetic) {
      return arithmetic(arithmetic, around);
    }
    throw new AssertionError(expression);
  }

  /**
   * Returns a constant. A constant whose absolute value is at most 1000 is an int literal, because
   * a product of three of these fits in an int; any other is a 64-bit literal.
   */
  private static String constant(long value, int around) {
    if (value == Long.MIN_VALUE) {
      return "INT64_MIN";
    }
    String text = Math.abs(value) <= 1000 ? Long.toString(value) : "INT64_C(" + value + ")";
    return value < 0 && around > SUM ? "(" + text + ")" : text;
  }

  private String arithmetic(Arithmetic arithmetic, int around) {
    AxisSize computed = scope.computedExtents().get(arithmetic);
    if (inBody && computed != null) {
      return scope.extent(computed.tensor(), computed.axis());
    }
    return operation(arithmetic, around);
  }

  /** Returns the definition of the variable of a computed extent. */
  String definition(Arithmetic extent, AxisSize axis) {
    return "const int64_t "
        + scope.extent(axis.tensor(), axis.axis())
        + " = "
        + operation(extent, SUM)
        + ";";
  }

  private String operation(Arithmetic arithmetic, int around) {
    if (arithmetic.operator() == Operator.DIVIDE) {
      return scope.call(
          CHelper.FLOOR_DIVIDE_INDEX, text(arithmetic.left()), text(arithmetic.right()));
    }
    int own = arithmetic.operator() == Operator.MULTIPLY ? PRODUCT : SUM;
    String text =
        text(arithmetic.left(), own)
            + " "
            + arithmetic.operator()
            + " "
            + text(arithmetic.right(), own + 1);
    return own < around ? "(" + text + ")" : text;
  }

  private String element(IndexExpression.Element element) {
    String value = element(element.tensor(), element.at());
    String inside = inside(element.tensor(), element.at());
    return inside.isEmpty() ? "(int64_t)" + value : "(" + inside + " ? (int64_t)" + value + " : 0)";
  }

  /** Returns an element of a tensor, {@code x[i0 * d_x_1 + i1]}. */
  String element(String tensor, ImmutableList<IndexExpression> at) {
    IndexExpression flat = ZERO;
    for (int axis = 0; axis < at.size(); axis++) {
      flat = sum(product(flat, new AxisSize(tensor, axis)), at.get(axis));
    }
    return scope.tensor(tensor) + "[" + text(flat) + "]";
  }

  private static IndexExpression sum(IndexExpression left, IndexExpression right) {
    return left.equals(ZERO)
        ? right
        : right.equals(ZERO) ? left : new Arithmetic(Operator.ADD, left, right);
  }

  private IndexExpression product(IndexExpression flat, AxisSize size) {
    boolean one = scope.declaration(size.tensor()).shape().get(size.axis()).equals(new Constant(1));
    return flat.equals(ZERO) || one ? flat : new Arithmetic(Operator.MULTIPLY, flat, size);
  }

  /** Returns the condition that indices are in bounds; empty if they obviously are. */
  String inside(String tensor, ImmutableList<IndexExpression> at) {
    List<String> conditions = new ArrayList<>();
    TensorDeclaration declaration = scope.declaration(tensor);
    for (int axis = 0; axis < at.size(); axis++) {
      if (!isInside(at.get(axis), declaration.shape().get(axis))) {
        conditions.add(
            scope.call(CHelper.INSIDE, text(at.get(axis)), text(new AxisSize(tensor, axis))));
      }
    }
    return String.join(" && ", conditions);
  }

  private boolean isInside(IndexExpression index, IndexExpression extent) {
    if (index instanceof Constant constant) {
      return extent instanceof Constant end
          && constant.value() >= 0
          && constant.value() < end.value();
    }
    for (Loop loop : loops) {
      if (index instanceof LoopIndex own && own.id() == loop.id()) {
        return loop.start().equals(new Constant(0)) && loop.end().equals(extent);
      }
    }
    return false;
  }
}
