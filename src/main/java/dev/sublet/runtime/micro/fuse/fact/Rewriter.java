package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;

/**
 * Rebuilds statements with some parts replaced. A subclass overrides the methods for the parts that
 * it replaces. Operations on numbers are folded. O(size).
 */
public class Rewriter {

  /** Returns the replacement of a number, loop index, extent or parameter. */
  public IndexExpression leaf(IndexExpression leaf) {
    return leaf;
  }

  /** Returns the replacement of an operation whose operands have been rewritten. */
  public IndexExpression arithmetic(Arithmetic arithmetic) {
    return IndexFolding.fold(arithmetic);
  }

  /** Returns the replacement of an element whose indices have been rewritten. */
  public IndexExpression element(Element element) {
    return element;
  }

  /** Returns the replacement of a load whose indices have been rewritten. */
  public Expression load(Expression.Load load) {
    return load;
  }

  /** Returns the replacement of a statement's target whose indices have been rewritten. */
  public Access target(Access target) {
    return target;
  }

  /** Returns the new number of a carried variable. */
  public int carried(int id) {
    return id;
  }

  /** Rewrites a block: its loops, statements and accesses. */
  public final LoopBlock block(LoopBlock block) {
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (Loop loop : block.loops()) {
      loops.add(loop(loop));
    }
    return new LoopBlock(loops.build());
  }

  /**
   * Returns the loop with its bounds and statements rewritten; the number of the loop is unchanged.
   */
  public final Loop loop(Loop loop) {
    ImmutableList.Builder<CarriedVariable> carried = ImmutableList.builder();
    for (CarriedVariable variable : loop.carried()) {
      carried.add(
          new CarriedVariable(carried(variable.id()), variable.operator(), variable.type()));
    }
    ImmutableList.Builder<Statement> statements = ImmutableList.builder();
    for (Statement statement : loop.statements()) {
      statements.add(statement(statement));
    }
    return new Loop(
        loop.id(), index(loop.start()), index(loop.end()), carried.build(), statements.build());
  }

  /** Rewrites a statement. */
  public final Statement statement(Statement statement) {
    if (statement instanceof Statement.Assignment assignment) {
      return new Statement.Assignment(
          target(access(assignment.target())), expression(assignment.value()));
    }
    if (statement instanceof Statement.Accumulation accumulation) {
      return new Statement.Accumulation(
          target(access(accumulation.target())),
          accumulation.operator(),
          expression(accumulation.value()));
    }
    if (statement instanceof Statement.Fold fold) {
      return new Statement.Fold(
          carried(fold.carried()), expression(fold.value()), fold.position().map(this::index));
    }
    throw new AssertionError(statement);
  }

  /** Rewrites an expression, from the leaves up. */
  public final Expression expression(Expression expression) {
    if (expression instanceof Expression.Load load) {
      return load(new Expression.Load(access(load.access()), load.outside()));
    }
    if (expression instanceof Expression.IndexValue value) {
      return new Expression.IndexValue(index(value.index()));
    }
    if (expression instanceof Expression.CarriedValue value) {
      return new Expression.CarriedValue(carried(value.id()));
    }
    if (expression instanceof Expression.Unary unary) {
      return new Expression.Unary(unary.operator(), expression(unary.operand()));
    }
    if (expression instanceof Expression.Binary binary) {
      return new Expression.Binary(
          binary.operator(), expression(binary.left()), expression(binary.right()));
    }
    if (expression instanceof Expression.Conditional conditional) {
      return new Expression.Conditional(
          expression(conditional.condition()),
          expression(conditional.ifTrue()),
          expression(conditional.ifFalse()));
    }
    if (expression instanceof Expression.Cast cast) {
      return new Expression.Cast(cast.type(), expression(cast.operand()));
    }
    return expression;
  }

  /** Rewrites an access. */
  public final Access access(Access access) {
    return new Access(access.tensor(), indices(access.at()), access.checked());
  }

  /** Rewrites each index. */
  public final ImmutableList<IndexExpression> indices(ImmutableList<IndexExpression> indices) {
    ImmutableList.Builder<IndexExpression> rewritten = ImmutableList.builder();
    for (IndexExpression index : indices) {
      rewritten.add(index(index));
    }
    return rewritten.build();
  }

  /** Rewrites an index expression, from the leaves up. */
  public final IndexExpression index(IndexExpression index) {
    if (index instanceof Negation negation) {
      IndexExpression operand = index(negation.operand());
      return operand instanceof Constant constant
          ? new Constant(-constant.value())
          : new Negation(operand);
    }
    if (index instanceof Arithmetic arithmetic) {
      return arithmetic(
          new Arithmetic(
              arithmetic.operator(), index(arithmetic.left()), index(arithmetic.right())));
    }
    if (index instanceof Element element) {
      return element(new Element(element.tensor(), indices(element.at())));
    }
    return leaf(index);
  }
}
