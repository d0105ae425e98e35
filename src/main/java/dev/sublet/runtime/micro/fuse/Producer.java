package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.fuse.fact.BlockIndex;
import dev.sublet.runtime.micro.fuse.fact.BoundsProver;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Polynomial;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.fuse.fact.Site;
import dev.sublet.runtime.micro.fuse.fact.WholeWrite;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.tensor.ElementType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only assignment to a temporary, if it writes every element once and reads no carried
 * variable. The class also builds the replacements for reads of the temporary in later blocks.
 *
 * <p>A read that is proved to be in bounds is replaced by the assigned value. A read that may be
 * out of bounds is replaced by
 *
 * <ul>
 *   <li>a load, if the value is a load with these properties: along each axis in question it has
 *       the same index and an axis of the same extent, so that it is out of bounds too; elsewhere
 *       it is never out of bounds or returns the same value there;
 *   <li>else a choice between the value, with all its loads checked, and the value that the read
 *       returns out of bounds.
 * </ul>
 *
 * <p>If nothing proves that the value was computed at those indices before, its indices must not
 * divide by a possibly zero divisor.
 */
final class Producer {

  private final Extents extents;
  private final int block;
  private final List<Loop> loops;
  private final String tensor;
  private final Expression value;
  private final WholeWrite whole;

  private Producer(
      Extents extents,
      int block,
      List<Loop> loops,
      Statement.Assignment assignment,
      WholeWrite whole) {
    this.extents = extents;
    this.block = block;
    this.loops = loops;
    this.tensor = assignment.target().tensor();
    this.value = assignment.value();
    this.whole = whole;
  }

  /** Returns the producer of a tensor, if it has one. O(size of the blocks that write it). */
  static Optional<Producer> of(Extents extents, BlockIndex blocks, String tensor) {
    Producer found = null;
    for (int number : blocks.writing(tensor)) {
      LoopBlock block = blocks.get(number);
      for (int depth = 1; depth <= block.loops().size(); depth++) {
        for (Statement statement : block.loops().get(depth - 1).statements()) {
          if (Site.target(statement).map(Access::tensor).filter(tensor::equals).isEmpty()) {
            continue;
          }
          if (found != null || !(statement instanceof Statement.Assignment assignment)) {
            return Optional.empty();
          }
          Optional<WholeWrite> whole = WholeWrite.of(extents, block, depth, assignment);
          if (whole.isEmpty() || !Reads.carriedIn(assignment.value()).isEmpty()) {
            return Optional.empty();
          }
          List<Loop> loops = block.loops().subList(0, depth);
          found = new Producer(extents, number, loops, assignment, whole.get());
        }
      }
    }
    return Optional.ofNullable(found);
  }

  /** Returns the number of the block. */
  int block() {
    return block;
  }

  /** Returns the assigned value. */
  Expression value() {
    return value;
  }

  /** Returns, for each enclosing loop that is an index of the tensor, the axis. */
  ImmutableMap<Integer, Integer> axes() {
    return whole.axes();
  }

  /** Returns the replacement of a load of the tensor inside some loops, if there is one. */
  Optional<Expression> instead(Expression.Load load, List<Loop> around) {
    ImmutableList<IndexExpression> at = load.access().at();
    BoundsProver prover = new BoundsProver(extents, around);
    Set<Integer> open = new LinkedHashSet<>();
    for (int axis = 0; axis < at.size() && load.access().checked(); axis++) {
      if (!prover.isInside(tensor, axis, at.get(axis))) {
        open.add(axis);
      }
    }
    Expression inside = whole.at(at).expression(value);
    if (open.isEmpty()) {
      return Optional.of(inside);
    }
    if (mayDivideByZero()) {
      return Optional.empty();
    }
    if (isOutsideToo(open, load.outside())) {
      Access access = ((Expression.Load) inside).access();
      return Optional.of(
          new Expression.Load(Access.of(access.tensor(), access.at()), load.outside()));
    }
    return Optional.of(guarded(load, prover, open, inside));
  }

  /** Returns the replacement of an element that is an index or a part of one, if there is one. */
  Optional<IndexExpression> instead(Element element, List<Loop> around) {
    BoundsProver prover = new BoundsProver(extents, around);
    Set<Integer> open = new LinkedHashSet<>();
    for (int axis = 0; axis < element.at().size(); axis++) {
      if (!prover.isInside(tensor, axis, element.at().get(axis))) {
        open.add(axis);
      }
    }
    boolean possible = open.isEmpty() || (!mayDivideByZero() && isOutsideToo(open, 0));
    return possible
        ? asIndex().map(index -> whole.at(element.at()).index(index))
        : Optional.empty();
  }

  /**
   * Whether the value is a load that is out of bounds whenever the tensor is along one of the axes,
   * and returns {@code outside} there.
   */
  private boolean isOutsideToo(Set<Integer> axes, double outside) {
    if (!(value instanceof Expression.Load load)) {
      return false;
    }
    Set<Integer> seen = new LinkedHashSet<>();
    for (int axis = 0; axis < load.access().at().size(); axis++) {
      IndexExpression index = extents.canonical(load.access().at().get(axis)).toExpression();
      if (index instanceof LoopIndex loop) {
        Integer own = whole.axes().get(loop.id());
        AxisSize extent = new AxisSize(load.access().tensor(), axis);
        if (own != null && extents.areEqual(extent, new AxisSize(tensor, own))) {
          seen.add(own);
        }
      }
    }
    return seen.containsAll(axes) && isOutside(load, outside);
  }

  /** Whether a load in the value is never out of bounds, or returns a certain number there. */
  private boolean isOutside(Expression.Load load, double outside) {
    return !load.access().checked()
        || Double.compare(load.outside(), outside) == 0
        || new BoundsProver(extents, loops).isInside(load.access().tensor(), load.access().at());
  }

  /** Whether an index in the value divides by zero or by an expression that is not a number. */
  boolean mayDivideByZero() {
    boolean[] found = new boolean[1];
    new Rewriter() {
      @Override
      public IndexExpression arithmetic(Arithmetic arithmetic) {
        found[0] |=
            arithmetic.operator() == Operator.DIVIDE
                && (!(arithmetic.right() instanceof Constant divisor) || divisor.value() == 0);
        return arithmetic;
      }
    }.expression(value);
    return found[0];
  }

  /**
   * Returns {@code choose(0 <= i and i < extent, value, outside)}, without the comparisons that are
   * proved.
   */
  private Expression guarded(
      Expression.Load load, BoundsProver prover, Set<Integer> open, Expression inside) {
    Expression condition = null;
    for (int axis : open) {
      IndexExpression index = load.access().at().get(axis);
      IndexExpression extent = extents.overInputs(new AxisSize(tensor, axis));
      Polynomial at = extents.canonical(index);
      if (!prover.isNotNegative(at)) {
        condition = and(condition, compared(BinaryOperator.GREATER_EQUAL, index, new Constant(0)));
      }
      if (!prover.isNotNegative(extents.canonical(extent).minus(at).minus(Polynomial.ONE))) {
        condition = and(condition, compared(BinaryOperator.LESS, index, extent));
      }
    }
    if (condition == null) {
      throw new AssertionError("nothing is open of " + load);
    }
    return new Expression.Conditional(
        condition, CHECKING.expression(inside), outside(load.outside()));
  }

  private static Expression and(@Nullable Expression left, Expression right) {
    return left == null ? right : new Expression.Binary(BinaryOperator.AND, left, right);
  }

  private static Expression compared(
      BinaryOperator operator, IndexExpression left, IndexExpression right) {
    return new Expression.Binary(
        operator, new Expression.IndexValue(left), new Expression.IndexValue(right));
  }

  /** Makes loads checked again. Their proofs hold only for indices that are in bounds. */
  private static final Rewriter CHECKING =
      new Rewriter() {
        @Override
        public Expression load(Expression.Load load) {
          return new Expression.Load(
              Access.of(load.access().tensor(), load.access().at()), load.outside());
        }
      };

  /**
   * Returns a statement with all its loads checked, for a place where the conditions of the proofs
   * may not hold.
   */
  static Statement withCheckedLoads(Statement statement) {
    return CHECKING.statement(statement);
  }

  /** Returns a number as a literal of the tensor's type. */
  private Expression outside(double number) {
    ElementType type = extents.tensor(tensor).type();
    return switch (type) {
      case FLOAT32 -> new Expression.FloatLiteral(type, (float) number);
      case FLOAT64 -> new Expression.FloatLiteral(type, number);
      case INT32, UINT8, INT8 -> new Expression.IntegerLiteral(type, type.wrapped((int) number));
      case INT64 -> new Expression.IntegerLiteral(type, (long) number);
      case BOOL -> new Expression.IntegerLiteral(type, number != 0 ? 1 : 0);
      default -> throw new AssertionError(type);
    };
  }

  /**
   * Returns the value as an index, if it can be one. As an index, an element out of bounds is 0.
   */
  private Optional<IndexExpression> asIndex() {
    if (value instanceof Expression.IndexValue index) {
      return Optional.of(index.index());
    }
    if (value instanceof Expression.IntegerLiteral literal) {
      return Optional.of(new Constant(literal.value()));
    }
    if (value instanceof Expression.ScalarParameter parameter) {
      return Optional.of(new IndexExpression.Parameter(parameter.name()));
    }
    // Indices are 64 bits wide, so the conversion of an integer to INT64 is implicit.
    Expression source =
        value instanceof Expression.Cast cast && cast.type() == ElementType.INT64
            ? cast.operand()
            : value;
    if (source instanceof Expression.Load load
        && isInteger(extents.tensor(load.access().tensor()).type())
        && isOutside(load, 0)) {
      return Optional.of(new Element(load.access().tensor(), load.access().at()));
    }
    return Optional.empty();
  }

  private static boolean isInteger(ElementType type) {
    return type == ElementType.INT32 || type == ElementType.INT64;
  }
}
